"""Who a client is behind proxies, whose word about that counts, and how many connections there may be."""

import asyncio
import contextlib
import json
import resource
import socket
import ssl
import time
from pathlib import Path

from checks import Checks, Skipped, case, equal, within
from client import PATIENCE
from gateway import Gateway
from secure import SecureGateway, client_context
from tokens import token
from wire import Wire, get, masked, upgrade

# Only 127.0.0.1 is a proxy: the other addresses of this machine are strangers.
PROXY, STRANGER = "127.0.0.1", "127.0.0.2"
READER, OTHER = "192.0.2.77", "192.0.2.78"
SETTINGS = dict(
    SERVER_PROXIES="127.0.0.1",
    METRICS_ALLOW=f"{READER},2001:db8:77::1",
    SERVER_ORIGINS="https://allowed.example,https://xn--bcher-kva.example",
    SERVER_LIMITS_HANDSHAKE_MS=1500,
)
SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"


@contextlib.asynccontextmanager
async def reached(gateway, source=PROXY, path=None):
    """A socket to the gateway from an address of this machine, or to a unix socket of it."""
    if path is not None:
        streams = await asyncio.open_unix_connection(path)
    else:
        streams = await asyncio.open_connection("127.0.0.1", gateway.port, local_addr=(source, 0))
    try:
        yield Wire(*streams)
    finally:
        streams[1].transport.abort()
        with contextlib.suppress(OSError):
            await within(streams[1].wait_closed(), PATIENCE)


async def status_of(gateway, data, source=PROXY, path=None):
    async with reached(gateway, source, path) as wire:
        wire.write(data)
        return (await wire.answer())[0]


def line(client, protocol="TCP4"):
    """A PROXY line of version 1."""
    target = "198.51.100.9" if protocol == "TCP4" else "::1"
    return f"PROXY {protocol} {client} {target} 56324 443\r\n".encode()


def binary(client, tlvs=b"", command=0x21, family=None, announced=None):
    """A PROXY header of version 2."""
    is_ipv6 = ":" in client
    kind = socket.AF_INET6 if is_ipv6 else socket.AF_INET
    target = "::1" if is_ipv6 else "198.51.100.9"
    payload = socket.inet_pton(kind, client) + socket.inet_pton(kind, target) + bytes([0xDC, 4, 1, 0xBB]) + tlvs
    family = family if family is not None else 0x21 if is_ipv6 else 0x11
    length = len(payload) if announced is None else announced
    return SIGNATURE + bytes([command, family]) + length.to_bytes(2, "big") + payload


METRICS = get("/metrics").encode()


@case("a PROXY header of a listed proxy names the client")
async def proxy_headers(gateway):
    padding = b"\x04\x00\x02xx\xea\x00\x01z"
    rows = {
        "version 1": (line(READER), 200),
        "version 1, another client": (line(OTHER), 404),
        "version 1, IPv6": (line("2001:db8:77::1", "TCP6"), 200),
        "version 1, a mapped address": (line(f"::ffff:{READER}", "TCP6"), 200),
        "version 1, UNKNOWN": (b"PROXY UNKNOWN\r\n", 404),
        "version 1, 107 bytes": (b"PROXY UNKNOWN " + b"x" * 91 + b"\r\n", 404),
        "version 2": (binary(READER), 200),
        "version 2, another client": (binary(OTHER), 404),
        "version 2, IPv6": (binary("2001:db8:77::1"), 200),
        "version 2, a mapped address": (binary(f"::ffff:{READER}"), 200),
        "version 2, extensions": (binary(READER, padding), 200),
        "version 2, LOCAL": (binary(READER, command=0x20), 404),
        "version 2, of this machine": (binary("127.0.0.1"), 404),
        "version 2, long": (binary(READER, b"\xea\x0f\xf1" + bytes(4081)), 200),
        "none": (b"", 404),
    }
    with Checks() as check:
        for name, (header, status) in rows.items():
            with check.row(name):
                equal(await status_of(gateway, header + METRICS), status, "in one packet")
                async with reached(gateway) as wire:
                    for byte in header[:200] if len(header) > 200 else header:
                        wire.write(bytes([byte]))
                        await wire.writer.drain()
                    wire.write(header[200:] + METRICS)
                    equal((await wire.answer())[0], status, "byte by byte")
        with check.row("an upgrade behind it, and a frame"):
            async with reached(gateway) as wire:
                wire.write(binary(OTHER) + upgrade().encode() + masked(0x81, b'{"jsonrpc":"2.0","id":1,"method":"ping"}'))
                equal((await wire.head())[0], 101, "the answer")
                equal(json.loads((await wire.frame())[1])["method"], "hello")
                equal(json.loads((await wire.frame())[1])["id"], 1)


