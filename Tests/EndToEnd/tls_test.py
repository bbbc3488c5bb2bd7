"""TLS: versions, ALPN, resumption, certificates that change, what is no TLS, slow peers and the drain over it."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import ssl
import subprocess
import time

import websockets

from checks import Checks, case, equal, within
from client import PATIENCE, Client, connected
from gateway import Gateway, environment, free_port, get_from, parley
from secure import SecureGateway, certificate, client_context
from tokens import token
from wire import get, masked, upgrade

V12, V13 = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3


def dial(port, context=None, session=None, receive_buffer=None):
    """A socket that speaks TLS."""
    raw = socket.socket()
    raw.settimeout(PATIENCE)
    if receive_buffer:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    raw.connect(("127.0.0.1", port))
    return (context or client_context()).wrap_socket(raw, server_hostname="localhost", session=session)


def asked(wire, request=get("/livez")):
    """The first line of an answer."""
    wire.sendall(request.encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        piece = wire.recv(65_536)
        if not piece:
            break
        answer += piece
    return answer.split(b"\r\n")[0].decode()


def rest_of(wire):
    """All that comes until the end of the stream, which may be a reset."""
    received = bytearray()
    with contextlib.suppress(ConnectionError, ssl.SSLError):
        while piece := wire.recv(65_536):
            received += piece
    return bytes(received)


async def chat(gateway, context, name):
    """A whole small chat over TLS."""
    async with await Client.connect(gateway.url, name, ssl=context) as client:
        await client.call("conversation.createIfNotExists", conversation=f"of-{name}")
        await client.call("subscribe", topic=f"messages:of-{name}")
        sent = await client.call("conversation.send", conversation=f"of-{name}", text="x" * 9_000)
        await client.wait_for(lambda: client.latest(f"messages:of-{name}")["snapshot"][:1] == [sent["message"]], "the snapshot")


@case("TLS 1.2 and 1.3 carry HTTP and the chat; older versions are refused")
async def versions():
    with SecureGateway() as gateway:
        for version in (V12, V13):
            context = client_context(version=version)
            with dial(gateway.port, context) as wire:
                equal(wire.version(), "TLSv1.2" if version is V12 else "TLSv1.3", "version")
                equal("GCM" in wire.cipher()[0] or "CHACHA20" in wire.cipher()[0], True, f"cipher {wire.cipher()}")
                equal(wire.compression(), None, "compression")
                equal([asked(wire), asked(wire)], ["HTTP/1.1 200 OK"] * 2, "two requests")
            await chat(gateway, context, f"v{version.value}")
        old = client_context(version=ssl.TLSVersion.TLSv1_1)
        old.set_ciphers("ALL:@SECLEVEL=0")
        try:
            dial(gateway.port, old)
            raise AssertionError("TLS 1.1 was taken")
        except ssl.SSLError as error:
            equal("VERSION" in str(error).upper() or "PROTOCOL" in str(error).upper(), True, str(error))
        weak = client_context(version=V12)
        weak.set_ciphers("AES128-SHA:@SECLEVEL=0")
        try:
            dial(gateway.port, weak)
            raise AssertionError("a cipher without forward secrecy was taken")
        except ssl.SSLError as error:
            equal("HANDSHAKE_FAILURE" in str(error), True, str(error))
        for outcome in ("no_common_version", "no_common_cipher"):
            counted = f'parley_tls_handshakes_total{{outcome="{outcome}"}}'
            await gateway.until(lambda: gateway.metric(counted) == 1, 5, f"{outcome} is counted")
        await gateway.until(lambda: gateway.metric('parley_tls_connections_total{version="1.2"}') >= 2, 5, "connections with 1.2")
        equal(gateway.metric("parley_tls_certificate_expires_seconds") > time.time() + 86_400, True, "the end of the certificate")


@case("ALPN: http/1.1 where it is offered, an alert where only others are")
async def protocols():
    with SecureGateway() as gateway:
        for offered, chosen in [((), None), (("http/1.1",), "http/1.1"), (("h2", "http/1.1"), "http/1.1")]:
            with dial(gateway.port, client_context(offered)) as wire:
                equal((wire.selected_alpn_protocol(), asked(wire)), (chosen, "HTTP/1.1 200 OK"), f"offered {offered}")
        for version in (V12, V13):
            try:
                dial(gateway.port, client_context(("h2",), version))
                raise AssertionError("h2 alone was taken")
            except ssl.SSLError as error:
                equal("no application protocol" in str(error).lower().replace("_", " "), True, str(error))


def resumes(gateway, context, wire):
    """Whether a new connection takes up the session of one that is there."""
    session = wire.session
    with dial(gateway.port, context, session) as again:
        equal(asked(again), "HTTP/1.1 200 OK", "an answer")
        return again.session_reused


@case("a client comes back without a full handshake, to any loop and after the certificate changed")
async def resumption():
    with SecureGateway(SERVER_LOOPS=3) as gateway:
        for version in (V12, V13):
            context = client_context(version=version)
            with dial(gateway.port, context) as wire:
                asked(wire)
                equal([resumes(gateway, context, wire) for _ in range(12)], [True] * 12, f"{version.name}: sessions are taken up")
                gateway.install(*certificate(10 + version.value))
                gateway.process.send_signal(signal.SIGHUP)
                await gateway.until(lambda: gateway.serial() == 10 + version.value, 5, "the new certificate")
                equal([resumes(gateway, context, wire) for _ in range(4)], [True] * 4, f"{version.name}: also after a reload")
        await gateway.until(lambda: gateway.metric('parley_tls_handshakes_total{outcome="resumed"}') == 32, 5, "they are counted")


@case("an origin of the own host is https", seconds=30)
async def origins():
    with SecureGateway() as gateway:
        for origin, status in [(f"https://{gateway.address}", 101), (f"http://{gateway.address}", 403), ("https://evil.example", 403)]:
            with dial(gateway.port) as wire:
                line = asked(wire, upgrade(f"Origin: {origin}", host=gateway.address))
                equal(line.split()[1], str(status), origin)
        equal(gateway.get("/")[0], 200, "the page")
        equal(f"https://{gateway.address}/" in gateway.log(), True, "the log names the address of the page")


def refused(gateway):
    """How many new certificates were refused."""
    return gateway.metric("parley_tls_reload_failures_total")


@case("a new certificate is shown after SIGHUP, and by itself when the files change; bad files keep the old", seconds=90)
async def reload():
    with SecureGateway() as gateway:
        equal(gateway.serial(), 1, "at first")
        async with await Client.connect(gateway.url, "old", ssl=client_context()) as old:
            gateway.install(*certificate(2))
            gateway.process.send_signal(signal.SIGHUP)
            await gateway.until(lambda: gateway.serial() == 2, 2, "SIGHUP: the new certificate")
            gateway.install(*certificate(3))
            await gateway.until(lambda: gateway.serial() == 3, 15, "by itself: the new certificate")
            equal(refused(gateway), 0, "no failures so far")

            good, good_key = certificate(4)
            _, other_key = certificate(5)
            bad = {"another's key": (good, other_key), "no certificate": (b"nonsense\n", good_key), "an empty key": (good, b"")}
            for number, (name, files) in enumerate(bad.items()):
                gateway.install(*files)
                if number % 2:
                    gateway.process.send_signal(signal.SIGHUP)
                await gateway.until(lambda: refused(gateway) == number + 1, 15, f"{name}: it is counted")
                equal(gateway.serial(), 3, f"{name}: the old certificate")
            text = gateway.log_path.read_text()
            equal((text.count('"reloaded"'), text.count('"reload refused"')), (1, 1), "SIGHUP with a bad one is refused, not reloaded")
            gateway.key_path.unlink()
            await gateway.until(lambda: refused(gateway) == len(bad) + 1, 15, "no key at all: it is counted")
            equal('"certificate refused"' in gateway.log_path.read_text(), True, "the log says so")
            equal(gateway.get("/livez")[0], 200, "it serves on")
            gateway.install(good, good_key)
            await gateway.until(lambda: gateway.serial() == 4, 15, "a good one again")
            await old.call("ping")
        text = gateway.log_path.read_text()
        equal(text.count('"certificate refused"'), len(bad) + 1, "each is told once")
        equal(str(gateway.key_path) in text, True, "the log names a file that is not there")


@case("a folder that is exchanged behind a link, as Kubernetes does with a secret", seconds=40)
async def exchanged():
    gateway = SecureGateway()
    folders = []
    for serial in (6, 7):
        folder = gateway.temporary / f"..{serial}"
        folder.mkdir()
        pem, key = certificate(serial)
        (folder / "tls.crt").write_bytes(pem)
        (folder / "tls.key").write_bytes(key)
        folders.append(folder)
    data = gateway.temporary / "..data"
    data.symlink_to(folders[0].name)
    for path in (gateway.certificate_path, gateway.key_path):
        path.unlink()
        path.symlink_to(f"..data/{path.name}")
    with gateway:
        equal(gateway.serial(), 6, "at first")
        new = gateway.temporary / "..data_tmp"
        new.symlink_to(folders[1].name)
        new.replace(data)
        await gateway.until(lambda: gateway.serial() == 7, 15, "the exchanged one")
        equal(refused(gateway), 0, "failures")


@case("a certificate that cannot be used is refused at the start, and by check-config")
async def bad_start():
    pem, key = certificate(1)
    _, other = certificate(2)
    with Checks() as check:
        for name, certificate_file, key_file, words in [
            ("another's key", pem, other, "server.tls.key is not the key"),
            ("no certificate", b"x", key, "server.tls.certificate holds no certificate"),
            ("no key", pem, b"x", "server.tls.key holds no private key"),
            ("no file", None, key, "cannot be read"),
        ]:
            gateway = SecureGateway()
            try:
                gateway.install(certificate_file or b"", key_file)
                if certificate_file is None:
                    gateway.certificate_path.unlink()
                check.true(words in gateway.refuses_to_start(), f"{name}: the start says {gateway.log()}")
                checked = parley("check-config", AUTH_SECRET="x" * 32, **{n: v for n, v in gateway.settings.items() if "TLS" in n})
                check.true(checked.returncode == 1 and words in checked.stderr, f"{name}: check-config says {checked.stderr}")
            finally:
                gateway.stop()
        half = parley("check-config", AUTH_SECRET="x" * 32, SERVER_TLS_KEY="k.pem")
        check.true("server.tls.certificate: is not set" in half.stderr, f"one without the other: {half.stderr}")


@case("plain HTTP on a TLS address, TLS on a plain one, and what is neither")
async def mistaken():
    with SecureGateway(METRICS_LISTEN=f"127.0.0.1:{(plain_port := free_port())}") as gateway:
        status, headers, body = get_from(gateway.port, "/livez")
        equal((status, b"https://" in body, headers["Connection"]), (400, True, "close"), "a plain request")
        for data in (b"\x00\x01\x02", b"\x80\x2e\x01\x03\x01", bytes.fromhex("160301000401ffffff"), b"\r\n\r\n\0\r\nQUIT\n"):
            with socket.create_connection(("127.0.0.1", gateway.port), PATIENCE) as wire:
                wire.sendall(data)
                equal(len(rest_of(wire)) <= 7, True, f"{data}: closed, with an alert at most")
        equal([get_from(plain_port, path)[0] for path in ("/metrics", "/livez", "/readyz")], [200] * 3, "metrics.listen stays plain")
        for outcome, count in [("plain_http", 1), ("not_tls", 3), ("malformed", 1)]:
            name = f'parley_tls_handshakes_total{{outcome="{outcome}"}}'
            await gateway.until(lambda: gateway.metric(name) == count, 5, f"{name} {count}")
    with Gateway() as plain:
        try:
            dial(plain.port)
            raise AssertionError("a plain address spoke TLS")
        except (ssl.SSLError, ConnectionError):
            pass
        await plain.until(lambda: plain.metric('parley_tls_handshakes_total{outcome="on_plain_address"}') == 1, 5, "it is counted")
        equal(plain.status("/livez"), 200, "it serves on")


@case("a handshake of a byte a second ends at its deadline, over TLS and HTTP together")
async def slow_handshakes():
    with SecureGateway(SERVER_LIMITS_HANDSHAKE_MS=3000) as gateway:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        with contextlib.suppress(ssl.SSLWantReadError):
            client_context().wrap_bio(incoming, outgoing).do_handshake()
        hello = outgoing.read()

        async def drip(data, start):
            """Seconds from the connection until it is over."""
            reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
            with contextlib.suppress(ConnectionError, TimeoutError):
                for byte in data:
                    writer.write(bytes([byte]))
                    with contextlib.suppress(TimeoutError):
                        if not await within(reader.read(1), 1):
                            break
            writer.transport.abort()
            return time.monotonic() - start

        async def half_request(start):
            reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port, ssl=client_context())
            for byte in b"GET /ws HTTP/1.1\r\n":
                writer.write(bytes([byte]))
                with contextlib.suppress(TimeoutError):
                    answer = await within(reader.read(100), 1)
                    equal(answer.startswith(b"HTTP/1.1 408 "), True, f"half a request: {answer}")
                    break
            writer.transport.abort()
            return time.monotonic() - start

        start = time.monotonic()
        took = await asyncio.gather(*(drip(data, start) for data in (hello, b"", hello[:3])), half_request(start))
        for seconds in (took[0], took[3]):
            equal(2.5 < seconds < 5, True, f"at the deadline, not after {took}")
        await gateway.until(lambda: gateway.metric('parley_tls_handshakes_total{outcome="timed_out"}') >= 1, 5, "it is counted")


@case("large messages both ways, and many at once")
async def large():
    with SecureGateway() as gateway:
        for version in (V12, V13):
            name = f"large{version.value}"
            async with await Client.connect(gateway.url, name, ssl=client_context(version=version)) as client:
                await client.call("conversation.createIfNotExists", conversation=name)
                text = "€" * 9_900
                for start in range(5):
                    calls = [await client.start("conversation.send", conversation=name, text=f"{n}{text}") for n in range(6)]
                    equal(["result" in await call for call in calls], [True] * 6, "sends")
                page = await client.call("conversation.history", conversation=name, limit=9)
                lengths = [len(item["plaintext"]) for item in page["messages"]]
                equal((set(lengths), len(lengths) >= 4), ({9_901}, True), "a page of 240 KB and more")
                noise = json.dumps({"jsonrpc": "2.0", "id": "n", "method": "ping", "params": {"x": "y" * 131_000}})
                equal(len(noise) < 131_072, True, "fits")
                client.replies["n"] = reply = asyncio.get_running_loop().create_future()
                await client.socket.send(noise)
                equal((await within(reply, PATIENCE))["error"]["code"], -32602, "a message of 128 KiB")


@case("who does not read over TLS is collapsed, then cut off, and nobody else notices", seconds=60)
async def slow_reader():
    with SecureGateway(SERVER_LOOPS=1, SERVER_HEARTBEAT_MS=5000, SERVER_GRACE_MS=2000) as gateway:
        async with connected(gateway, "ana", "ben", ssl=client_context()) as (ana, ben):
            for number in range(20):
                await ana.call("conversation.createIfNotExists", conversation=f"big{number}", type="public")
                calls = [await ana.start("conversation.send", conversation=f"big{number}", text="long " * 1900) for _ in range(10)]
                equal(["result" in await call for call in calls], [True] * 10, "sends")
            await ben.call("conversation.createIfNotExists", conversation="small")
            before = gateway.resident()
            stuck = dial(gateway.port, receive_buffer=4096)
            stuck.sendall(upgrade(f"Authorization: Bearer {token('stuck')}").encode())

            def call(number, method, **params):
                text = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
                stuck.sendall(masked(0x81, text))

            def watch(number):
                call(2 * number, "conversation.createIfNotExists", conversation=f"big{number}")
                call(2 * number + 1, "subscribe", topic=f"messages:big{number}")

            watch(0)
            # A window grows by each new message: soon one fills what the kernel takes, and the next ones replace each other.
            collapses = gateway.metric("parley_collapses_total")
            for _ in range(20):
                await ana.call("conversation.send", conversation="big0", text="long " * 1900)
                await asyncio.sleep(0.1)
                if gateway.metric("parley_collapses_total") > collapses:
                    break
            equal(gateway.metric("parley_collapses_total") > collapses, True, "what waits is replaced")
            equal(gateway.metric('parley_connections_closed_total{cause="slow_reader"}'), 0, "not cut off for that")
            for number in range(1, 20):
                watch(number)
            # What it asks for waits for room, and its socket takes nothing.
            await gateway.until(
                lambda: gateway.metric('parley_connections_closed_total{cause="slow_reader"}') == 1, 20, "the slow reader is cut off")
            equal((gateway.resident() - before) / 1e6 < 60, True, "memory is bounded")
            rest = await asyncio.to_thread(rest_of, stuck)
            equal(len(rest) < 8e6, True, "not much was queued")
            for client in (ana, ben):
                await client.call("ping")


@case("a client that ends by close_notify, by the end of its stream, or within a record is freed at once")
async def ends():
    with SecureGateway() as gateway:
        kept = gateway.metric("parley_connections")

        def opened():
            wire = dial(gateway.port)
            equal(asked(wire, upgrade()).split()[1], "101", "upgrade")
            return wire

        with opened() as polite:
            polite.unwrap().close()
        abrupt = opened()
        socket.socket(fileno=abrupt.detach()).close()
        half = opened()
        raw = socket.socket(fileno=half.detach())
        raw.sendall(bytes.fromhex("1703030100aabb"))
        raw.shutdown(socket.SHUT_WR)
        raw.settimeout(PATIENCE)
        rest_of(raw)
        raw.close()
        await gateway.until(lambda: gateway.metric("parley_connections") <= kept, 5, "all are freed")


@case("SIGTERM over TLS: each of 100 clients sees goAway, 1012 and the end of TLS", seconds=60)
async def drain():
    with SecureGateway(SERVER_DRAIN_MS=2000) as gateway:
        clients = [await Client.connect(gateway.url, f"u{number}", ssl=client_context()) for number in range(100)]
        gateway.process.send_signal(signal.SIGTERM)
        codes = await asyncio.gather(*(client.close_code(20) for client in clients))
        equal(codes, [1012] * 100, "close codes")
        equal([len(client.told("goAway")) for client in clients], [1] * 100, "goAway")
        equal(await gateway.ended(), 0, "exit code")


@case("`parley health` asks over TLS, as it is told or as it is configured")
async def health():
    with SecureGateway() as gateway:
        told = parley("health", "--url", f"https://{gateway.address}")
        equal((told.returncode, told.stdout.strip()), (0, "ready"), told.stderr)
        configured = parley("health", SERVER_LISTEN=f"0.0.0.0:{gateway.port}", **{n: v for n, v in gateway.settings.items() if "TLS" in n})
        equal((configured.returncode, configured.stdout.strip()), (0, "ready"), configured.stderr)
        plain = parley("health", "--url", f"http://{gateway.address}")
        equal((plain.returncode, "400" in plain.stderr), (1, True), plain.stderr)
    with Gateway() as gateway:
        mistaken = parley("health", "--url", f"https://{gateway.address}")
        equal((mistaken.returncode, "not ready" in mistaken.stderr), (1, True), mistaken.stderr)
    wrong = parley("health", "--url", "ftp://127.0.0.1:1")
    equal((wrong.returncode, "https://" in wrong.stderr), (1, True), wrong.stderr)


@case("`parley echo` over TLS; other flags than both are refused")
async def echo():
    gateway = SecureGateway()
    try:
        files = ["--tls-certificate", str(gateway.certificate_path), "--tls-key", str(gateway.key_path)]
        equal(parley("echo", *files[:2]).returncode, 2, "one of two flags")
        with subprocess.Popen(
            [os.environ["PARLEY_BINARY"], "echo", "--listen", gateway.address, *files], env=environment({}), stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                equal(f"wss://{gateway.address}/" in process.stderr.readline(), True, "it names its address")
                for version in (V12, V13):
                    options = {"ssl": client_context(version=version), "proxy": None, "max_size": None, "compression": None}
                    async with websockets.connect(f"wss://{gateway.address}/", **options) as peer:
                        for size in (0, 1, 16_384, 70_000, 5_000_000):
                            await peer.send(b"x" * size)
                            equal(len(await peer.recv()), size, "a message comes back")
                        pending = [b"%d" % number for number in range(2_000)]
                        await asyncio.gather(*(peer.send(message) for message in pending))
                        equal(sorted([await peer.recv() for _ in pending]), sorted(pending), "many come back")
            finally:
                process.terminate()
    finally:
        gateway.stop()


@case("a crowd of new clients leaves those who are connected their turns", seconds=60)
async def crowd():
    with SecureGateway(SERVER_LOOPS=1) as gateway:
        async with await Client.connect(gateway.url, "ana", ssl=client_context()) as ana:
            await ana.call("ping")
            incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            with contextlib.suppress(ssl.SSLWantReadError):
                client_context().wrap_bio(incoming, outgoing).do_handshake()
            hello = outgoing.read()
            sockets = [socket.create_connection(("127.0.0.1", gateway.port), PATIENCE) for _ in range(500)]
            for peer in sockets:
                peer.sendall(hello)
            slowest = 0
            for _ in range(50):
                start = time.monotonic()
                await ana.call("ping")
                slowest = max(slowest, time.monotonic() - start)
            equal(slowest < 0.5, True, f"a ping took {slowest:.2f} s")
            for peer in sockets:
                peer.close()
            await gateway.until(lambda: gateway.metric("parley_connections") <= 2, 10, "all are freed")
