"""A WebSocket client that costs little, so that thousands fit into one process, and that can misbehave. Nothing but Python."""

import asyncio
import json
import os
import socket
import struct
import zlib

from checks import within
from tokens import token

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
COMPRESSED = 0x40
OFFER = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
PATIENCE = 60


class Refused(Exception):
    """An error that the gateway answered, or a head that is no 101."""


def upgrade(*lines, path="/ws", host="localhost"):
    fields = ["Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {KEY}", "Sec-WebSocket-Version: 13"]
    return "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {host}", *fields, *lines, "", ""]).encode()


def bearer(user, **claims):
    """The header that opens a session with the upgrade."""
    return f"Authorization: Bearer {token(user, **claims)}"


def frame(payload, first=0x80 | TEXT):
    """A frame of a client; half of them would need no mask, but the mask costs the gateway what it costs in life."""
    length, mask = len(payload), os.urandom(4)
    if length < 126:
        head = bytes([first, 0x80 | length])
    elif length < 65536:
        head = struct.pack("!BBH", first, 0x80 | 126, length)
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, length)
    key = int.from_bytes(mask * (length // 4 + 1), "big") >> (-length % 4 or 4) * 8
    return head + mask + (int.from_bytes(payload, "big") ^ key).to_bytes(length, "big")


def deflated(payload, bits=15):
    """A message as permessage-deflate has it, without context."""
    stream = zlib.compressobj(wbits=-max(bits, 9))
    return (stream.compress(payload) + stream.flush(zlib.Z_SYNC_FLUSH))[:-4]


class Peer(asyncio.Protocol):
    """A connection. `take` gets each message; the one here matches replies and keeps notifications only if asked to."""

    def __init__(self, request, take=None):
        self.request = request
        self.take = take or Peer.settle
        self.transport = None
        self.received = b""
        self.head = None
        self.closed = None  # The close code, 1006 where none came; None while it is open.
        self.ended = asyncio.get_running_loop().create_future()
        self.ready = asyncio.get_running_loop().create_future()  # The head came.
        self.hello = asyncio.get_running_loop().create_future()
        self.replies = {}
        self.number = 0
        self.noted = None  # A list, where notifications are wanted.
        self.extensions = ""
        self.inflater = None
        self.parts = b""
        self.first = 0

    # Opening

    @classmethod
    async def open(cls, address, *lines, path="/ws", take=None, tls=None, deflate=False, receive_bytes=None, source=None, before=b""):
        """Connects and waits for the answer to the upgrade."""
        offer = [OFFER] if deflate else []
        peer = await cls.dial(address, upgrade(*lines, *offer, path=path), take, tls, receive_bytes, source, before)
        try:
            await within(asyncio.shield(peer.ready), PATIENCE)
        except BaseException:
            peer.abort()
            raise
        return peer

    @classmethod
    async def dial(cls, address, request=b"", take=None, tls=None, receive_bytes=None, source=None, before=b""):
        """Connects and sends anything at all; `before` goes out in the clear before TLS."""
        host, port = address
        loop, link = asyncio.get_running_loop(), socket.socket()
        try:
            link.setblocking(False)
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if receive_bytes:
                # On loopback's large segments the gateway's kernel would take megabytes for a peer that reads nothing.
                link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1400)
            if source:
                link.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
                link.bind((source, 0))
            await loop.sock_connect(link, (host, port))
            if before:
                await loop.sock_sendall(link, before)
            name = "localhost" if tls else None
            _, peer = await loop.create_connection(lambda: cls(request, take), sock=link, ssl=tls, server_hostname=name)
        except BaseException:
            link.close()
            raise
        return peer

    @classmethod
    async def session(cls, address, user, *lines, **options):
        """Connects with an open session and waits for hello."""
        peer = await cls.open(address, bearer(user), *lines, **options)
        await within(asyncio.shield(peer.hello), PATIENCE)
        return peer

    # What asyncio calls

    def connection_made(self, transport):
        self.transport = transport
        if self.request:
            transport.write(self.request)

    def data_received(self, data):
        self.received += data
        if self.head is None and not self.take_head():
            return
        while self.closed is None and self.take_frame():
            pass

    def connection_lost(self, error):
        if self.closed is None:
            self.closed = 1006
        if self.ended.done():
            return
        self.ended.set_result(self.closed)
        for future in (self.ready, self.hello, *self.replies.values()):
            if not future.done():
                future.set_exception(ConnectionError(f"closed with {self.closed}"))
            if not future.cancelled():
                # asyncio need not complain when nobody asks.
                future.exception()
        self.replies = {}

    # Reading

    def take_head(self):
        end = self.received.find(b"\r\n\r\n")
        if end < 0:
            return False
        self.head, self.received = self.received[:end].decode("latin-1"), self.received[end + 4 :]
        if self.ready.done():
            return False
        if self.head.split(" ", 2)[1:2] != ["101"]:
            self.ready.set_exception(Refused(self.head.splitlines()[0]))
            return False
        for line in self.head.splitlines():
            name, _, value = line.partition(":")
            if name.lower() == "sec-websocket-extensions":
                self.extensions = value.strip()
        self.ready.set_result(None)
        return True

    def take_frame(self):
        data = self.received
        if len(data) < 2:
            return False
        length, start = data[1] & 127, 2
        if length == 126:
            length, start = int.from_bytes(data[2:4], "big"), 4
        elif length == 127:
            length, start = int.from_bytes(data[2:10], "big"), 10
        if len(data) < start or len(data) < start + length:
            return False
        self.received = data[start + length :]
        self.act(data[0], data[start : start + length])
        return True

    def act(self, first, payload):
        opcode = first & 15
        if opcode == PING:
            self.write(frame(payload, 0x80 | PONG))
        elif opcode == CLOSE:
            self.closed = int.from_bytes(payload[:2], "big") if payload else 1005
            self.write(frame(payload[:2], 0x80 | CLOSE))
            self.transport.close()
        elif opcode < 3:
            if opcode:
                self.first, self.parts = first, payload
            else:
                self.parts += payload
            if first & 0x80:
                self.take(self, self.inflated(self.parts) if self.first & COMPRESSED else self.parts)

    def inflated(self, payload):
        if self.inflater is None or "server_no_context_takeover" in self.extensions:
            self.inflater = zlib.decompressobj(wbits=-15)
        return self.inflater.decompress(payload + b"\0\0\xff\xff")

    @staticmethod
    def settle(self, text):
        """Matches replies; the rest is noted."""
        message = json.loads(text)
        if isinstance(message, list):
            return
        if "method" in message:
            if message["method"] == "hello" and not self.hello.done():
                self.hello.set_result(message["params"])
            elif self.noted is not None:
                self.noted.append(message)
        elif (future := self.replies.pop(message.get("id"), None)) and not future.done():
            future.set_result(message)

    # Writing

    def write(self, data):
        if not self.transport.is_closing():
            self.transport.write(data)

    def send(self, text, compress=False):
        """Sends a text message, compressed if that was negotiated and is asked for."""
        payload = text if isinstance(text, bytes) else json.dumps(text, ensure_ascii=False).encode()
        if compress and "permessage-deflate" in self.extensions:
            self.write(frame(deflated(payload), 0x80 | COMPRESSED | TEXT))
        else:
            self.write(frame(payload))

    def start(self, method, compress=False, **params):
        """Sends a request; returns the future of its reply."""
        self.number += 1
        future = self.replies[self.number] = asyncio.get_running_loop().create_future()
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}, compress)
        if self.closed is not None:
            future.set_exception(ConnectionError(f"closed with {self.closed}"))
            future.exception()
        return future

    async def call(self, method, **params):
        """The result; raises Refused or ConnectionError."""
        reply = await within(self.start(method, **params), PATIENCE)
        if "error" in reply:
            raise Refused(f"{method}: {reply['error']}")
        return reply["result"]

    # Ending

    def stop_reading(self):
        self.transport.pause_reading()

    def abort(self, reset=False):
        """Lets go of the socket, with a reset if asked to."""
        link = self.transport.get_extra_info("socket")
        if reset and link and link.fileno() >= 0:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    async def close(self, code=1000):
        """Closes as the protocol has it, and waits for the end."""
        self.write(frame(code.to_bytes(2, "big"), 0x80 | CLOSE))
        try:
            await within(asyncio.shield(self.ended), PATIENCE)
        finally:
            self.transport.abort()


async def in_turn(count, limit, make):
    """Makes `count` things, `limit` at a time; returns them in order."""
    gate = asyncio.Semaphore(limit)

    async def one(number):
        async with gate:
            return await make(number)

    return await asyncio.gather(*(one(number) for number in range(count)))