@case("a PROXY header that is malformed, and one of anybody else: 400 and the end")
async def bad_proxy_headers(gateway):
    rows = {
        "a line of 108 bytes": b"PROXY UNKNOWN " + b"x" * 92 + b"\r\n",
        "a line without end": b"PROXY UNKNOWN " + b"x" * 1000,
        "an unknown protocol": b"PROXY TCP7 1.2.3.4 1.2.3.4 1 2\r\n",
        "IPv6 in TCP4": b"PROXY TCP4 ::1 ::1 1 2\r\n",
        "no ports": b"PROXY TCP4 1.2.3.4 1.2.3.4\r\n",
        "a port too large": b"PROXY TCP4 1.2.3.4 1.2.3.4 65536 2\r\n",
        "two spaces": b"PROXY TCP4  1.2.3.4 1.2.3.4 1 2\r\n",
        "a bare LF": b"PROXY UNKNOWN\n",
        "NUL": b"PROXY UNKNOWN\0\r\n",
        "version 3": binary(READER, command=0x31),
        "an unknown command": binary(READER, command=0x22),
        "an unknown family": binary(READER, family=0x41),
        "a length too short": binary(READER, announced=11),
        "an absurd length": binary(READER, announced=65535),
        "garbage behind the addresses": binary(READER, b"\xff"),
        "an extension beyond the end": binary(READER, b"\xea\xff\xff"),
        "a wrong checksum": binary(READER, b"\x03\x00\x04\x01\x02\x03\x04"),
        "two headers": line(READER) + line(READER),
    }
    strange = {"version 1": line(READER), "version 2": binary(READER), "LOCAL": binary(READER, command=0x20)}
    with Checks() as check:
        for source, table in ((PROXY, rows), (STRANGER, {**rows, **strange})):
            for name, header in table.items():
                with check.row(f"{name} from {source}"):
                    async with reached(gateway, source) as wire:
                        wire.write(header + METRICS)
                        equal((await wire.answer())[0], 400)
                        equal(await wire.end(), b"", "the connection is closed")
        with check.row("half a header, and then nothing"):
            async with reached(gateway) as wire:
                wire.write(binary(READER)[:20])
                equal(await wire.end(), b"", "closed without a word")
    equal((await asyncio.to_thread(gateway.get, "/livez"))[0], 200, "the gateway lives")


