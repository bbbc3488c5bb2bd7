"""Waiting for one's turn to send."""

import asyncio
import contextlib
import signal
import time

from checks import Checks, case, equal
from client import Client, connected, refused
from flow import send, subscribe
from gateway import Gateway
from tokens import token

BASE = 300
SETTINGS = dict(CHAT_RATE_LIMIT_PER_CHANNEL_GROUP=BASE, CHAT_RATE_LIMIT_MAX_QUEUED=4, CHAT_RATE_LIMIT_MAX_DELAY=10)


async def burst(client, room, count, **params):
    """Sends at once; the futures of the replies."""
    return [await client.start("conversation.send", conversation=room, text=f"{number}", **params) for number in range(count)]


async def texts(client, room):
    history = await client.call("conversation.history", conversation=room, limit=100)
    return [message["plaintext"] for message in reversed(history["messages"])]


@case("limiter: five at once are sent at 0, 1, 3, 7 and 15 times the base, in order, and nothing else waits")
async def golden(gateway):
    async with connected(gateway, "fast", "other") as (fast, other):
        for client in (fast, other):
            await client.call("conversation.createIfNotExists", conversation="burst")
        start = time.monotonic()
        replies = await burst(fast, "burst", 5)
        sixth = await refused(fast.call("conversation.send", conversation="burst", text="6"), 109)
        equal(0 < sixth.error["data"]["retryAfterMs"] <= BASE, True, f"retryAfterMs: {sixth}")
        equal(sixth.error["data"]["temporary"], True, "temporary")
        await send(other, "burst", "another user's")
        await fast.call("conversation.markAsTyping", conversation="burst")
        equal(time.monotonic() - start < BASE / 1000, True, "nothing else waits")
        with Checks() as check:
            for reply, slot in zip(replies, (0, 1, 3, 7, 15)):
                result = await reply
                took = (time.monotonic() - start) * 1000
                check.true("result" in result, f"{slot}: {result}")
                check.true(slot * BASE - 20 <= took <= slot * BASE + 1500, f"slot {slot}: after {took:.0f} ms")
        equal(await texts(fast, "burst"), ["0", "another user's", "1", "2", "3", "4"], "in order")


@case("limiter: it is off by default and for other types, and not for a backend that speaks for itself")
async def off(gateway):
    async with connected(gateway, "free") as client:
        await client.call("conversation.createIfNotExists", conversation="open", type="public")
        await client.call("conversation.createIfNotExists", conversation="closed")
        start = time.monotonic()
        for reply in await burst(client, "open", 20):
            equal("result" in await reply, True, "public is not limited")
        async with await Client.connect(gateway.url, session={"token": token("backend", tokenType="app")}) as backend:
            for reply in await burst(backend, "closed", 20):
                equal("result" in await reply, True, "a backend")
            await backend.call("conversation.send", conversation="closed", text="x", actAs="free")
            equal(time.monotonic() - start < 3, True, "at once")
            begun = time.monotonic()
            await send(client, "closed", "y")
            equal(time.monotonic() - begun > BASE / 1000 - 0.05, True, "the user that it acts for is limited")


@case("limiter: what may not be sent does not wait, and a retry neither")
async def checked_first(gateway):
    async with connected(gateway, "hasty", "outsider") as (hasty, outsider):
        await hasty.call("conversation.createIfNotExists", conversation="hasty")
        first = await send(hasty, "hasty", "1", clientMessageId="1")
        start = time.monotonic()
        again = await hasty.call("conversation.send", conversation="hasty", text="1", clientMessageId="1")
        equal(again, {"message": first, "duplicate": True}, "a retry")
        await refused(hasty.call("conversation.send", conversation="hasty", text="2", clientMessageId="1"), 106)
        await refused(outsider.call("conversation.send", conversation="hasty", text="x"), 102)
        equal(time.monotonic() - start < BASE / 1000, True, "at once")
        waiting = await hasty.start("conversation.send", conversation="hasty", text="2", clientMessageId="2")
        retry = await hasty.start("conversation.send", conversation="hasty", text="2", clientMessageId="2")
        equal((await waiting)["result"]["duplicate"], False, "its turn")
        equal((await retry)["result"]["duplicate"], True, "the retry of what waited")


@case("limiter: who cancels or ends the connection does not send, however it ends")
async def endings(gateway):
    async with connected(gateway, "reader") as reader:
        await reader.call("conversation.createIfNotExists", conversation="ends")
        await subscribe(reader, "messages:ends")
        for number, end in enumerate(("cancel", "close", "abort", "session.close")):
            sender = await Client.connect(gateway.url, f"sender{number}")
            await sender.call("conversation.createIfNotExists", conversation="ends")
            await send(sender, "ends", f"first {end}")
            waiting = await sender.start("conversation.send", conversation="ends", text=f"second {end}")
            await sender.call("ping")
            if end == "cancel":
                await sender.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": next(sender.ids) - 2}})
                equal((await waiting)["error"]["code"], -32800, "cancelled")
            elif end == "abort":
                sender.socket.transport.abort()
            elif end == "session.close":
                await sender.call("session.close")
            with contextlib.suppress(Exception):
                await sender.close()
        await asyncio.sleep(BASE / 1000 + 0.3)
        await send(reader, "ends", "last")
        expected = [f"first {end}" for end in ("cancel", "close", "abort", "session.close")] + ["last"]
        equal(await texts(reader, "ends"), expected, "no second")


@case("limiter: when the gateway stops what waits is refused at once")
async def draining():
    with Gateway(CHAT_RATE_LIMIT_PER_CHANNEL_GROUP=60_000, SERVER_DRAIN_MS=5000) as gateway:
        async with connected(gateway, "late") as client:
            await client.call("conversation.createIfNotExists", conversation="late")
            await send(client, "late", "1")
            waiting = await client.start("conversation.send", conversation="late", text="2")
            await client.call("ping")
            start = time.monotonic()
            gateway.process.send_signal(signal.SIGTERM)
            reply = await waiting
            equal((reply["error"]["code"], reply["error"]["data"]["temporary"]), (110, True), f"{reply}")
            equal(time.monotonic() - start < 2, True, "at once")
            equal(await client.close_code(), 1012, "the close")
        equal(await gateway.ended(), 0, "exit code")
