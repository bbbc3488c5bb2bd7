"""Those of a soak who do not behave. Each does one wrong thing once; what the gateway owes for it is checked where that is sure."""

import asyncio
import json
import os
import ssl
import zlib

from certificates import careless_contexts
from checks import within
from peer import BINARY, CLOSE, COMPRESSED, PING, PONG, TEXT, bearer, deflated, frame, upgrade
from world import ROOMS

FIN = 0x80


async def ends(world, peer, codes, what, seconds=30):
    """Waits until the gateway has closed; the close code is one of `codes`, or the socket just ended."""
    try:
        code = await within(asyncio.shield(peer.ended), seconds)
    except TimeoutError:
        world.complain(f"{what}: still open after {seconds} s")
    else:
        if code not in (*codes, 1006):
            world.complain(f"{what}: closed with {code}, not {codes}")
    finally:
        peer.abort()


def rpc(method, number=1, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


async def killed_peer(world):
    """Dies somewhere in the middle of a frame, with a reset or without."""
    peer = await world.session()
    for room in world.chance.sample(ROOMS, 2):
        peer.start("conversation.createIfNotExists", conversation=room)
        peer.start("subscribe", topic=f"messages:{room}")
    whole = frame(rpc("conversation.history", 99, conversation=ROOMS[0], limit=100))
    peer.write(whole[: world.chance.randrange(len(whole))])
    await world.pause(0, 1)
    peer.abort(reset=world.chance.random() < 0.7)


async def slow_peer(world):
    """Asks for more than it reads, until it is cut off or is tired of it."""
    peer = await world.session(receive_bytes=4096)
    await world.call(peer, "conversation.createIfNotExists", conversation=ROOMS[0])
    peer.stop_reading()
    for room in ROOMS:
        peer.start("conversation.createIfNotExists", conversation=room)
        peer.start("subscribe", topic=f"messages:{room}")
        peer.start("loadMore", topic=f"messages:{room}", count=100)
    for _ in range(world.chance.randint(0, 40)):
        peer.start("conversation.history", conversation=world.chance.choice(ROOMS), limit=100)
    await world.pause(1, 10)
    if world.chance.random() < 0.3:
        peer.transport.resume_reading()
        await world.pause(0, 2)
    peer.abort(reset=world.chance.random() < 0.5)


async def slow_writer(world):
    """Sends a request byte by byte."""
    peer = await world.session()
    for byte in frame(rpc("ping")):
        peer.write(bytes([byte]))
        await asyncio.sleep(0.005)
    await world.pause(0, 0.5)
    await peer.close()


async def half_open(world):
    """Connects, says nothing or a part of something, and waits to be freed."""
    request = upgrade(bearer(world.user()))
    peer = await world.dial(world.chance.choice((b"", b"G", request[: world.chance.randrange(1, len(request) - 1)])))
    await ends(world, peer, (), "a request that never comes")


async def deaf_peer(world):
    """Never answers a ping."""
    peer = await world.session()
    act = peer.act
    peer.act = lambda first, payload: act(first, payload) if first & 15 != PING else None
    await ends(world, peer, (1001, 1011, 4000), "pings that are not answered", 60)


async def late_peer(world):
    """Sends frames and never opens a session."""
    peer = await world.stranger()
    for _ in range(world.chance.randint(0, 20)):
        peer.start("conversation.get", conversation=ROOMS[0])
    await ends(world, peer, (4000,), "no session", 30)


BAD_FRAMES = [
    (bytes([FIN | TEXT, 2]) + b"hi", (1002,)),
    (frame(b"x", FIN | COMPRESSED | PING), (1002,)),
    (frame(b"x", FIN | 0x20 | TEXT), (1002,)),
    (frame(b"x", FIN | 3), (1002,)),
    (frame(b"x", FIN | 0xB), (1002,)),
    (frame(b"x", FIN | 0), (1002,)),
    (frame(b"x", TEXT) + frame(b"x", FIN | TEXT), (1002,)),
    (frame(b"x", PING), (1002,)),
    (frame(b"x" * 126, FIN | PING), (1002,)),
    (frame(b"x", FIN | BINARY), (1003,)),
    (frame(b"\xff\xfe", FIN | TEXT), (1007,)),
    (frame("é".encode()[:1], TEXT) + frame(b"x", FIN), (1007,)),
    (frame(b"\x03", FIN | CLOSE), (1002,)),
    (frame((1005).to_bytes(2, "big"), FIN | CLOSE), (1002,)),
    (frame(b"\x03\xe8\xff", FIN | CLOSE), (1007, 1002)),
    (bytes([FIN | TEXT, FIN | 127]) + b"\xff" * 8 + bytes(4), (1002, 1009)),
    (bytes([FIN | TEXT, FIN | 127]) + (1 << 62).to_bytes(8, "big") + bytes(4), (1002, 1009)),
    (bytes([FIN | TEXT, FIN | 127]) + (5).to_bytes(8, "big") + bytes(4) + b"short", (1002,)),
    (bytes([FIN | TEXT, FIN | 126]) + (5).to_bytes(2, "big") + bytes(4) + b"short", (1002,)),
    (frame(b"[", TEXT) + frame(b"", 0) * 5000, (1009,)),
    (frame(b"[", TEXT) + frame(b"1", 0) * 5000, (1009,)),
    (frame(b"x" * 200_000), (1009,)),
]


async def bad_frames(world):
    """Breaks RFC 6455, in one write or in pieces."""
    data, codes = world.chance.choice(BAD_FRAMES)
    peer = await world.session()
    cut = world.chance.randrange(len(data) + 1)
    peer.write(data[:cut])
    if world.chance.random() < 0.5:
        await asyncio.sleep(0.01)
    peer.write(data[cut:])
    await ends(world, peer, codes, f"the bad frame {data[:24]!r}")


async def bad_streams(world):
    """Compressed messages that are none, or that grow beyond the limit."""
    chance = world.chance
    peer = await world.session(deflate=True)
    if "permessage-deflate" not in peer.extensions:
        return peer.abort()
    good = deflated(rpc("ping") + b" " * 2000)
    spoilt = bytearray(good)
    spoilt[chance.randrange(len(good))] ^= 1 << chance.randrange(8)
    payload, codes = chance.choice(
        (
            (os.urandom(chance.randint(1, 400)), None),
            (bytes(spoilt), None),
            (good[: chance.randrange(1, len(good))], None),
            (good + os.urandom(chance.randint(1, 40)), None),
            (b"", None),
            (deflated(b" " * (8 << 20)), (1009,)),
            (zlib.compress(b" " * 1000), None),
        )
    )
    cut = chance.randrange(len(payload) + 1)
    if chance.random() < 0.5:
        peer.write(frame(payload, FIN | COMPRESSED | TEXT))
    else:
        peer.write(frame(payload[:cut], COMPRESSED | TEXT) + frame(payload[cut:], FIN))
    if codes:
        return await ends(world, peer, codes, "a message that inflates beyond the limit")
    # Damage may go unseen; then the connection lives.
    await asyncio.wait((peer.ended,), timeout=2)
    peer.abort(reset=chance.random() < 0.5)


async def early_bomb(world):
    """A message that inflates beyond what a stranger may send."""
    peer = await world.stranger(deflate=True)
    if "permessage-deflate" not in peer.extensions:
        return peer.abort()
    peer.write(frame(deflated(b"[" + b" " * world.chance.choice((9_000, 1 << 20, 32 << 20))), FIN | COMPRESSED | TEXT))
    # On a busy machine the time for a session may be over first.
    await ends(world, peer, (1009, 4000), "a bomb before the session")


VALUES = [None, True, -1, 0, 2**53, 1.5, 1e308, "", "x" * 5000, [], {}, [[]], {"a": {}}, "\u0000", "😀", "../..", "' OR 1=1 --"]
METHODS = """ping session.open session.refresh session.list conversation.createIfNotExists conversation.set conversation.get conversation.send
    conversation.history conversation.markAsRead message.get message.edit message.delete participant.get participant.set user.get user.set
    subscribe unsubscribe loadMore nope rpc.x $/cancelRequest""".split()
FIELDS = "conversation message user topic text limit before after custom name token guest upTo fields with type clientMessageId nope".split()
GARBAGE = [
    b"", b"{", b"[]", b"[1]", b"[[]]", b"null", b"\xef\xbb\xbf{}", b"[" * 100_000, b'{"a":' * 20_000, b"1e999", b'"\\ud800"',
    b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', b'{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":null,"method":"ping"}', b'{"jsonrpc":"2.0","result":1,"id":5}', b'{"__proto__":{},"method":"ping"}',
    b"[" + b",".join([b'{"jsonrpc":"2.0","method":"ping"}'] * 40) + b"]",
]


async def bad_json(world):
    """Requests with anything in them; the connection goes on."""
    chance, peer = world.chance, await world.session()
    for _ in range(chance.randint(1, 30)):
        if chance.random() < 0.4:
            peer.send(chance.choice(GARBAGE), compress=chance.random() < 0.5)
        else:
            params = {field: chance.choice(VALUES) for field in chance.sample(FIELDS, chance.randint(0, 4))}
            requests = [
                {"jsonrpc": "2.0", "id": f"x{chance.randrange(10)}", "method": chance.choice(METHODS), "params": params}
                for _ in range(chance.choice((1, 1, 1, 5, 40)))
            ]
            peer.send(requests if len(requests) > 1 else requests[0], compress=chance.random() < 0.5)
    if not peer.ended.done():
        try:
            await world.call(peer, "ping")
        except ConnectionError:
            if peer.closed not in (1000, 4002, 4101):
                raise
    peer.abort()


async def subscribe_storm(world):
    """Subscribes and unsubscribes as fast as it can."""
    peer = await world.session()
    topics = [f"{kind}:{room}" for kind in ("messages", "conversation", "participants", "typing") for room in ROOMS]
    calls = []
    for _ in range(world.chance.randint(50, 300)):
        topic = world.chance.choice(topics + [f"messages:{world.chance.randrange(1000)}"])
        calls.append(peer.start(world.chance.choice(("subscribe", "subscribe", "unsubscribe", "loadMore")), topic=topic))
    if world.chance.random() < 0.5:
        await asyncio.wait(calls, timeout=30)
    peer.abort(reset=True)


async def pong_flood(world):
    """Pongs that nobody asked for, and pings whose answers it does not read."""
    peer = await world.session()
    if world.chance.random() < 0.5:
        peer.stop_reading()
    for _ in range(20):
        if not peer.transport.is_closing():
            peer.write((frame(b"p" * 125, FIN | PONG) + frame(b"p" * 125, FIN | PING)) * 200)
            await asyncio.sleep(0.01)
    peer.abort()


async def bad_heads(world):
    """Requests that are none; and some that are."""
    chance = world.chance
    request = upgrade(bearer(world.user()))
    spoilt = bytearray(request)
    for _ in range(chance.randint(1, 6)):
        spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
    data = chance.choice(
        (
            bytes(spoilt),
            os.urandom(chance.randint(1, 3000)),
            request.replace(b"\r\n\r\n", b"\r\n" + b"X: y\r\n" * 3000 + b"\r\n"),
            request.replace(b"\r\n\r\n", b"\r\nX: " + b"y" * 100_000 + b"\r\n\r\n"),
            b"GET /" + b"a" * chance.randint(1, 20_000) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3,
            b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"POST /ws HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
            request + frame(rpc("ping")) * 5,
        )
    )
    peer = await world.dial()
    for start in range(0, len(data), step := chance.choice((len(data), 1000, 37))):
        peer.write(data[start : start + step])
        await asyncio.sleep(0)
    await asyncio.wait((peer.ended,), timeout=1)
    peer.abort(reset=chance.random() < 0.5)


async def tls_garbage(world):
    """Anything but TLS, or TLS that is cut off, to a port that speaks it; TLS to a plain port."""
    chance = world.chance
    context = chance.choice(careless_contexts())
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    engine = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    try:
        engine.do_handshake()
    except ssl.SSLWantReadError:
        pass
    hello = outgoing.read()
    spoilt = bytearray(hello)
    spoilt[chance.randrange(len(hello))] ^= 1 << chance.randrange(8)
    data = chance.choice(
        (hello, bytes(spoilt), hello[: chance.randrange(len(hello))], os.urandom(500), upgrade(), b"\x16\x03\x01\x40\x00" + bytes(5000))
    )
    peer = await world.dial(data, tls=None)
    if chance.random() < 0.5:
        await asyncio.sleep(0.05)
        peer.write(os.urandom(chance.randint(1, 3000)))
    await asyncio.wait((peer.ended,), timeout=chance.uniform(0, 2))
    peer.abort(reset=chance.random() < 0.5)


PROXY = [
    b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", b"PROXY UNKNOWN\r\n", b"PROXY TCP4 1.2.3.4 5.6.7.8 1 99999\r\n", b"PROXY " + b"x" * 200,
    b"PROXY TCP6 ::1 ::1 1 2\r\n", b"\r\n\r\n\0\r\nQUIT\n" + bytes([0x21, 0x11, 0, 12]) + bytes(12),
    b"\r\n\r\n\0\r\nQUIT\n" + bytes([0x20, 0, 0, 0]), b"\r\n\r\n\0\r\nQUIT\n" + bytes([0x21, 0x11, 0xFF, 0xFF]) + bytes(600),
    b"\r\n\r\n\0\r\nQUIT\n" + bytes([0x31, 0xFF, 0, 3]) + bytes(3),
]


async def proxy_garbage(world):
    """The PROXY protocol where nobody wants it, and broken where somebody does."""
    data = world.chance.choice(PROXY)
    if world.chance.random() < 0.3:
        data = data[: world.chance.randrange(1, len(data))]
    peer = await world.dial(data + upgrade(bearer(world.user())), **world.chance.choice(({"before": b""}, {"before": b"", "tls": None})))
    await asyncio.wait((peer.ended,), timeout=1)
    peer.abort()


async def revoked(world):
    """A user whose sessions a backend ends."""
    user = f"revoked{world.chance.randrange(10**9)}"
    peers = [await world.session(user) for _ in range(world.chance.randint(1, 4))]
    app = await world.app()
    try:
        ended = (await world.call(app, "session.revoke", user=user))["revoked"]
        # One that a busy machine let die before, or that is dying, may be missing.
        if ended > len(peers) or ended < len(peers) and all(peer.closed in (None, 4003) for peer in peers):
            await asyncio.sleep(1)
            if all(peer.closed in (None, 4003) for peer in peers):
                world.complain(f"{ended} of {len(peers)} sessions were revoked")
        for peer in peers:
            await ends(world, peer, (4003,), "a revoked session", 20)
    finally:
        for peer in peers:
            peer.abort()
        app.abort()


ALL = [
    killed_peer, slow_peer, slow_writer, half_open, deaf_peer, late_peer, bad_frames, bad_streams, early_bomb, bad_json, subscribe_storm,
    pong_flood, bad_heads, tls_garbage, proxy_garbage, revoked,
]