@case("forwarding fields of a listed proxy name the client, those of anybody else nothing")
async def forwarding_fields(gateway):
    rows = {
        "X-Forwarded-For": ([f"X-Forwarded-For: {READER}"], 200),
        "another client": ([f"X-Forwarded-For: {OTHER}"], 404),
        "what the client wrote on the left": ([f"X-Forwarded-For: {READER}, {OTHER}"], 404),
        "the first from the right that is no proxy": ([f"X-Forwarded-For: {OTHER}, {READER}, 127.0.0.1, 127.0.0.1"], 200),
        "over two fields": ([f"X-Forwarded-For: {OTHER}", f"X-Forwarded-For: {READER}"], 200),
        "with a port": ([f"X-Forwarded-For: {READER}:8080"], 200),
        "IPv6": (["X-Forwarded-For: 2001:db8:77::1"], 200),
        "IPv6 in brackets": (["X-Forwarded-For: [2001:DB8:77::1]:8080"], 200),
        "unknown": ([f"X-Forwarded-For: {READER}, unknown"], 404),
        "nonsense": ([f"X-Forwarded-For: {READER}, nonsense"], 404),
        "nothing": (["X-Forwarded-For:"], 404),
        "this machine": (["X-Forwarded-For: 127.0.0.9"], 404),
        "Forwarded": ([f"Forwarded: for={READER}"], 200),
        "Forwarded with all": ([f'Forwarded: by=_b;FOR="{READER}:8080";proto=https;host=x'], 200),
        "Forwarded, IPv6": (['Forwarded: for="[2001:db8:77::1]:8080"'], 200),
        "Forwarded, a list": ([f"Forwarded: for={OTHER}, for={READER};proto=http, for=127.0.0.1"], 200),
        "Forwarded, a quote on the left": ([f'Forwarded: for="x, for={READER}'], 200),
        "Forwarded, hidden": ([f"Forwarded: for={READER}, for=_hidden"], 404),
        "Forwarded, unknown": ([f"Forwarded: for={READER}, for=unknown"], 404),
        "Forwarded, IPv6 without quotes": (["Forwarded: for=[2001:db8:77::1]"], 404),
        "both, which agree": ([f"X-Forwarded-For: {READER}", f"Forwarded: for={READER}"], 200),
        "both, which disagree": ([f"X-Forwarded-For: {READER}", f"Forwarded: for={OTHER}"], 404),
        "X-Real-IP": ([f"X-Real-IP: {READER}"], 404),
        "Via": (["Via: 1.1 x"], 404),
    }
    with Checks() as check:
        for name, (fields, status) in rows.items():
            request = get("/metrics", *fields)
            check.equal(await status_of(gateway, request), status, name)
            check.equal(await status_of(gateway, request, STRANGER), 404, f"{name}, from a stranger")
        check.equal(await status_of(gateway, METRICS), 404, "a listed proxy that tells nothing is still a proxy")
        with Gateway(SERVER_PROXIES=PROXY, METRICS_ALLOW=f"{PROXY},{STRANGER}") as allowing:
            check.equal(await status_of(allowing, METRICS), 404, "it names nobody, though metrics.allow names it")
            for fields in (["X-Forwarded-For: unknown"], [f"X-Forwarded-For: unknown, {PROXY}"], ["Via: 1.1 x"]):
                check.equal(await status_of(allowing, get("/metrics", *fields)), 404, f"the same with {fields}")
            check.equal(await status_of(allowing, get("/metrics", f"X-Forwarded-For: {READER}"), STRANGER), 404, "a proxy that is not listed")
            check.equal(await status_of(allowing, get("/metrics", f"X-Forwarded-For: {STRANGER}")), 200, "a client that a listed one names")
        check.equal(await status_of(gateway, METRICS, STRANGER), 200, "this machine itself")
        conflict = upgrade("X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.2")
        check.equal(await status_of(gateway, conflict), 400, "an upgrade of which two fields disagree")
        check.equal(await status_of(gateway, conflict, STRANGER), 101, "the same of a stranger is nobody's word")
        with check.row("each request of a kept connection has its own client"):
            async with reached(gateway) as wire:
                for client, status in ((READER, 200), (READER, 200), (OTHER, 404)):
                    wire.write(get("/metrics", f"X-Forwarded-For: {client}"))
                    equal((await wire.answer())[0], status, client)


