"""Requests that broke other servers before a WebSocket was there, row by row of Tests/Attacks.md."""

import asyncio
import base64
import contextlib
import re
import time

from attack import Cost, linear, opened, scaled
from checks import Checks, case, equal
from gateway import Gateway
from tokens import token
from wire import KEY, Wire, upgrade

SETTINGS = dict(SERVER_ORIGINS="https://allowed.example,https://chat.example:8443,https://xn--mnchen-3ya.example")
HEAD_LIMIT = 16_384


async def status_of(gateway, data):
    """The status of the answer; a refusal must be the last thing that comes."""
    async with Wire.open(gateway) as wire:
        wire.write(data)
        status, _, _ = await wire.answer()
        if status != 101:
            equal(await wire.end(), b"", "nothing follows a refusal")
        return status


async def table(gateway, rows):
    with Checks() as check:
        for name, (data, status) in rows.items():
            with check.row(name):
                got = await status_of(gateway, data)
                equal(got in (status if isinstance(status, tuple) else (status,)), True, f"got {got}, expected {status}")


def padded(name, value, size=HEAD_LIMIT - 400):
    """An upgrade with a field that is filled up to the limit of a head by repeating a text."""
    return upgrade(f"{name}: {(value * (size // len(value) + 1))[:size]}")


