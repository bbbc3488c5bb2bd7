"""What the attack suites share: how much of an attack is made, sessions on bare sockets, and what it may cost the gateway."""

import contextlib
import json
import os
import socket

from client import PATIENCE
from tokens import token
from wire import Wire, masked, upgrade

WHOLE = "PARLEY_E2E_WHOLE" in os.environ
"""Whether attacks are made in their full size, which takes minutes; else in one that shows the same fault in a second."""


def scaled(usual, whole):
    return whole if WHOLE else usual


def request(method, id=1, **params):
    """A text frame with a request."""
    return masked(0x81, json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode())


@contextlib.asynccontextmanager
async def opened(gateway, user=None, *lines):
    """A WebSocket on a bare socket, behind `hello`; with a user its session is open."""
    async with Wire.open(gateway) as wire:
        wire.write(upgrade(*([f"Authorization: Bearer {token(user)}"] if user else []), *lines))
        status, head = await wire.head()
        if status != 101:
            raise AssertionError(f"the upgrade is answered with {head}")
        await wire.frame()
        yield wire


async def close_of(wire):
    """The code and the reason of the server's close frame; (None, "") for an empty one. What comes before is left out."""
    while True:
        first, payload = await wire.frame()
        if first == 0x88:
            return int.from_bytes(payload[:2], "big") if payload else None, payload[2:].decode()


async def text_of(wire):
    """The next text, as JSON."""
    while True:
        first, payload = await wire.frame()
        if first == 0x88:
            raise AssertionError(f"closed with {payload}")
        if first == 0x81:
            return json.loads(payload)


async def one_by_one(wire, data):
    """Sends each byte in a packet of its own."""
    wire.writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for index in range(len(data)):
        wire.write(data[index : index + 1])
        if index % 64 == 0:
            await wire.writer.drain()


class Deaf:
    """A WebSocket of which nothing is read: its own receive buffer is small, so the gateway's bytes soon wait."""

    def __init__(self, gateway, user=None, data=None):
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect(("127.0.0.1", gateway.port))
        if data is None:
            data = upgrade(*([f"Authorization: Bearer {token(user)}"] if user else [])).encode()
        self.socket.sendall(data)

    def send(self, data):
        """Sends as much as the gateway takes; says whether it took all."""
        try:
            self.socket.sendall(data)
            return True
        except OSError:
            return False

    def reset(self):
        """Ends the connection with a reset."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        self.socket.close()


class Cost:
    """What the gateway spent in a block: seconds of processor time, and bytes of memory that it did not give back."""

    def __init__(self, gateway):
        self.gateway = gateway

    def __enter__(self):
        self.start = self.gateway.processor_seconds(), self.gateway.resident()
        return self

    def __exit__(self, *_):
        self.seconds = self.gateway.processor_seconds() - self.start[0]
        self.bytes = self.gateway.resident() - self.start[1]


async def gives_back(gateway, attack, limit):
    """Checks that an attack leaves at most so many bytes.

    What was used for a moment is kept for the next time, and how much that is depends on what else runs on the machine. So the least of some
    tries counts: what is never given back comes again with each of them.
    """
    kept = []
    for _ in range(4):
        with Cost(gateway) as cost:
            await attack()
        kept.append(cost.bytes)
        if cost.bytes < limit:
            return
    raise AssertionError(f"each time more: {', '.join(f'{bytes / 1e6:.1f} MB' for bytes in kept)}")


async def linear(gateway, attack, small, what):
    """Checks that an attack of double the size costs less than three times as much.

    Others use the processor too, so the least of some tries counts; what grows with the square stays above that in all of them.
    """
    least = {small: float("inf"), 2 * small: float("inf")}
    for _ in range(5):
        for size in least:
            with Cost(gateway) as cost:
                await attack(size)
            least[size] = min(least[size], cost.seconds)
        # What is over in a millisecond is no attack, and its time is noise.
        if least[2 * small] < max(0.002, 3 * least[small]):
            return
    raise AssertionError(f"{what}: " + ", double of it ".join(f"{size} cost {cost * 1000:.1f} ms" for size, cost in least.items()))