@case("a spoofed address changes no limit: not of connections, not of guests")
async def spoofed():
    limits = dict(SERVER_LIMITS_CONNECTIONS_PER_ADDRESS=2, AUTH_GUESTS="true")
    with Gateway(SERVER_PROXIES=PROXY, **limits) as gateway:
        async with contextlib.AsyncExitStack() as stack:
            for number, expected in enumerate((101, 101, 429, 429)):
                wire = await stack.enter_async_context(reached(gateway, STRANGER))
                wire.write(upgrade(f"X-Forwarded-For: 192.0.2.{number}", f"Forwarded: for=192.0.2.{number}"))
                status, head = await wire.head()
                equal(status, expected, f"connection {number} of a stranger")
                equal("\r\nretry-after: " in head.lower(), expected == 429, head)
            equal(await status_of(gateway, upgrade(f"X-Forwarded-For: {STRANGER}")), 429, "behind a proxy too")
            equal(await status_of(gateway, get("/livez"), STRANGER), 200, "health is not limited")
            equal(await status_of(gateway, get("/"), STRANGER), 200, "nor is the page")
            equal(await status_of(gateway, upgrade("X-Forwarded-For: 192.0.2.1")), 101, "others are not disturbed")
        refused = lambda: gateway.metric('parley_connections_refused_total{reason="address_limit"}')
        await gateway.until(lambda: refused() == 3, 10, "they are counted")
        for number in range(20):
            equal("result" in await guest(gateway, f"X-Forwarded-For: 192.0.2.{number}"), True, f"guest {number}")
        equal((await guest(gateway, "X-Forwarded-For: 192.0.2.99"))["error"]["code"], 109, "one guest too many")


async def guest(gateway, *fields):
    """What a new guest of a stranger's address is answered."""
    async with reached(gateway, STRANGER) as wire:
        deadline = time.monotonic() + PATIENCE
        wire.write(upgrade(*fields))
        while (await wire.head())[0] != 101:
            # The place of the guest before is free as soon as its socket is.
            equal(time.monotonic() < deadline, True, "a place is free again")
            await wire.end()
            wire.writer.close()
            wire.reader, wire.writer = await asyncio.open_connection("127.0.0.1", gateway.port, local_addr=(STRANGER, 0))
            wire.write(upgrade(*fields))
        await wire.frame()
        wire.write(masked(0x81, b'{"jsonrpc":"2.0","id":1,"method":"session.open","params":{"guest":{}}}'))
        return json.loads((await wire.frame())[1])


@case("clients are counted by address, IPv6 by its first 64 bits, on all loops, and each end makes room")
async def per_address():
    with Gateway(SERVER_LIMITS_CONNECTIONS_PER_ADDRESS=2, SERVER_PROXIES=PROXY, SERVER_LOOPS=3) as gateway:
        same = {
            "a /64": [line(f"2001:db8:1:1::{number:x}", "TCP6") for number in range(1, 5)],
            "a /64, by version 2": [binary(f"2001:db8:1:2:{number:x}::1") for number in range(1, 5)],
            "::1": [line("::1", "TCP6")] * 4,
            "an address and the same, mapped": [line(OTHER), binary(OTHER), line(f"::ffff:{OTHER}", "TCP6"), binary(f"::ffff:{OTHER}")],
            "an address, however told": [line("192.0.2.7"), b"X-Forwarded-For: 192.0.2.7", b'Forwarded: for="192.0.2.7:1"', binary("192.0.2.7")],
        }
        different = [line(f"2001:db8:1:{number:x}::1", "TCP6") for number in range(0x10, 0x16)]
        with Checks() as check:
            for name, clients in same.items():
                with check.row(name):
                    equal(await upgrades(gateway, clients), [101, 101, 429, 429])
                    # All of them are gone now, each in its own way: two fit again.
                    await fits_again(gateway, clients[0])
                    equal(await upgrades(gateway, clients), [101, 101, 429, 429], "again")
            check.equal(await upgrades(gateway, different), [101] * 6, "different /64")


@case("without any proxy ::1 is counted like every other address")
async def ipv6_socket():
    with Gateway.unstarted(SERVER_LIMITS_CONNECTIONS_PER_ADDRESS=2) as gateway:
        gateway.listen.append(f"[::1]:{gateway.port}")
        try:
            socket.create_server(("::1", gateway.port), family=socket.AF_INET6).close()
        except OSError as error:
            raise Skipped(f"there is no IPv6 here: {error}") from None
        await asyncio.to_thread(gateway.start)
        wires = [Wire(*await asyncio.open_connection(host, gateway.port)) for host in ("::1", "::1", "::1", "127.0.0.1")]
        statuses = []
        for wire in wires:
            wire.write(upgrade())
            statuses.append((await wire.head())[0])
        for wire in wires:
            wire.writer.transport.abort()
        equal(statuses, [101, 101, 429, 101])