@case("CVE-2024-37890: more fields, longer fields and longer heads than allowed")
async def many_fields(gateway):
    await table(
        gateway,
        {
            "2,000 fields": (upgrade(*(f"X{number}: y" for number in range(2000))), 431),
            "101 fields": (upgrade(*(f"X{number}: y" for number in range(96))), 431),
            "100 fields": (upgrade(*(f"X{number}: y" for number in range(95))), 101),
            "a field of 64 KiB": (upgrade("X: " + "y" * 65_536), 431),
            "a name of 64 KiB": (upgrade("X" * 65_536 + ": y"), 431),
            "a key of 64 KiB": (upgrade(key="A" * 65_536), 431),
            "a target of 64 KiB": (upgrade(path="/ws?" + "x" * 65_536), 414),
            "a method of 64 KiB": ("G" * 65_536 + " /ws HTTP/1.1\r\n\r\n", (400, 431, 501)),
        },
    )
    # A head that never ends is refused at the limit, not when it ends.
    for piece in ("X: y\r\n", "X: " + "y" * 1000 + "\r\n", "y"):
        async with Wire.open(gateway) as wire:
            wire.write("GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
            wire.write(("y\r\n" + piece * (40_000 // len(piece)))[:40_000])
            equal((await wire.answer())[0], 431, "a head without an end")


@case("CVE-2021-32640: long lists in the fields of the handshake cost what they weigh")
async def long_lists(gateway):
    fields = ("Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions", "Cookie", "Origin", "Connection", "Upgrade")
    values = ("a", " ", ",", ", ", "a,", "a ;", 'a="', '\\"', "a=b;", ";", "\t", "a, permessage-deflate; ")
    with Checks() as check:
        for field in fields:
            with check.row(f"{field} of commas, beyond the limit"):
                equal(await status_of(gateway, upgrade(f"{field}: " + "," * 32_000)), 431)
            with check.row(f"{field}: a, 32,000 spaces, x"):
                equal(await status_of(gateway, upgrade(f"{field}: a{' ' * 32_000}x")), 431)

        async def attack(size):
            for field in fields:
                for value in values:
                    async with Wire.open(gateway) as wire:
                        wire.write(padded(field, value, size))
                        equal((await wire.head())[0] in (101, 400, 403, 426), True, f"the status for {field} of {value!r}")

        with check.row("the time"):
            await linear(gateway, attack, 7_500, "fields filled with lists")


@case("GMS-2019-145, undici: odd names and window sizes in offers of extensions are declined and never fatal")
async def odd_offers(gateway):
    names = ["constructor", ",;constructor", "__proto__", "toString; a=1", "hasOwnProperty, valueOf", "permessage-deflate-x"]
    malformed = [
        "=",
        '="',
        ";",
        "; =",
        "a; =b",
        'a; b="',
        'a; b="c',
        "a b",
        "permessage-deflate;",
        "permessage-deflate; =1",
        "(",
        "a; b=c d",
    ]
    bits = ["0", "7", "16", "256", "-1", "٩", "99999999999999999999", "08", "8.0", "0x9", " ", '""', '"7"']
    windows = [f"permessage-deflate; {side}_max_window_bits={value}" for side in ("server", "client") for value in bits]
    doubles = [
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        "permessage-deflate; client_max_window_bits=9; client_max_window_bits=10",
        "permessage-deflate; server_max_window_bits=9; server_max_window_bits=9",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover=true",
        "permessage-deflate; nope",
        "permessage-deflate; server_max_window_bits=8; nope=1",
    ]
    offers = names + malformed + windows + doubles + [", ".join(["x-nope; a=1"] * 1000), ", ".join(["permessage-deflate; nope"] * 500)]
    with Checks() as check:
        for offer in offers:
            with check.row(offer[:80]):
                async with Wire.open(gateway) as wire:
                    wire.write(upgrade(f"Sec-WebSocket-Extensions: {offer}"))
                    status, head = await wire.head()
                    equal(status, 101)
                    equal("sec-websocket-extensions" in head.lower(), False, f"nothing is taken: {head}")
                    equal((await wire.frame())[0], 0x81, "hello")


@case("CVE-2023-43669: a byte late in a long head costs what a byte early in it costs")
async def byte_by_byte(gateway):
    filler, count = "X: " + "y" * 14_000 + "\r\n", 100
    least = {"early": float("inf"), "late": float("inf")}
    for _ in range(5):
        for place in least:
            async with Wire.open(gateway) as wire:
                wire.write("GET /ws HTTP/1.1\r\n" + (filler if place == "late" else "") + "Y: ")
                with Cost(gateway) as cost:
                    for _ in range(count):
                        wire.write("y")
                        # Else the gateway, once it is slow, would read many of them at once.
                        await asyncio.sleep(0.005)
                least[place] = min(least[place], cost.seconds)
                wire.write("\r\n" + upgrade().split("\r\n", 1)[1])
                equal((await wire.head())[0], 101)
        if least["late"] < 2 * least["early"]:
            return
    raise AssertionError(f"seconds of {count} bytes: {least}")


@case("CVE-2023-3581, GHSA-f53g-frr2-jhpf: an origin is let in letter for letter or not at all")
async def origins(gateway):
    own = f"127.0.0.1:{gateway.port}"
    listed = ("https://allowed.example", "https://chat.example:8443", "https://xn--mnchen-3ya.example", f"http://{own}")
    refused = [
        "https://allowed.example.evil.com",
        "https://evil.com/allowed.example",
        "https://evil.com#https://allowed.example",
        "https://allowed.example@evil.com",
        "https://evilallowed.example",
        "https://sub.allowed.example",
        "http://allowed.example",
        "wss://allowed.example",
        "https://allowed.example:443",
        "https://allowed.example:8443",
        "https://allowed.example:",
        "https://allowed.example.",
        "https://allowed.example/",
        "https://ALLOWED.example",
        "HTTPS://allowed.example",
        "https://Allowed.Example",
        "allowed.example",
        "//allowed.example",
        "*",
        "null",
        "NULL",
        "file://",
        "https://chat.example",
        "https://chat.example:8444",
        "https://chat.example:84430",
        "https://münchen.example".encode().decode("latin-1"),
        "https://allowed.example https://evil.com",
        "https://allowed.example, https://evil.com",
        "https://evil.com, https://allowed.example",
        f"https://{own}",
        f"http://{own}.evil.com",
        f"http://127.0.0.1:{gateway.port + 1}",
        "http://127.0.0.1",
        "http://localhost",
    ]
    rows = {origin: (upgrade(f"Origin: {origin}", host=own).encode("latin-1"), 403) for origin in refused}
    rows |= {origin: (upgrade(f"Origin: {origin}", host=own), 101) for origin in listed}
    rows["no origin"] = (upgrade(host=own), 101)
    for name, lines in {
        "two origins, the listed one first": ("Origin: https://allowed.example", "Origin: https://evil.com"),
        "two origins, the listed one last": ("Origin: https://evil.com", "Origin: https://allowed.example"),
        "the listed one twice": ("Origin: https://allowed.example", "Origin: https://allowed.example"),
    }.items():
        rows[name] = (upgrade(*lines, host=own), (400, 403))
    rows["an empty origin"] = (upgrade("Origin: ", host=own), 403)
    await table(gateway, rows)


@case("more handshakes: what is no upgrade by RFC 6455 and RFC 9112 is refused")
async def more_handshakes(gateway):
    body = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    length = f"Content-Length: {len(body)}"
    chunks = f"{len(body):x}\r\n{body}\r\n0\r\n\r\n"
    rows = {
        # Whatever is in the body is no request: a proxy in front would not have seen it (request smuggling).
        "an upgrade with a body": (upgrade(length) + body, (400, 413)),
        "an upgrade with chunks": (upgrade("Transfer-Encoding: chunked") + chunks, (400, 413, 501)),
        "an upgrade with both": (upgrade(length, "Transfer-Encoding: chunked") + chunks, (400, 413)),
        "an upgrade with an odd coding": (upgrade("Transfer-Encoding: xchunked") + body, (400, 413, 501)),
        "an upgrade with two lengths": (upgrade(length, "Content-Length: 0") + body, 400),
        "an upgrade with a signed length": (upgrade("Content-Length: +4") + body, 400),
        "a length and a space before the colon": (upgrade(f"Content-Length : {len(body)}") + body, 400),
        "a chunked coding on a folded line": (upgrade("Transfer-Encoding:", " chunked") + chunks, 400),
        "HTTP/1.0": (upgrade().replace("HTTP/1.1", "HTTP/1.0"), (400, 426, 505)),
        "the preface of HTTP/2": ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (400, 505)),
        "no key": (upgrade(without=("Sec-WebSocket-Key",)), 400),
        "an empty key": (upgrade(key=""), 400),
        "a key of 17 bytes": (upgrade(key=base64.b64encode(bytes(17)).decode()), 400),
        "a key without padding": (upgrade(key=KEY.rstrip("=")), 400),
        "a key with a space within": (upgrade(key=KEY[:10] + " " + KEY[11:]), 400),
        "one key twice": (upgrade(f"Sec-WebSocket-Key: {KEY}"), 400),
        "two versions": (upgrade("Sec-WebSocket-Version: 8"), (400, 426)),
        "version 013": (upgrade(version="013"), (400, 426)),
        "version +13": (upgrade(version="+13"), (400, 426)),
        "Upgrade: websocketx": (upgrade("Upgrade: websocketx", without=("Upgrade",)), (400, 426)),
        "Connection: upgradex": (upgrade("Connection: upgradex", without=("Connection",)), (400, 426)),
        "a folded line": (upgrade("X: a", " b"), 400),
        "a line that begins with a tab": (upgrade("\tX: a"), 400),
        "a bare LF": (upgrade().replace("\r\n", "\n"), 400),
        "a bare LF at the end": (upgrade()[:-2] + "\n", 400),
        "a bare CR": (upgrade("X: a\rY: b"), 400),
        "a space before the colon": (upgrade("Sec-WebSocket-Protocol : parley.v1"), 400),
        "0xFF in the target": (upgrade(path="/ws?\xff").encode("latin-1"), 400),
        "0xFF in a name": (upgrade("X\xff: y").encode("latin-1"), 400),
        "NUL in a value": (upgrade("X: a\0b"), 400),
        "//ws": (upgrade(path="//ws"), 404),
        "/..%2fws": (upgrade(path="/..%2fws"), 404),
        "/x/../ws": (upgrade(path="/x/../ws"), 404),
        "/%77s": (upgrade(path="/%77s"), 404),
        "/WS": (upgrade(path="/WS"), 404),
        "/ws;x": (upgrade(path="/ws;x"), 404),
        "a foreign absolute form": (upgrade(path="http://evil.example/ws"), (400, 403, 421)),
        "TLS on a plain port": (bytes.fromhex("16030100c8010000c40303") + bytes(200), 400),
    }
    await table(gateway, rows)


@case("more handshakes: what is odd and allowed is let in")
async def odd_handshakes(gateway):
    rows = {
        "Connection: keep-alive, Upgrade": upgrade("Connection: keep-alive, Upgrade", without=("Connection",)),
        "Connection twice": upgrade("Connection: keep-alive"),
        "Upgrade among others": upgrade("Upgrade: h2c, WebSocket", without=("Upgrade",)),
        "a length of 0": upgrade("Content-Length: 0"),
        "its own absolute form": upgrade(path="http://127.0.0.1/ws"),
        "a query": upgrade(path="/ws?a=%ff&b"),
        "bytes beyond ASCII in a value (RFC 9110 §5.5)": upgrade("X: é").encode(),
        "names in other letters": upgrade().replace("Sec-WebSocket-", "sEC-wEBSOCKET-"),
        "values between blanks": upgrade().replace(": ", ":\t  "),
    }
    await table(gateway, {name: (data, 101) for name, data in rows.items()})


@case("more handshakes: slow bytes do not prolong the time, and hundreds of them delay nobody", seconds=60)
async def slow_loris():
    with Gateway(SERVER_LIMITS_HANDSHAKE_MS=2000) as gateway:
        async with contextlib.AsyncExitStack() as stack:
            wires = [await stack.enter_async_context(Wire.open(gateway)) for _ in range(scaled(300, 5000))]
            start = time.monotonic()

            async def drip():
                for letter in "GET /ws HTTP/1.1\r\n" + "X: y\r\n" * 1000:
                    for wire in wires:
                        with contextlib.suppress(OSError):
                            wire.write(letter)
                    await asyncio.sleep(0.1)

            dripping = asyncio.create_task(drip())
            with Cost(gateway) as cost:
                async with opened(gateway, "quick") as quick:
                    equal(time.monotonic() - start < 1.5, True, "others get in meanwhile")
                    answers = await asyncio.gather(*(wire.end() for wire in wires))
                    took = time.monotonic() - start
                    dripping.cancel()
                    quick.write(b"\x89\x80\0\0\0\0")
                    equal(await quick.frame(), (0x8A, b""), "who got in stays")
            # Who got no byte out in time is closed without a word.
            equal({answer[:12] for answer in answers} - {b""}, {b"HTTP/1.1 408"}, "answers")
            equal(took < 10, True, f"all are closed at their time, not after {took:.1f} s")
            equal(cost.seconds < took, True, f"{cost.seconds:.1f} s of work")


@case("CVE-2021-33880: what a refused token is answered does not tell how much of it was right")
async def token_answers(gateway):
    good = token("constant")
    head, body, signature = good.split(".")
    answers = set()
    for place in (0, 1, len(signature) // 2, len(signature) - 2):
        letter = "A" if signature[place] != "A" else "B"
        bad = ".".join([head, body, signature[:place] + letter + signature[place + 1 :]])
        async with Wire.open(gateway) as wire:
            wire.write(upgrade(f"Authorization: Bearer {bad}"))
            status, head_of_answer, sentence = await wire.answer()
            answers.add((status, re.sub(r"(?i)date: [^\r]*", "", head_of_answer), sentence))
    equal(len(answers), 1, f"one answer for all: {answers}")
    equal(answers.pop()[0], 401, "the status")
