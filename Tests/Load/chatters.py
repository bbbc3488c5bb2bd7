"""Those of a soak who behave: senders, witnesses who see every message, and people who come and go."""

import asyncio
import json

from peer import Peer, Refused
from world import ROOMS

WORDS = "lorem ipsum dolor sit amet größer 日本語 😀 consectetur adipiscing elit".split()


def text_of(chance):
    """Mostly short, some long enough to be compressed, a few large."""
    count = chance.choice((3, 5, 8, 8, 60, 60, 900))
    return " ".join(chance.choices(WORDS, k=count))


class Sender:
    """Sends to a room, and keeps the ids of what was acknowledged, in order."""

    def __init__(self, number):
        self.user, self.room = f"sender{number}", ROOMS[number % len(ROOMS)]
        self.number, self.text, self.acknowledged = 0, None, []

    async def send_some(self, world):
        peer = await world.session(self.user)
        try:
            await world.call(peer, "conversation.createIfNotExists", conversation=self.room)
            for _ in range(world.chance.randint(1, 60)):
                # After a connection that ended the same message is sent again, and counted once.
                key = f"{self.user} {self.number}"
                self.text = self.text or f"{key} {text_of(world.chance)}"
                result = await world.call(peer, "conversation.send", conversation=self.room, text=self.text, clientMessageId=key)
                self.acknowledged.append(result["message"]["id"])
                self.number, self.text = self.number + 1, None
                await world.pause(0, 0.4)
                if world.ending.is_set():
                    break
        finally:
            peer.abort(reset=world.chance.random() < 0.3)


class Witness:
    """Sees all messages of a room, in order, whatever else happens."""

    def __init__(self, number):
        self.user, self.room, self.seen = f"witness{number}", ROOMS[number % len(ROOMS)], []
        self.snapshots = None

    def take(self, peer, text):
        message = json.loads(text)
        if isinstance(message, dict) and message.get("method") == "subscription" and message["params"]["topic"] == self.topic:
            self.snapshots.put_nowait(message["params"]["snapshot"])
        else:
            Peer.settle(peer, text)

    @property
    def topic(self):
        return f"messages:{self.room}"

    async def watch(self, world):
        """Watches for a while over one connection; a new subscription goes on where the last one ended."""
        self.snapshots = asyncio.Queue()
        peer = await world.session(self.user, take=self.take)
        try:
            await world.call(peer, "conversation.createIfNotExists", conversation=self.room)
            for _ in range(world.chance.randint(1, 20)):
                await world.call(peer, "subscribe", topic=self.topic)
                for _ in range(world.chance.randint(5, 60)):
                    snapshot = asyncio.ensure_future(self.snapshots.get())
                    await asyncio.wait((snapshot, peer.ended), timeout=2, return_when=asyncio.FIRST_COMPLETED)
                    if snapshot.done():
                        await self.note(world, peer, snapshot.result())
                    snapshot.cancel()
                    if world.ending.is_set():
                        return
                    if peer.closed == 1006:
                        # On a machine that is busy with other things a pong may come too late.
                        world.counts["witnesses, cut short"] += 1
                        return
                    if peer.closed is not None:
                        return world.complain(f"{self.user} was cut off with {peer.closed}")
                await world.call(peer, "unsubscribe", topic=self.topic)
                while not self.snapshots.empty():
                    await self.note(world, peer, self.snapshots.get_nowait())
        finally:
            peer.abort()

    async def note(self, world, peer, snapshot):
        """Adds what is new; what lies between the last one seen and the snapshot is read from the history."""
        if snapshot is None:
            return world.complain(f"{self.user} is shown null")
        ids = [item["id"] for item in reversed(snapshot)]
        if ids != sorted(set(ids)):
            world.complain(f"{self.user}: a snapshot is out of order")
        if ids and (not self.seen or self.seen[-1] < ids[0]):
            await self.catch_up(world, peer, ids[0])
        newest = self.seen[-1] if self.seen else ""
        self.seen += [id for id in ids if id > newest]

    async def catch_up(self, world, peer, until):
        if not self.seen:
            self.seen = [id for id in await history(world, peer, self.room) if id < until]
            return
        while True:
            page = await world.call(peer, "conversation.history", conversation=self.room, limit=100, after=self.seen[-1])
            ids = sorted(item["id"] for item in page["messages"])
            self.seen += [id for id in ids if self.seen[-1] < id < until]
            if page["loadedAll"] or not ids or ids[-1] >= until:
                return


async def history(world, peer, room):
    """All ids of a room, the oldest first."""
    ids, more = [], {}
    while True:
        page = await world.call(peer, "conversation.history", conversation=room, limit=100, **more)
        ids += [item["id"] for item in page["messages"]]
        if page["loadedAll"] or not page["messages"]:
            return ids[::-1]
        more = {"before": ids[-1]}


async def person(world):
    """Comes, looks around, does what people do in rooms of their own, and goes in any way."""
    chance, peer = world.chance, await world.session()
    peer.noted = []
    try:
        for _ in range(chance.randint(1, 3)):
            room = f"lounge{chance.randrange(20)}"
            await world.call(peer, "conversation.createIfNotExists", conversation=room, type="public")
            topics = [f"{kind}:{room}" for kind in ("messages", "conversation", "participants", "typing")] + ["conversations"]
            for topic in chance.sample(topics, chance.randint(1, len(topics))):
                await world.call(peer, "subscribe", topic=topic)
            for _ in range(chance.randint(1, 15)):
                await something(world, peer, room)
                await world.pause(0, 0.2)
    except Refused as refused:
        # Who was revoked, or left in another connection, is told so.
        if not any(f'"code": {code}' in str(refused) for code in (100, 101, 102, 104, 106)):
            raise
    finally:
        if chance.random() < 0.6 and peer.closed is None:
            await peer.close()
        else:
            peer.abort(reset=chance.random() < 0.5)


async def something(world, peer, room):
    chance = world.chance
    what = chance.randrange(9)
    if what < 3:
        message = (await world.call(peer, "conversation.send", conversation=room, text=text_of(chance)))["message"]
        if chance.random() < 0.3:
            await world.call(peer, "message.edit", conversation=room, message=message["id"], text=text_of(chance))
        elif chance.random() < 0.3:
            await world.call(peer, "message.delete", conversation=room, message=message["id"])
    elif what == 3:
        await world.call(peer, "conversation.markAsTyping", conversation=room)
    elif what == 4:
        await world.call(peer, "conversation.markAsRead", conversation=room)
    elif what == 5:
        await world.call(peer, "conversation.history", conversation=room, limit=chance.randint(1, 100))
    elif what == 6:
        await world.call(peer, "subscribe", topic=f"messages:{room}")
        try:
            await world.call(peer, "loadMore", topic=f"messages:{room}", count=chance.randint(1, 50))
        except Refused as refusal:
            # A list that grew to its largest by what others wrote.
            if '"code": 108' not in str(refusal):
                raise
    elif what == 7:
        for topic in (f"messages:{room}", f"typing:{room}"):
            await world.call(peer, "unsubscribe", topic=topic)
    else:
        await world.call(peer, "conversation.set", conversation=room, subject=text_of(chance)[:100])