async def upgrades(gateway, clients):
    """The statuses of upgrades that are open at the same time."""
    async with contextlib.AsyncExitStack() as stack:
        statuses = []
        for client in clients:
            wire = await stack.enter_async_context(reached(gateway))
            is_field = not client.startswith((b"PROXY", b"\r\n"))
            wire.write(upgrade(client.decode()) if is_field else client + upgrade().encode())
            statuses.append((await wire.head())[0])
        return statuses


async def fits_again(gateway, client):
    """Waits until two connections of a client fit."""
    deadline = time.monotonic() + PATIENCE
    while await upgrades(gateway, [client, client]) != [101, 101]:
        equal(time.monotonic() < deadline, True, "the places are free again")
    # And until these two are gone.
    while await upgrades(gateway, [client]) != [101]:
        equal(time.monotonic() < deadline, True, "the places are free again")
    await asyncio.to_thread(gateway.wait_until, lambda: gateway.metric("parley_connections") <= 1, 10, "all are gone")


@case("beyond server.limits.connections only health is answered, and silent sockets do not stand in its way")
async def connections_in_all():
    with Gateway(SERVER_LIMITS_CONNECTIONS=6, SERVER_LOOPS=1, SERVER_LIMITS_HANDSHAKE_MS=60000) as gateway:
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(6):
                await stack.enter_async_context(reached(gateway))
            await fills_up(gateway)
            # Far more than there is room for beyond the limit: each new socket takes the place of the oldest silent one.
            for _ in range(100):
                await stack.enter_async_context(reached(gateway))
            with Checks() as check:
                for path, expected in (("/livez", 200), ("/readyz", 200), ("/health", 200), ("/", 503), ("/metrics", 503)):
                    start = time.monotonic()
                    async with reached(gateway) as wire:
                        wire.write(get(path))
                        status, head, _ = await wire.answer()
                        equal(await wire.end(), b"", "closed behind the answer")
                    check.equal((status, time.monotonic() - start < 1), (expected, True), path)
                    check.equal("\r\nretry-after: " in head.lower(), expected == 503, f"{path}: {head}")
                check.equal(await status_of(gateway, upgrade()), 503, "an upgrade")
        await gateway.until(lambda: gateway.status("/") == 200, 10, "there is room again")
        refused = lambda reason: gateway.metric(f'parley_connections_refused_total{{reason="{reason}"}}')
        await gateway.until(lambda: refused("connection_limit") >= 3 and refused("evicted") >= 50, 10, "counted by reason")


async def fills_up(gateway):
    """Waits until the next socket is beyond the limit."""
    deadline = time.monotonic() + PATIENCE
    while await status_of(gateway, get("/")) != 503:
        equal(time.monotonic() < deadline, True, "the limit is reached")


@case("when silent sockets take every descriptor, health is answered all the same, and accepting does not spin", seconds=60)
async def descriptors():
    few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))
    with Gateway(before_start=few, SERVER_LOOPS=2, SERVER_LIMITS_HANDSHAKE_MS=60000) as gateway:
        silent = []
        try:
            for _ in range(400):
                silent.append(socket.create_connection(("127.0.0.1", gateway.port)))
            deadline = time.monotonic() + PATIENCE
            while await status_of(gateway, get("/")) != 503:
                equal(time.monotonic() < deadline, True, "the descriptors are taken")
            before = processor_seconds(gateway)
            start = time.monotonic()
            slowest = 0
            while time.monotonic() - start < 3:
                begin = time.monotonic()
                equal(await status_of(gateway, get("/livez")), 200, "health")
                slowest = max(slowest, time.monotonic() - begin)
            equal(slowest < 1.5, True, f"the slowest answer took {slowest:.1f} s")
            # Resting at a full table costs nothing: what is left of the silent sockets waits in the kernel.
            for _ in range(300):
                silent.append(socket.create_connection(("127.0.0.1", gateway.port)))
            idle = processor_seconds(gateway)
            await asyncio.sleep(2)
            busy = processor_seconds(gateway) - idle
            equal(busy < 0.5, True, f"{busy:.2f} s of processor in 2 s ({idle - before:.2f} before)")
        finally:
            for one in silent:
                one.close()
        await gateway.until(lambda: gateway.status("/") == 200, 10, "there is room again")


