"""Compression with clients that nobody here wrote: Python's `websockets` and `picows`, Node's WebSocket, and Chromium.

Random JSON of 1 byte to 1 MiB goes to `parley echo` and comes back; then all of them talk in one conversation of a gateway.
PARLEY_E2E_SEED repeats a run, PARLEY_E2E_MESSAGES is how many messages of random sizes each client sends besides the fixed ones.
"""

import asyncio
import contextlib
import json
import os
import random
import shutil
import string
import subprocess
from pathlib import Path

import picows.websockets.asyncio.client as picows
import websockets
from playwright.async_api import async_playwright
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

from checks import Skipped, case, equal, within
from client import PATIENCE
from gateway import Gateway, environment, free_port
from tokens import token

SCRIPT = Path(__file__).with_name("interop.js")
SEED = int(os.environ.get("PARLEY_E2E_SEED") or random.randrange(2**32))
MESSAGES = int(os.environ.get("PARLEY_E2E_MESSAGES") or 8)
MIB = 1 << 20
SIZES = [1, 2, 3, 125, 126, 127, 255, 256, 257, 4096, 65535, 65536, 65537, MIB]
WORDS = "the quick brown fox jumps over a lazy dog größer 日本語 😀 \\\" \n".split(" ")


def random_json(chance, size):
    """A JSON text of so many bytes of UTF-8: words, noise, numbers and nested values."""
    if size < 4:
        return "".join(chance.choice("123456789") for _ in range(size))
    parts, left = [], size - 4
    while left > 200:
        value = chance.choice(
            (
                lambda: " ".join(chance.choices(WORDS, k=chance.randint(1, 12))),
                lambda: "".join(chance.choices(string.ascii_letters + string.digits, k=chance.randint(1, 120))),
                lambda: chance.randint(-(2**53), 2**53),
                lambda: {chance.choice(WORDS): [chance.random(), None, True]},
            )
        )()
        part = json.dumps(value, ensure_ascii=chance.random() < 0.3) + ","
        # Now and then runs, some of them longer than any window.
        part *= chance.randint(1, 100_000 // len(part)) if chance.random() < 0.05 else 1
        if (length := len(part.encode())) <= left:
            parts.append(part)
            left -= length
    # The last value makes up for what is missing.
    return "[" + "".join(parts) + '"' + "x" * left + '"]'


def texts(name, largest=MIB):
    """The same for each run with a seed, and others for each client."""
    chance = random.Random(f"{SEED} {name}")
    sizes = SIZES + [int(2 ** chance.uniform(0, 20)) for _ in range(MESSAGES)]
    return [random_json(chance, min(size, largest)) for size in sizes]


@contextlib.asynccontextmanager
async def echo():
    """The address of a `parley echo`."""
    port = free_port()
    program = await asyncio.create_subprocess_exec(
        *(os.environ["PARLEY_BINARY"], "echo", "--listen", f"127.0.0.1:{port}"),
        env=environment({}),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        await within(program.stderr.readline(), PATIENCE)
        yield f"ws://127.0.0.1:{port}/"
    finally:
        program.kill()
        await program.wait()


async def echoes(socket, messages):
    """Every third is sent as bytes."""
    for number, text in enumerate(messages):
        message = text.encode() if number % 3 == 2 else text
        await socket.send(message)
        received = await within(socket.recv(), PATIENCE)
        if received != message:
            raise AssertionError(f"a message of {len(message)} came back with {len(received)} (seed {SEED})")


def is_compressed(extensions):
    equal("permessage-deflate" in (extensions or ""), True, f"compression is negotiated, not {extensions!r}")


OFFERS = [
    dict(client_max_window_bits=True),
    dict(client_max_window_bits=9),
    dict(server_max_window_bits=9, client_max_window_bits=12),
    dict(server_max_window_bits=15),
    dict(server_no_context_takeover=True, client_no_context_takeover=True),
    dict(client_no_context_takeover=True, client_max_window_bits=True),
]


@case("Python's websockets with each of its offers: what is sent to the echo comes back")
async def with_websockets():
    async with echo() as url:
        for number, offer in enumerate(OFFERS):
            factory = ClientPerMessageDeflateFactory(**offer)
            async with websockets.connect(url, proxy=None, max_size=None, compression=None, extensions=[factory]) as socket:
                is_compressed(socket.response.headers.get("Sec-WebSocket-Extensions"))
                await echoes(socket, texts("websockets") if number == 0 else texts(f"websockets {number}", 1 << 17))


@case("picows: what is sent to the echo comes back")
async def with_picows():
    async with echo() as url, picows.connect(url, proxy=None, max_size=None, compression="deflate") as socket:
        is_compressed(socket.response.headers.get("Sec-WebSocket-Extensions"))
        await echoes(socket, texts("picows"))


async def node(name, *parameters):
    """Runs a function of the script in Node."""
    program = await asyncio.create_subprocess_exec(
        *(shutil.which("node"), "--experimental-websocket", SCRIPT),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output, complaint = await within(program.communicate(json.dumps([name, *parameters]).encode()), PATIENCE * 3)
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()
    equal(program.returncode, 0, f"Node, which says: {complaint.decode()[-600:]}")
    return json.loads(output)


def node_has_websocket():
    """Since Node 20.10."""
    if not shutil.which("node"):
        return False
    command = ["node", "--experimental-websocket", "-e", "process.exit(typeof WebSocket === 'function' ? 0 : 1)"]
    return subprocess.run(command, capture_output=True, timeout=PATIENCE).returncode == 0


@case("Node's WebSocket: what is sent to the echo comes back")
async def with_node():
    if not node_has_websocket():
        raise Skipped("there is no Node, or one older than 20.10")
    async with echo() as url:
        messages = texts("node")
        seen = await node("echoes", url, messages)
        equal((seen["count"], seen["code"]), (len(messages), 1000), f"messages that came back, and the close code (seed {SEED})")
        is_compressed(seen["extensions"])


@contextlib.asynccontextmanager
async def chromium_page(url):
    """A page of the browser in which the script is loaded; it has to be of the address that it connects to."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM") or None, args=["--no-sandbox"])
        try:
            page = await browser.new_page()
            await page.goto(url)
            await page.evaluate(f"{SCRIPT.read_text()}; globalThis.echoes = echoes; globalThis.chat = chat; null")
            yield page
        finally:
            await browser.close()


@case("Chromium: what is sent to the echo comes back")
async def with_chromium():
    async with echo() as url, chromium_page(url.replace("ws://", "http://")) as page:
        messages = texts("chromium")
        seen = await page.evaluate("([url, messages]) => echoes(url, messages)", [url, messages])
        equal((seen["count"], seen["code"]), (len(messages), 1000), f"messages that came back, and the close code (seed {SEED})")
        is_compressed(seen["extensions"])


def sayings(name):
    """Three texts: short, compressible, and noise."""
    chance = random.Random(f"{SEED} {name} says")
    noise = "".join(chance.choices(string.printable, k=3000)).strip()
    return [f"{name} says hello", f"{name} " + " ".join(chance.choices(WORDS, k=800)).strip(), f"{name} {noise}."]


async def chat(socket, user, room, says):
    """The same as in the script, for sockets that have `send` and `recv`. Returns the texts that were shown last."""
    shown, number = [], 0

    async def next_message():
        nonlocal shown
        message = json.loads(await within(socket.recv(), PATIENCE))
        equal("error" in message, False, f"{user}: {message}")
        if message.get("method") == "subscription":
            shown = [item["plaintext"] for item in message["params"]["snapshot"] or []]
        return message

    async def call(method, **params):
        nonlocal number
        number += 1
        await socket.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
        while (await next_message()).get("id") != number:
            pass

    await call("session.open", token=token(user))
    await call("conversation.createIfNotExists", conversation=room)
    await call("subscribe", topic=f"messages:{room}")
    for text in says:
        # As content, in which nothing is markup.
        await call("conversation.send", conversation=room, content=[{"type": "text", "children": [text]}])
    while not set(says) <= set(shown):
        await next_message()
    return shown


@case("all of them talk in one conversation, compressed, and see the same")
async def one_conversation():
    said = []
    with Gateway() as gateway:
        for name, module in (("websockets", websockets), ("picows", picows)):
            async with module.connect(gateway.url, proxy=None, max_size=None, compression="deflate") as socket:
                is_compressed(socket.response.headers.get("Sec-WebSocket-Extensions"))
                said += sayings(name)
                equal((await chat(socket, name, "room", sayings(name)))[::-1], said, f"what {name} is shown")
        if node_has_websocket():
            said += sayings("node")
            seen = await node("chat", gateway.url, token("node"), "room", sayings("node"))
            is_compressed(seen["extensions"])
            equal(seen["shown"][::-1], said, "what Node is shown")
        async with chromium_page(f"http://{gateway.address}/") as page:
            said += sayings("chromium")
            parameters = [gateway.url, token("chromium"), "room", sayings("chromium")]
            seen = await page.evaluate("(parameters) => chat(...parameters)", parameters)
            is_compressed(seen["extensions"])
            equal(seen["shown"][::-1], said, "what Chromium is shown")
        # Two more that stay, so that each is shown what the other says.
        async with contextlib.AsyncExitStack() as stack:
            enter = lambda module: stack.enter_async_context(module.connect(gateway.url, proxy=None, max_size=None))
            pair = [await enter(websockets), await enter(picows)]
            both = await asyncio.gather(*(chat(socket, f"late{n}", "room", sayings(f"late{n}")) for n, socket in enumerate(pair)))
        equal(all(set(sayings(f"late{n}")) <= set(shown) for n, shown in enumerate(both)), True, "those who talk at once see themselves")
