"""HTTP as it comes over the wire: what is malformed, who may upgrade, and the pages beside the WebSocket."""

import asyncio
import base64
import contextlib
import json
import re
import socket
import time
import zlib

from checks import Checks, case, equal
from gateway import Gateway, free_port, get_from
from tokens import token
from wire import KEY, Wire, get, masked, upgrade

SETTINGS = dict(SERVER_LIMITS_HANDSHAKE_MS=1500, SERVER_ORIGINS="https://chat.example")
HELLO = b'{"jsonrpc":"2.0","method":"hello"'


@case("malformed requests: their 4xx and a closed connection")
async def malformed(gateway):
    rows = {
        "garbage": ("garbage\r\n\r\n", 400),
        "NUL": (b"\x00\x01\x02\r\n\r\n", 400),
        "only spaces": ("   \r\n\r\n", 400),
        "no version": ("GET /livez\r\nHost: 127.0.0.1\r\n\r\n", 400),
        "HTTP/0.9": ("GET /livez\r\n\r\n", 400),
        "HTTP/2.0 in the line": (get(version="HTTP/2.0"), 505),
        "HTTP/1.2": (get(version="HTTP/1.2"), (200, 505)),
        "http/1.1": (get(version="http/1.1"), 400),
        "no Host": (get(host=None), 400),
        "two Hosts": (get("/livez", "Host: localhost"), 400),
        "an empty Host": (get(host=""), (200, 400)),
        "a bad Host": (get(host="a b"), 400),
        "a space before the colon": (get("/livez", "X : y"), 400),
        "a folded line": (get("/livez", "X: y", " z"), 400),
        "a line without colon": (get("/livez", "nope"), 400),
        "an empty name": (get("/livez", ": x"), 400),
        "NUL in a value": (get("/livez", "X: a\0b"), 400),
        "a bare CR": (get("/livez", "X: a\rb"), 400),
        "a bare LF in a value": (get("/livez", "X: a\nX b"), 400),
        "a name with a space": (get("/livez", "X y: z"), 400),
        "two spaces": ("GET  /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400),
        "a relative path": (get("livez"), 400),
        "no path": (get(""), 400),
        "a control character in the path": (get("/li\x01vez"), 400),
        "a fragment": (get("/livez#x"), 400),
        "bytes beyond ASCII in the path": (get("/é"), 400),
        "a lower-case method": ("get /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", (400, 405, 501)),
        "POST": ("POST /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n", 405),
        "PUT": ("PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", (405, 501)),
        "CONNECT": ("CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", (400, 405, 501)),
        "a body on GET": (get("/livez", "Content-Length: 4") + "body", (400, 413)),
        "chunks on GET": (get("/livez", "Transfer-Encoding: chunked") + "0\r\n\r\n", (400, 413, 501)),
        "both lengths": (get("/livez", "Content-Length: 4", "Transfer-Encoding: chunked"), 400),
        "a length that is no number": (get("/livez", "Content-Length: x"), 400),
        "a negative length": (get("/livez", "Content-Length: -1"), 400),
        "a huge length": (get("/livez", "Content-Length: " + "9" * 30), (400, 413)),
        "two lengths": (get("/livez", "Content-Length: 0", "Content-Length: 1"), 400),
        "a long line": (get("/" + "x" * 100_000), (414, 431)),
        "a long field": (get("/livez", "X: " + "y" * 100_000), 431),
        "many fields": (get("/livez", *(f"X{n}: y" for n in range(5000))), 431),
        "the preface of HTTP/2": ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (400, 505)),
        "TLS": (bytes.fromhex("16030100c8010000c40303") + bytes(200), 400),
        "a WebSocket frame": (masked(0x81, b"hello"), 400),
    }
    with Checks() as check:
        for name, (data, status) in rows.items():
            with check.row(name):
                async with Wire.open(gateway) as wire:
                    wire.write(data)
                    got, head, _ = await wire.answer()
                    equal(got in (status if isinstance(status, tuple) else (status,)), True, f"got {got}, expected {status}")
                    if got not in (200, 405):
                        equal(await wire.end(), b"", "the connection is closed")
                        equal("\r\nconnection: close\r\n" in head.lower(), True, f"Connection: close is announced: {head}")


