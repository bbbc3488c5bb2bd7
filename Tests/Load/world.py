"""What all parts of a soak share: the gateway, the ways to reach it, chance, and what went wrong."""

import asyncio
import collections
import json
import traceback

from peer import Peer, Refused, bearer

ROOMS = [f"room{number}" for number in range(6)]
USERS = [f"person{number}" for number in range(200)]


class Way:
    """A way to reach the gateway: an address, over TLS or not, behind a proxy or not."""

    def __init__(self, name, address, tls=None, before=None):
        self.name, self.address, self.tls, self.before = name, address, tls, before

    def options(self, chance):
        """How to connect this time."""
        return dict(tls=self.tls and self.tls(chance), before=self.before(chance) if self.before else b"")


class World:
    def __init__(self, gateway, ways, chance):
        self.gateway, self.ways, self.chance = gateway, ways, chance
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
            print(f"WRONG {what}", flush=True)

    async def session(self, user=None, **options):
        """A connection with a session, by any of the ways, compressed or not."""
        way = self.way()
        options = {**way.options(self.chance), "deflate": self.chance.random() < 0.6, **options}
        return await Peer.session(way.address, user or self.user(), **options)

    async def stranger(self, **options):
        """A connection that was greeted and has no session."""
        way = self.way()
        peer = await Peer.open(way.address, **{**way.options(self.chance), "deflate": self.chance.random() < 0.5, **options})
        await asyncio.wait_for(asyncio.shield(peer.hello), 60)
        return peer

    async def app(self):
        """A connection of a trusted backend."""
        way = self.way()
        peer = await Peer.open(way.address, bearer("backend", tokenType="app"), **way.options(self.chance))
        await asyncio.wait_for(asyncio.shield(peer.hello), 60)
        return peer

    async def dial(self, request=b"", way=None, **options):
        """A socket on which anything may be written."""
        way = way or self.way()
        return await Peer.dial(way.address, request, **{**way.options(self.chance), **options})

    async def call(self, peer, method, **params):
        """The result; what is over a limit is asked for again."""
        while True:
            reply = await asyncio.wait_for(peer.start(method, compress=self.chance.random() < 0.5, **params), 60)
            if "error" not in reply:
                return reply["result"]
            wait = reply["error"].get("data", {}).get("retryAfterMs")
            if not reply["error"].get("data", {}).get("temporary"):
                raise Refused(f"{method}: {json.dumps(reply['error'])}")
            await asyncio.sleep((wait or 200) / 1000)

    async def pause(self, least, most):
        """Waits for some seconds, or until the end."""
        try:
            await asyncio.wait_for(self.ending.wait(), self.chance.uniform(least, most))
        except TimeoutError:
            pass

    async def again_and_again(self, act, most=0.5, seconds=120):
        """Runs `act(world)` until the end, each time for so many seconds at most. A connection that ends is no fault; anything else is."""
        while not self.ending.is_set():
            try:
                await asyncio.wait_for(act(self), seconds)
                self.counts[act.__name__] += 1
            except (ConnectionError, EOFError):
                self.counts[f"{act.__name__}, cut short"] += 1
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                self.complain(f"{act.__name__}: {type(error).__name__} {error} ({place.filename}:{place.lineno})")
                await asyncio.sleep(1)
            await self.pause(0, most)
