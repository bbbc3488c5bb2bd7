"""Sockets on which anything can be written, and what to write."""

import asyncio
import contextlib
import re

from checks import within
from client import PATIENCE

KEY = "dGhlIHNhbXBsZSBub25jZQ=="


class Wire:
    """A socket on which anything can be written."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, gateway):
        reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
        try:
            yield cls(reader, writer)
        finally:
            writer.transport.abort()
            with contextlib.suppress(OSError):
                await within(writer.wait_closed(), PATIENCE)

    def write(self, data):
        self.writer.write(data if isinstance(data, bytes) else data.encode())

    async def head(self):
        """The status and the head of an answer."""
        head = (await within(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)).decode()
        return int(head.split()[1]), head

    async def answer(self):
        """The status, the head and the body of an answer with a length."""
        status, head = await self.head()
        length = re.search(r"(?i)\r\ncontent-length: (\d+)\r\n", head)
        return status, head, await self.exactly(int(length[1])) if length else b""

    async def frame(self):
        """The first byte and the payload of a frame of the server."""
        first, length = await self.exactly(2)
        if length >= 126:
            length = int.from_bytes(await self.exactly(2 if length == 126 else 8), "big")
        return first, await self.exactly(length)

    async def exactly(self, count):
        return await within(self.reader.readexactly(count), PATIENCE)

    async def end(self):
        """All that comes until the server closes."""
        return await within(self.reader.read(), PATIENCE)


def masked(first, payload):
    """A frame of a client; the mask is zero, so that the payload stays as it is."""
    length = len(payload)
    return head(first, length, 0 if length < 126 else 2 if length < 1 << 16 else 8) + payload


def head(first, length, size):
    """A masked frame's header with a length of 0, 2 or 8 bytes besides the first, be that minimal or not."""
    short = {0: length, 2: 126, 8: 127}[size]
    return bytes([first, 0x80 | short]) + (length.to_bytes(size, "big") if size else b"") + bytes(4)


def get(path="/livez", *lines, host="127.0.0.1", version="HTTP/1.1"):
    return "\r\n".join([f"GET {path} {version}", *([f"Host: {host}"] if host is not None else []), *lines, "", ""])


def upgrade(*lines, path="/ws", host="127.0.0.1", key=KEY, version="13", without=()):
    fields = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": version}
    return get(path, *(f"{name}: {value}" for name, value in fields.items() if name not in without), *lines, host=host)