@case("upgrades that are refused")
async def refused_upgrades(gateway):
    rows = {
        "version 12": (upgrade(version="12"), 426),
        "version 14": (upgrade(version="14"), 426),
        "version 8": (upgrade(version="8"), 426),
        "version x": (upgrade(version="x"), (400, 426)),
        "no version": (upgrade(without=("Sec-WebSocket-Version",)), (400, 426)),
        "no key": (upgrade(without=("Sec-WebSocket-Key",)), 400),
        "a short key": (upgrade(key="YWJj"), 400),
        "a key that is no Base64": (upgrade(key="!" * 24), 400),
        "a key of 15 bytes": (upgrade(key=base64.b64encode(bytes(15)).decode()), 400),
        "two keys": (upgrade(f"Sec-WebSocket-Key: {KEY}"), 400),
        "no Upgrade": (upgrade(without=("Upgrade",)), (400, 426)),
        "no Connection": (upgrade(without=("Connection",)), (400, 426)),
        "h2c": (upgrade("Upgrade: h2c", without=("Upgrade",)), (400, 426)),
        "POST": (upgrade().replace("GET", "POST", 1), (400, 405)),
        "a plain GET": (get("/ws"), (400, 426)),
        "another path": (upgrade(path="/ws/"), 404),
        "a foreign origin": (upgrade("Origin: https://evil.example"), 403),
        "the listed origin as http": (upgrade("Origin: http://chat.example"), 403),
        "null": (upgrade("Origin: null"), 403),
        "the listed origin with a port": (upgrade("Origin: https://chat.example:443"), 403),
        "another case": (upgrade("Origin: https://Chat.example"), 403),
        "the listed origin and a path": (upgrade("Origin: https://chat.example/"), 403),
        "a longer origin": (upgrade("Origin: https://chat.example.evil"), 403),
        "a foreign host": (upgrade(host="evil.example"), 400),
        "a host that begins like ours": (upgrade(host="127.0.0.1.evil.example"), 400),
        "a host that resolves here": (upgrade(host="localhost.evil.example"), 400),
        "our address with another port": (upgrade("Origin: http://127.0.0.1:1"), 403),
    }
    with Checks() as check:
        for name, (data, status) in rows.items():
            with check.row(name):
                async with Wire.open(gateway) as wire:
                    wire.write(data)
                    got, head, _ = await wire.answer()
                    equal(got in (status if isinstance(status, tuple) else (status,)), True, f"got {got}, expected {status}")
                    if got == 426:
                        equal("\r\nsec-websocket-version: 13\r\n" in head.lower(), True, f"Sec-WebSocket-Version: 13 in {head}")


@case("upgrades that are let in")
async def upgrades(gateway):
    port = gateway.port
    rows = {
        "plain": upgrade(),
        "localhost": upgrade(host="localhost"),
        "[::1]": upgrade(host=f"[::1]:{port}"),
        "127.9.9.9": upgrade(host="127.9.9.9"),
        "its own origin": upgrade(f"Origin: http://127.0.0.1:{port}", host=f"127.0.0.1:{port}"),
        "the listed origin": upgrade("Origin: https://chat.example"),
        "in other letters": upgrade().replace("websocket\r\nConnection: Upgrade", "WebSocket\r\nconnection: keep-alive, upgrade"),
        "an unknown sub-protocol": upgrade("Sec-WebSocket-Protocol: graphql-ws"),
        "ours among others": upgrade("Sec-WebSocket-Protocol: x, parley.v1"),
        "an unknown extension": upgrade("Sec-WebSocket-Extensions: x-nope; a=1"),
        "compression": upgrade("Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"),
        "compression among others": upgrade("Sec-WebSocket-Extensions: x-nope, permessage-deflate; server_no_context_takeover, x-nope"),
        "a malformed offer": upgrade("Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99"),
    }
    with Checks() as check:
        for name, data in rows.items():
            with check.row(name):
                async with Wire.open(gateway) as wire:
                    wire.write(data)
                    status, head = await wire.head()
                    equal(status, 101)
                    equal("\r\nsec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=\r\n" in head.lower(), True, f"the accept key: {head}")
                    echoed = re.search(r"(?i)\r\nsec-websocket-protocol: (\S+)\r\n", head)
                    equal(echoed and echoed[1], "parley.v1" if "parley.v1" in data else None, "the sub-protocol")
                    equal("sec-websocket-extensions" in head.lower(), name.startswith("compression"), "compression alone is taken")
                    first, hello = await wire.frame()
                    if first & 0x40:
                        hello = zlib.decompressobj(-15).decompress(hello + b"\x00\x00\xff\xff")
                    equal(hello.startswith(HELLO), True, "hello")