def processor_seconds(gateway):
    fields = Path(f"/proc/{gateway.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


@case("origins are compared letter for letter")
async def origins(gateway):
    own = f"127.0.0.1:{gateway.port}"
    rows = {
        "none": ([], 101),
        "the listed one": (["https://allowed.example"], 101),
        "its own": ([f"http://{own}"], 101),
        "an IDN as browsers write it": (["https://xn--bcher-kva.example"], 101),
        "an IDN in letters": (["https://bücher.example"], 403),
        "a longer host": (["https://allowed.example.evil.com"], 403),
        "a path": (["https://evil.com/allowed.example"], 403),
        "a user": (["https://allowed.example@evil.com"], 403),
        "http for https": (["http://allowed.example"], 403),
        "its own as https": ([f"https://{own}"], 403),
        "another port": (["https://allowed.example:8443"], 403),
        "the default port": (["https://allowed.example:443"], 403),
        "its own with another port": ([f"http://127.0.0.1:{gateway.port + 1}"], 403),
        "its own without the port": (["http://127.0.0.1"], 403),
        "upper case": (["https://ALLOWED.example"], 403),
        "a scheme in upper case": (["HTTPS://allowed.example"], 403),
        "a trailing dot": (["https://allowed.example."], 403),
        "a trailing slash": (["https://allowed.example/"], 403),
        "a sub-domain": (["https://x.allowed.example"], 403),
        "letters before": (["https://notallowed.example"], 403),
        "null": (["null"], 403),
        "empty": ([""], 403),
        "two": (["https://allowed.example", "https://allowed.example"], 400),
        "two, one of them foreign": (["https://allowed.example", "https://evil.com"], 400),
        "a list": (["https://allowed.example, https://evil.com"], 403),
        "a list with spaces": (["https://allowed.example https://evil.com"], 403),
    }
    with Checks() as check:
        for name, (values, status) in rows.items():
            request = upgrade(*(f"Origin: {value}" for value in values), host=own)
            check.equal(await status_of(gateway, request, STRANGER), status, name)


@case("behind a listed proxy its own origin is the one that the browser sees")
async def own_origin(gateway):
    page, forwarded = "Origin: https://chat.example", "X-Forwarded-For: 192.0.2.1"
    tls, name = "X-Forwarded-Proto: https", "X-Forwarded-Host: chat.example"
    rows = {
        "the host is kept": (upgrade(page, forwarded, tls, host="chat.example"), 101, 400),
        "the host is told": (upgrade(page, forwarded, tls, name, host="inner:8080"), 101, 400),
        "the host is told, this machine": (upgrade(page, forwarded, tls, name), 101, 403),
        "Forwarded": (upgrade(page, "Forwarded: for=192.0.2.1;proto=https;host=chat.example"), 101, 403),
        "no scheme": (upgrade(page, forwarded, host="chat.example"), 403, 400),
        "another scheme": (upgrade(page, forwarded, "X-Forwarded-Proto: http", host="chat.example"), 403, 400),
        "another host": (upgrade(page, forwarded, tls, "X-Forwarded-Host: other.example"), 403, 403),
        "another page": (upgrade("Origin: https://evil.example", forwarded, tls, name), 403, 403),
        "no field at all: perhaps a browser on this machine": (upgrade("Origin: http://evil.example", host="evil.example"), 400, 400),
    }
    with Checks() as check:
        for row, (request, of_proxy, of_stranger) in rows.items():
            check.equal(await status_of(gateway, request), of_proxy, row)
            check.equal(await status_of(gateway, request, STRANGER), of_stranger, f"{row}, from a stranger")
        tlv = b"\x20\x00\x05\x01\0\0\0\0"
        request = upgrade(page, host="chat.example").encode()
        check.equal(await status_of(gateway, binary(OTHER, tlv) + request), 101, "a PROXY header that tells of TLS")
        check.equal(await status_of(gateway, binary(OTHER) + request), 403, "a PROXY header that does not")


@case("targets in strange forms lead nowhere else")
async def targets(gateway):
    own = f"127.0.0.1:{gateway.port}"
    rows = {
        "an absolute target": (upgrade(path=f"http://{own}/ws", host=own), 101),
        "an absolute target of another host": (upgrade(path="http://evil.example/ws", host=own), 400),
        "an absolute target as https": (upgrade(f"Origin: http://{own}", path=f"https://{own}/ws", host=own), 101),
        "two slashes": (upgrade(path="//ws"), 404),
        "a host in the path": (upgrade(path="//evil.example/ws"), 404),
        "dots": (upgrade(path="/x/../ws"), 404),
        "dots, escaped": (upgrade(path="/x/..%2fws"), 404),
        "an escaped letter": (upgrade(path="/%77s"), 404),
        "a slash behind": (upgrade(path="/ws/"), 404),
        "a query": (upgrade(path="/ws?x=1"), 101),
        "health with two slashes": (get("//livez"), 404),
        "metrics behind dots": (get("/livez/..%2fmetrics"), 404),
        "0xFF": (upgrade().encode().replace(b"/ws", b"/ws\xff"), 400),
        "0xFF, escaped": (upgrade(path="/ws%ff"), 404),
        "NUL, escaped": (upgrade(path="/ws%00"), 404),
        "half an escape": (upgrade(path="/ws%2"), 400),
    }
    with Checks() as check:
        for name, (request, status) in rows.items():
            check.equal(await status_of(gateway, request, STRANGER), status, name)


@case("a proxy at a unix socket is believed where unix is listed")
async def unix_socket():
    for proxies, expected in (("unix", 200), ("127.0.0.1", 404)):
        with Gateway.unstarted(METRICS_ALLOW=READER, SERVER_PROXIES=proxies) as gateway:
            path = str(gateway.temporary / "socket")
            gateway.listen.append(f"unix:{path}")
            await asyncio.to_thread(gateway.start)
            with Checks() as check:
                for name, data in (
                    ("a field", get("/metrics", f"X-Forwarded-For: {READER}")),
                    ("a PROXY header", binary(READER) + METRICS),
                ):
                    status = await status_of(gateway, data, path=path)
                    wrong = 400 if name == "a PROXY header" else 404
                    check.equal(status, expected if expected == 200 else wrong, f"{name}, with {proxies}")
                check.equal(await status_of(gateway, METRICS, path=path), 404, "nobody is on this machine by a unix socket")
                page = upgrade("Origin: https://chat.example", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https", host="chat.example")
                check.equal(await status_of(gateway, page, path=path), 101 if expected == 200 else 400, "its own origin")


@case("a PROXY header stands before TLS, in one packet with it or in pieces")
async def before_tls():
    with SecureGateway(SERVER_PROXIES=PROXY, METRICS_ALLOW=READER, SERVER_LIMITS_HANDSHAKE_MS=1500) as gateway:
        rows = {
            "version 1": (line(READER), 200),
            "version 1, another client": (line(OTHER), 404),
            "version 2": (binary(READER), 200),
            "version 2, another client": (binary(OTHER), 404),
            "version 2, a health check": (binary(READER, command=0x20), 404),
            "none": (b"", 404),
        }
        own = upgrade("Origin: https://chat.example", host="chat.example").encode()
        ask = lambda *arguments: asyncio.to_thread(secure_status, gateway, *arguments)
        with Checks() as check:
            for name, (header, status) in rows.items():
                for size in (None, 1, 20):
                    with check.row(f"{name}, in pieces of {size}"):
                        equal(await ask(header, METRICS, size), status)
            check.equal(await ask(binary(OTHER), own), 101, "its own origin is that of its own TLS")
            plain = b"\x20\x00\x05\x00\0\0\0\0"
            check.equal(await ask(binary(OTHER, plain), own), 101, "though the proxy has none")
            for name, data in (("malformed", b"PROXY nonsense\r\n"), ("two", binary(READER) + binary(READER))):
                with check.row(f"a header that is wrong: {name}"):
                    async with reached(gateway) as wire:
                        wire.write(data)
                        equal((await wire.end())[:12] in (b"HTTP/1.1 400", b""), True, "no other answer, and the end")
            for name, header in (("version 1", line(READER)), ("version 2", binary(READER))):
                with check.row(f"{name} of a stranger"):
                    try:
                        status = await ask(header, METRICS, None, STRANGER)
                    except (ssl.SSLError, OSError):
                        status = None
                    equal(status, None, "no TLS behind it")
            with check.row("a header, and then nothing"):
                async with reached(gateway) as wire:
                    wire.write(binary(READER))
                    equal(await wire.end(), b"", "closed in time")


def secure_status(gateway, header, request, size=None, source=PROXY):
    """The status of a request over TLS behind a header; what is sent is cut into pieces."""
    with socket.create_connection(("127.0.0.1", gateway.port), PATIENCE, (source, 0)) as plain:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = client_context().wrap_bio(incoming, outgoing, server_hostname="localhost")

        def do(step, before=b""):
            while True:
                try:
                    result, is_done = step(), True
                except ssl.SSLWantReadError:
                    result, is_done = None, False
                data, before = before + outgoing.read(), b""
                for start in range(0, len(data), size or max(1, len(data))):
                    plain.sendall(data[start : start + (size or len(data))])
                if is_done:
                    return result
                received = plain.recv(65536)
                if not received:
                    raise ConnectionError("closed")
                incoming.write(received)

        do(tls.do_handshake, header)
        do(lambda: tls.write(request))
        return int(do(lambda: tls.read(4096)).split()[1])


@case("the log tells the client and its proxy, and guests come through a proxy only where they are switched on")
async def told(gateway):
    await status_of(gateway, upgrade("Origin: https://evil.example", "X-Forwarded-For: 192.0.2.66"))
    entries = lambda: [entry for entry in map(parsed, gateway.log().splitlines()) if entry and entry.get("client") == "192.0.2.66"]
    await gateway.until(lambda: entries(), 10, "a line of the log")
    entry = entries()[0]
    equal((entry["status"], entry["peer"].split(":")[0]), (403, PROXY), str(entry))
    with Gateway(secret=None, AUTH_GUESTS="true", SERVER_PROXIES="127.0.0.1") as open_gateway:
        async with reached(open_gateway) as wire:
            wire.write(upgrade("X-Forwarded-For: 192.0.2.1"))
            await wire.head()
            equal(json.loads((await wire.frame())[1])["params"]["auth"], "guest")
    with Gateway() as closed_gateway:
        async with reached(closed_gateway) as wire:
            wire.write(upgrade("X-Forwarded-For: 192.0.2.1", f"Authorization: Bearer {token('ann')}"))
            equal((await wire.head())[0], 101, "a token is as good through a proxy")


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


@case("the metrics on an address of their own are there to the end of a drain, and closed then")
async def metrics_listener():
    with Gateway.unstarted(SERVER_DRAIN_MS=1500) as gateway:
        path = str(gateway.temporary / "metrics")
        gateway.settings["METRICS_LISTEN"] = f"unix:{path}"
        await asyncio.to_thread(gateway.start)
        async with reached(gateway) as client, reached(gateway, path=path) as kept:
            client.write(upgrade())
            equal((await client.head())[0], 101)
            kept.write(METRICS)
            equal((await kept.answer())[0], 200, "before")
            gateway.process.terminate()
            await gateway.until(lambda: gateway.status("/readyz") is None, 10, "it accepts no more")
            equal(await status_of(gateway, METRICS, path=path), 200, "a new connection during the drain")
            kept.write(METRICS)
            equal((await kept.answer())[0], 200, "and an old one")
            equal(await kept.end(), b"", "closed at the end")
        equal(await gateway.ended(), 0, "a clean end")
