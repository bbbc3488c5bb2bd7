"""What all parts of a soak share: the gateway, the ways to reach it, chance, and what went wrong."""

import asyncio
import collections
import json
import socket
import struct
import traceback

from checks import within
from peer import Peer, Refused, bearer

ROOMS = [f"room{number}" for number in range(6)]
USERS = [f"person{number}" for number in range(200)]


class Way:
    """A way to reach the gateway: over TLS or not, and behind a proxy that is believed or not."""

    def __init__(self, address, contexts=(None,), source=None):
        self.address, self.contexts, self.source = address, contexts, source

    def options(self, chance):
        """How to connect this time; a proxy tells where its client is."""
        before = proxy_header(chance) if self.source else b""
        return dict(tls=chance.choice(self.contexts), source=self.source, before=before)

    @property
    def is_secure(self):
        return self.contexts != (None,)


def proxy_header(chance):
    """The PROXY protocol in version 1 or 2, for some address."""
    client = ".".join(str(chance.randrange(1, 255)) for _ in range(4))
    if chance.random() < 0.5:
        return f"PROXY TCP4 {client} 127.0.0.1 {chance.randrange(1, 65536)} 443\r\n".encode()
    addresses = socket.inet_aton(client) + socket.inet_aton("127.0.0.1") + struct.pack("!HH", chance.randrange(1, 65536), 443)
    extra = b"\x04" + struct.pack("!H", 5) + b"12345" if chance.random() < 0.5 else b""
    return b"\r\n\r\n\0\r\nQUIT\n\x21\x11" + struct.pack("!H", len(addresses) + len(extra)) + addresses + extra


class World:
    """One gateway and all who use it."""

    def __init__(self, name, gateway, ways, chance):
        self.name, self.gateway, self.ways, self.chance = name, gateway, ways, chance
        self.ending = asyncio.Event()
        self.counts = collections.Counter()
        self.wrong = []

    def way(self):
        return self.chance.choice(self.ways)

    def user(self):
        return self.chance.choice(USERS)

    def complain(self, what):
        """Notes what must not be."""
        self.counts["wrong"] += 1
        if len(self.wrong) < 50:
            self.wrong.append(what)
            print(f"WRONG {self.name}: {what}", flush=True)

    async def session(self, user=None, **options):
        """A connection with a session, by any of the ways, compressed or not."""
        way = self.way()
        options = {**way.options(self.chance), "deflate": self.chance.random() < 0.6, **options}
        peer = await Peer.session(way.address, user or self.user(), **options)
        self.counts["sessions, compressed" if "permessage-deflate" in peer.extensions else "sessions"] += 1
        return peer

    async def stranger(self, **options):
        """A connection that was greeted and has no session."""
        way = self.way()
        peer = await Peer.open(way.address, **{**way.options(self.chance), "deflate": self.chance.random() < 0.5, **options})
        await within(asyncio.shield(peer.hello), 60)
        return peer

    async def app(self):
        """A connection of a trusted backend."""
        way = self.way()
        peer = await Peer.open(way.address, bearer("backend", tokenType="app"), **way.options(self.chance))
        await within(asyncio.shield(peer.hello), 60)
        return peer

    async def dial(self, request=b"", way=None, **options):
        """A socket on which anything may be written."""
        way = way or self.way()
        return await Peer.dial(way.address, request, **{**way.options(self.chance), **options})

    async def call(self, peer, method, **params):
        """The result; what is over a limit is asked for again."""
        while True:
            reply = await within(peer.start(method, compress=self.chance.random() < 0.5, **params), 60)
            if "error" not in reply:
                return reply["result"]
            wait = reply["error"].get("data", {}).get("retryAfterMs")
            if not reply["error"].get("data", {}).get("temporary"):
                raise Refused(f"{method}: {json.dumps(reply['error'])}")
            await asyncio.sleep((wait or 200) / 1000)

    async def pause(self, least, most):
        """Waits for some seconds, or until the end."""
        try:
            await within(self.ending.wait(), self.chance.uniform(least, most))
        except TimeoutError:
            pass

    async def again_and_again(self, act, most=0.5, seconds=900):
        """Runs `act(world)` until the end, each time for so many seconds at most. A connection that ends is no fault; anything else is."""
        while not self.ending.is_set():
            try:
                await within(act(self), seconds)
                self.counts[act.__name__] += 1
            except (ConnectionError, EOFError):
                self.counts[f"{act.__name__}, cut short"] += 1
            except Exception as error:
                if isinstance(error, Refused) and " 503 " in str(error):
                    # A machine that is busy with other things may be too slow for the deadline of the upgrade.
                    self.counts["come back later"] += 1
                    continue
                place = traceback.extract_tb(error.__traceback__)[-1]
                self.complain(f"{act.__name__}: {type(error).__name__} {error} ({place.filename}:{place.lineno})")
                await asyncio.sleep(1)
            await self.pause(0, most)
