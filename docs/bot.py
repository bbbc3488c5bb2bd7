#!/usr/bin/env python3
"""A bot that answers every message of a person; the gateway needs the same PARLEY_AUTH_SECRET as `parley token`.

    python3 -m venv venv && venv/bin/pip install jsonrpc-websocket
    CHAT_TOKEN="$(.build/release/parley token --user echo --type bot --name Echo)" venv/bin/python docs/bot.py General
"""

import asyncio
import os
import signal
import sys

from jsonrpc_websocket import Server


async def main(conversation):
    url = os.environ.get("CHAT_URL", "ws://127.0.0.1:8080/ws")
    parley = Server(url, headers={"Authorization": "Bearer " + os.environ["CHAT_TOKEN"]})
    newest = None  # The last message seen. Ids sort in the order of the conversation.

    async def on_subscription(snapshot=None, **_):
        nonlocal newest
        new = [message for message in reversed(snapshot or []) if message["id"] > (newest or "")]
        first, newest = newest is None, new[-1]["id"] if new else newest or ""
        for message in [] if first else new:  # The first snapshot is history.
            # Only people are answered: two bots that answer each other never end.
            if message["sender"] and message["origin"] != "bot" and message["plaintext"]:
                text, key = "You said: " + message["plaintext"][:9000], "re-" + message["id"]
                # In content, other than in text, nothing is markup.
                content = [{"type": "text", "children": [text]}]
                await parley.conversation.send(conversation=conversation, content=content, clientMessageId=key)

    parley.subscription = on_subscription
    parley.hello = parley.goAway = parley.event = parley.session.expiring = lambda **_: None
    reading = await parley.ws_connect()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, reading.cancel)
    try:
        await parley.conversation.createIfNotExists(conversation=conversation, subject=conversation)
        await parley.subscribe(topic="messages:" + conversation)
        await reading
        sys.exit("The gateway closed the connection.")
    except asyncio.CancelledError:
        pass  # SIGTERM.
    finally:
        await parley.close()


asyncio.run(main(sys.argv[1]))