@case("/livez, /readyz, /health, /metrics, the page, 404, HEAD")
async def pages(gateway):
    with Checks() as check:
        for path in ("/livez", "/readyz", "/health"):
            check.equal(gateway.get(path)[0], 200, path)
        status, headers, body = gateway.get("/")
        check.equal((status, headers.get_content_type(), b"<html" in body), (200, "text/html", True), "/")
        check.true("default-src" in headers.get("Content-Security-Policy", ""), "/ has a Content-Security-Policy")
        for path in ("/nope", "/livez/", "/LIVEZ", "//livez", "/../etc/passwd", "/%2e%2e/x", "/v1/", "/file"):
            check.equal(gateway.get(path)[0], 404, path)
        for path in ("/livez", "/readyz", "/metrics", "/", "/nope"):
            status, headers, body = gateway.get(path, method="HEAD")
            check.equal((status, body), (gateway.get(path)[0], b""), f"HEAD {path}")
            check.true(int(headers.get("Content-Length", 0)) > 0 or path not in ("/", "/metrics"), f"HEAD {path} has the length of GET")
        check.equal(gateway.get("/livez?x=1")[0], 200, "a query")
        status, headers, body = gateway.get("/metrics")
        check.equal((status, headers.get_content_type()), (200, "text/plain"), "/metrics")
        lines = body.decode().splitlines()
        pattern = re.compile(r'[a-zA-Z_:][a-zA-Z0-9_:]*(\{([a-z_]+="[^"]*",?)*\})? -?[0-9.e+-]+(Inf|NaN)?')
        bad = [line for line in lines if line and not line.startswith("#") and not pattern.fullmatch(line)]
        check.equal(bad, [], "/metrics is Prometheus text")
        check.true(len(lines) > 20, "/metrics has metrics")
        for name in ("X-Forwarded-For", "Forwarded", "Via", "X-Forwarded-Proto"):
            check.equal(gateway.get("/metrics", **{name: "127.0.0.1"})[0], 404, f"/metrics with {name}")


@case("metrics on an address of their own, and for those who are allowed")
async def metrics():
    port = free_port()
    hosts = [("localhost", 200), (f"127.0.0.1:{port}", 200), ("evil.example", 400), (f"evil.example:{port}", 400)]
    with Gateway(METRICS_LISTEN=f"127.0.0.1:{port}") as gateway, Checks() as check:
        for host, status in hosts:
            check.equal(get_from(port, "/metrics", Host=host)[0], status, f"metrics.listen on loopback as {host}")
            check.equal(get_from(port, "/livez", Host=host)[0], 200, f"health there as {host}")
            check.equal(gateway.get("/metrics", Host=host)[0], status if status == 200 else 404, f"/metrics as {host}")
    with Gateway(METRICS_LISTEN=f"0.0.0.0:{port}"):
        equal(get_from(port, "/metrics", Host="parley")[0], 200, "metrics.listen on all addresses is asked by any name")
    with Gateway(METRICS_LISTEN=f"127.0.0.1:{port}", METRICS_ALLOW="127.0.0.1") as gateway:
        equal(get_from(port, "/metrics", Host="parley")[0], 200, "who is in metrics.allow asks by any name")
        equal(gateway.get("/metrics", Host="parley")[0], 200, "the same beside the chat")
        equal(get_from(port, "/metrics")[0], 200, "metrics.listen")
        for path, status in [("/livez", 200), ("/readyz", 200), ("/health", 200), ("/", 404), ("/ws", 404)]:
            equal(get_from(port, path)[0], status, f"{path} there")
        equal(gateway.get("/metrics")[0], 200, "metrics.allow")
        equal(gateway.get("/metrics", **{"X-Forwarded-For": "1.2.3.4"})[0], 404, "metrics.allow names a proxy that is not listed")


@case("keep-alive, pipelined requests, Connection: close, HTTP/1.0")
async def keep_alive(gateway):
    async with Wire.open(gateway) as wire:
        for _ in range(3):
            wire.write(get("/livez"))
            equal((await wire.answer())[0], 200, "keep-alive")
        wire.write(get("/livez") + get("/readyz") + get("/") + get("/livez", "Connection: close"))
        equal([(await wire.answer())[0] for _ in range(4)], [200, 200, 200, 200], "pipelined")
        equal(await wire.end(), b"", "Connection: close")
    async with Wire.open(gateway) as wire:
        wire.write(get("/livez", version="HTTP/1.0"))
        equal((await wire.answer())[0], 200, "HTTP/1.0")
        equal(await wire.end(), b"", "HTTP/1.0 closes")
    async with Wire.open(gateway) as wire:
        for byte in get("/livez"):
            wire.write(byte)
            await wire.writer.drain()
        equal((await wire.answer())[0], 200, "byte by byte")
    async with Wire.open(gateway) as wire:
        wire.write(get("/livez") + upgrade())
        equal((await wire.answer())[0], 200, "a request before the upgrade")
        equal((await wire.head())[0], 101, "the upgrade after a request")
    async with Wire.open(gateway) as wire:
        wire.write("\r\n\r\n" + get("/livez"))
        equal((await wire.answer())[0], 200, "empty lines before a request (RFC 9112 §2.2)")


@case("a slow head: 408; a silent socket is closed")
async def slow_head(gateway):
    async with Wire.open(gateway) as upgraded, Wire.open(gateway) as wire, Wire.open(gateway) as silent, Wire.open(gateway) as dripping:
        upgraded.write(upgrade())
        await upgraded.head()
        await upgraded.frame()
        start = time.monotonic()
        wire.write("GET /livez HTTP/1.1\r\nHost: ")

        async def drip():
            with contextlib.suppress(OSError):
                for letter in "GET /livez HTTP/1.1\r\n" + "X: y\r\n" * 1000:
                    dripping.write(letter)
                    await asyncio.sleep(0.05)

        dripper = asyncio.create_task(drip())
        equal((await wire.answer())[0], 408, "half a head")
        equal(await wire.end(), b"", "closed")
        equal(1.2 < time.monotonic() - start < 4, True, "after handshakeMs")
        equal((await silent.end())[:12] in (b"", b"HTTP/1.1 408"), True, "a socket that says nothing")
        equal((await dripping.answer())[0], 408, "drop by drop")
        equal(time.monotonic() - start < 4, True, "drops do not prolong the time")
        dripper.cancel()
        upgraded.write(masked(0x81, b'{"jsonrpc":"2.0","id":1,"method":"ping"}'))
        equal(b'"id":1' in (await upgraded.frame())[1], True, "an open WebSocket is not cut when the time for the handshake is over")


@case("frames in the packet of the handshake")
async def early_frames(gateway):
    async with Wire.open(gateway) as wire:
        opening = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "session.open", "params": {"token": token("early")}}).encode()
        wire.write(
            upgrade().encode() + masked(0x81, opening) + masked(0x89, b"ping") + masked(0x81, b'{"jsonrpc":"2.0","id":2,"method":"ping"}')
        )
        equal((await wire.head())[0], 101, "101")
        frames = [await wire.frame() for _ in range(4)]
        equal(frames[0][1].startswith(HELLO), True, "hello comes first")
        equal((0x8A, b"ping") in frames, True, "a pong")
        equal(sorted(json.loads(payload)["id"] for first, payload in frames[1:] if first == 0x81), [1, 2], "the replies")
    # A bad token in a header answers 401 whatever follows.
    async with Wire.open(gateway) as wire:
        wire.write(upgrade("Authorization: Bearer x").encode() + masked(0x81, opening))
        equal((await wire.answer())[0], 401, "401")


@case("half closed and vanishing peers")
async def half_closed():
    with Gateway() as gateway:
        await leave_in_every_way(gateway)
        # The counts are as of a moment ago: of all that came only the one that asks may be left.
        opened = lambda: gateway.metric("parley_connections_opened_total")
        left = lambda: gateway.metric("parley_connections")
        await gateway.until(lambda: opened() >= 63 and left() <= 1, 10, "all connections are gone")


async def leave_in_every_way(gateway):
    """Opens 63 connections that end as no client should end them."""
    async with Wire.open(gateway) as wire:
        wire.write(get("/livez"))
        wire.writer.write_eof()
        equal((await wire.answer())[0], 200, "an answer after the request's end of stream")
        equal(await wire.end(), b"", "closed")
    async with Wire.open(gateway) as wire:
        wire.write("GET /livez HT")
        wire.writer.write_eof()
        rest = await wire.end()
        equal(rest[:12] in (b"", b"HTTP/1.1 400"), True, f"half a head and the end: {rest[:40]}")
    async with Wire.open(gateway) as wire:
        wire.write(upgrade())
        await wire.head()
        await wire.frame()
        wire.write(masked(0x81, b'{"jsonrpc":"2.0","id":1,"method":"ping"}'))
        wire.writer.write_eof()
        await wire.end()
    for data in (b"", b"GET", upgrade().encode()):
        for _ in range(20):
            plain = socket.create_connection(("127.0.0.1", gateway.port))
            plain.sendall(data)
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            plain.close()
