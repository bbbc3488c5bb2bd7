"""Ten thousand random operations: what every subscriber was shown in the end is what a fresh look shows, and what SQL counts."""

import asyncio
import collections
import contextlib
import json
import os
import random
import re
import sqlite3
import time

from checks import Checks, case, equal, within
from client import Client
from gateway import Gateway
from tokens import token

OPERATIONS = int(os.environ.get("PARLEY_E2E_OPERATIONS", 10_000))
CHECKPOINT, IN_FLIGHT, QUIET_SECONDS = 500, 40, 10
USERS = [f"user{number}" for number in range(6)]
GROUPS = ["red", "green", "blue"]
KINDS = ["conversation", "messages", "participants", "typing"]
EMOJI = ["\N{THUMBS UP SIGN}", "\N{HEAVY BLACK HEART}", ":party:"]
COUNTED = ["unreadMessageCount", "isUnread", "readUntil", "everyoneReadUntil"]
EXPECTED_ERRORS = {101, 102, 103, 104, 106, 108, 109, 111}
# Several loops, so that frames cross between them, and windows so small that they are not whole.
SETTINGS = dict(SERVER_LOOPS=3, MESSAGES_PAGES_CONVERSATIONS_INITIAL=2, MESSAGES_PAGES_PARTICIPANTS_INITIAL=2)
REPEATED = []  # Events that were sent twice in a row; the last cases look at them.
UNFINISHED = []  # Lists of conversations that are whole and say that they are not.
TOPIC = re.compile(r'"topic":"((?:[^"\\]|\\.)*)","state":"active"')


class Watcher(Client):
    """A client that keeps only the newest event of each topic, and does not parse it before it is asked for."""

    def __init__(self, socket):
        self.newest = {}
        super().__init__(socket)

    def take(self, text):
        if text.startswith('{"jsonrpc":"2.0","method":"subscription"'):
            topic = TOPIC.search(text, 0, 300)
            if topic is None:
                raise AssertionError(f"the subscription ended: {text[:300]}")
            if self.newest.get(topic[1]) == text:
                REPEATED.append(text)
            self.newest[topic[1]] = text
            self.changed.set()
        else:
            super().take(text)

    def settle(self, reply):
        if isinstance(reply.get("result"), dict) and reply["result"].get("state") == "pending":
            self.newest.pop(reply["result"]["topic"], None)  # What comes now belongs to the new subscription.
        super().settle(reply)

    def shown(self, topic):
        text = self.newest.get(topic)
        return json.loads(text)["params"] if text else None


class World:
    """The users' connections, and what is known of the conversations."""

    def __init__(self, gateway, chance):
        self.gateway, self.chance = gateway, chance
        self.direct = self.backend = None
        self.threads = {}  # The id of a thread to the conversation and the message under which it hangs.
        self.connections = []
        self.topics = {}  # Connection to the topics to which it is subscribed.
        self.messages = collections.defaultdict(lambda: collections.deque(maxlen=60))  # Conversation to (id, sender).
        self.outcomes = collections.Counter()
        self.faults = []
        self.running = set()
        self.count = 0

    @property
    def conversations(self):
        return [*GROUPS, "hall", self.direct, *self.threads]

    def all_topics(self):
        topics = [f"{kind}:{conversation}" for conversation in self.conversations for kind in KINDS]
        return topics + ["conversations", "conversations#second"] + [f"{kind}:{user}" for user in USERS for kind in ("user", "online")]

    async def prepare(self):
        for user in USERS * 2:
            await self.connect(user)
        self.backend = await Watcher.connect(self.gateway.url, session={"token": token("backend", tokenType="app")})
        self.backend.user = "backend"
        first = self.connections[0]
        made = await first.call("conversation.createIfNotExists", type="direct", **{"with": USERS[1]})
        self.direct = made["conversation"]["id"]
        await first.call("conversation.createIfNotExists", conversation="hall", type="public")
        for room in ("hall", self.direct):
            # Nobody knows of them, so that nobody deletes them.
            root = (await first.call("conversation.send", conversation=room, text="text 0"))["message"]["id"]
            view = (await first.call("message.thread", conversation=room, message=root))["conversation"]
            self.threads[view["id"]] = room, root
        for client in self.connections:
            for topic in self.all_topics():
                if self.chance.random() < 0.8:
                    await client.call("subscribe", topic=topic)
                    self.topics[client].add(topic)

    async def connect(self, user):
        client = await Watcher.connect(self.gateway.url, user)
        client.user = user
        self.connections.append(client)
        self.topics[client] = set()
        return client

    # One operation

    async def step(self):
        """Starts a random operation on a random connection."""
        while len(self.running) >= IN_FLIGHT:
            await asyncio.wait(self.running, return_when=asyncio.FIRST_COMPLETED)
        client = self.chance.choice(self.connections)
        luck = self.chance.random()
        if luck < 0.002:
            return await self.replace(client)
        if luck < 0.03:
            client, method, params = self.backend, "user.set", {"user": self.chance.choice(USERS), "name": f"renamed {self.count}"}
        elif luck < 0.031:
            client, method, params = self.backend, "conversation.delete", {"conversation": self.chance.choice(GROUPS)}
        elif luck < 0.05:
            # Lifted more often than set, so that most operations succeed.
            restriction = self.chance.choice([{}, {}, {}, {}, {}, {"ban": True}, {"mute": True, "reason": "noise"}])
            place = {"conversation": self.chance.choice(self.conversations), "user": self.chance.choice(USERS)}
            client, method, params = self.backend, "moderation.set", {**place, **restriction}
        else:
            method, params = self.choose(client)
        self.count += 1
        reply = await client.start(method, **params)
        task = asyncio.create_task(self.finish(client, method, params, reply))
        self.running.add(task)
        task.add_done_callback(self.running.discard)

    async def replace(self, client):
        """The connection ends, and another one of the same user begins."""
        await self.settle()
        await client.close()
        self.connections.remove(client)
        topics = self.topics.pop(client)
        again = await self.connect(client.user)
        for topic in sorted(topics):
            await again.call("subscribe", topic=topic)
            self.topics[again].add(topic)

    async def finish(self, client, method, params, reply):
        try:
            reply = await within(reply, 30)
        except (ConnectionError, TimeoutError) as error:
            self.faults.append(f"{method} {params} of {client.user}: {error!r}")
            return
        if "error" in reply:
            code = reply["error"]["code"]
            self.outcomes[f"{method} {code}"] += 1
            if code not in EXPECTED_ERRORS:
                self.faults.append(f"{method} {params}: {reply['error']}")
            if method == "subscribe":
                self.topics[client].discard(params["topic"])
            return
        self.outcomes[method] += 1
        if method == "conversation.send":
            message = reply["result"]["message"]
            self.messages[params["conversation"]].append((message["id"], client.user))

    def choose(self, client):
        pick, user = self.chance.choice, client.user
        conversation = pick(self.conversations)
        known = self.messages[conversation]
        in_it = {"conversation": conversation}
        weighted = [
            (34, "conversation.send"),
            (6, "reply"),
            (6, "message.edit"),
            (5, "message.delete"),
            (1, "message.deleteFields"),
            (6, "react"),
            (2, "pin"),
            (8, "conversation.markAsRead"),
            (3, "conversation.markAsUnread"),
            (1, "conversation.markAllAsRead"),
            (4, "conversation.markAsTyping"),
            (4, "conversation.startTyping"),
            (3, "conversation.stopTyping"),
            (4, "conversation.set"),
            (1, "conversation.deleteFields"),
            (14, "conversation.createIfNotExists"),
            (2, "leave"),
            (3, "participant.createIfNotExists"),
            (1, "participant.delete"),
            (2, "participant.edit"),
            (3, "user.set"),
            (6, "loadMore"),
            (3, "subscribe"),
            (3, "unsubscribe"),
        ]
        method = self.chance.choices([name for _, name in weighted], [weight for weight, _ in weighted])[0]
        number = self.count
        match method:
            case "conversation.send":
                return method, {**in_it, "text": f"text {number}", "custom": {"n": str(number)} if number % 5 == 0 else {}}
            case "reply" if known:
                return "conversation.send", {**in_it, "text": f"reply {number}", "referencedMessage": pick(known)[0]}
            case "message.edit" | "message.delete" | "message.deleteFields" if known:
                own = [id for id, sender in known if sender == user] or [pick(known)[0]]
                more = {
                    "message.edit": {"text": f"edited {number}", "custom": {"e": str(number)}},
                    "message.delete": {},
                    "message.deleteFields": {"fields": ["custom.n"]},
                }[method]
                return method, {**in_it, "message": pick(own), **more}
            case "react" if known:
                method = pick(["message.addReaction", "message.addReaction", "message.removeReaction"])
                return method, {**in_it, "message": pick(known)[0], "emoji": pick(EMOJI)}
            case "pin":
                return ("conversation.pin", {**in_it, "message": pick(known)[0]}) if known and number % 3 else ("conversation.unpin", in_it)
            case "conversation.markAsRead" if known and number % 2:
                return method, {**in_it, "upTo": pick(known)[0]}
            case "conversation.set" if conversation != self.direct:
                return method, {**in_it, "subject": f"subject {number}", "custom": {"a": pick([None, str(number)])}}
            case "conversation.deleteFields":
                return method, {**in_it, "fields": ["subject", "custom.a"]}
            case "leave":
                return "participant.delete", {**in_it, "user": user}
            case "participant.createIfNotExists" | "participant.delete":
                return method, {**in_it, "user": pick(USERS)}
            case "participant.edit":
                other = pick(USERS)
                return method, {
                    **in_it,
                    "user": other,
                    "access": "ReadWrite" if other == user else pick(["Read", "ReadWrite", "ReadWrite"]),
                }
            case "user.set":
                return method, {"user": user, "name": f"{user} {number}"}
            case "loadMore" if self.topics[client]:
                lists = [
                    topic for topic in sorted(self.topics[client]) if topic.startswith(("messages:", "participants:", "conversations"))
                ]
                return (method, {"topic": pick(lists), "count": self.chance.randint(1, 10)}) if lists else ("ping", {})
            case "subscribe":
                topic = pick(self.all_topics())
                self.topics[client].add(topic)
                return method, {"topic": topic}
            case "unsubscribe" if self.topics[client]:
                topic = pick(sorted(self.topics[client]))
                self.topics[client].discard(topic)
                client.newest.pop(topic, None)
                return method, {"topic": topic}
            case "conversation.markAllAsRead":
                return method, {}
            case (
                "conversation.markAsRead"
                | "conversation.markAsUnread"
                | "conversation.markAsTyping"
                | "conversation.startTyping"
                | "conversation.stopTyping"
                | "conversation.createIfNotExists"
            ):
                return method, in_it
        return "conversation.createIfNotExists", in_it

    # What must hold when nothing runs

    async def settle(self):
        if self.running:
            await asyncio.wait(self.running)

    async def check(self, where):
        await self.settle()
        equal(self.faults, [], f"errors that must not be {where}")
        for client in self.connections:
            if client.reader.done():
                client.reader.result()
            equal(client.closed, None, f"a connection of {client.user} {where}")
        deadline = time.monotonic() + QUIET_SECONDS
        with Checks() as check:
            for client in self.connections:
                await self.check_topics(client, deadline, check, where)
            for user in USERS:
                with check.row(f"{user} {where}"):
                    await self.check_counts(user)
            for thread, (room, root) in self.threads.items():
                message = (await self.backend.call("message.get", conversation=room, message=root))["message"]
                count = replies(self.gateway.folder / "parley.db", thread)
                check.equal((message["thread"] or {"replyCount": 0})["replyCount"], count, f"replies in {thread} {where}")

    async def check_topics(self, client, deadline, check, where):
        """Compares each topic of a connection with a fresh subscription, again and again until they are equal or time is up."""
        left = sorted(self.topics[client])
        while left:
            pairs = await self.fresh(client, left)
            different = [topic for topic in left if not same(*pairs[topic])]
            if different and time.monotonic() > deadline:
                for topic in different:
                    check.equal(*pairs[topic], f"{topic} of {client.user} {where}: pushed, fresh")
                return
            if different:
                # What was pushed may be older than the fresh look: then more is on its way.
                news = lambda: any(client.shown(topic) != pairs[topic][0] for topic in different)
                with contextlib.suppress(AssertionError):
                    await client.wait_for(news, seconds=deadline - time.monotonic())
            left = different

    async def fresh(self, client, topics):
        """For each topic what was pushed, and what a new subscription with the same floor shows."""
        async with await Watcher.connect(self.gateway.url, client.user) as other:
            pushed = {topic: client.shown(topic) for topic in topics}
            calls = []
            for topic in topics:
                floor = floor_of(topic, pushed[topic])
                calls.append(await other.start("subscribe", topic=topic, **({"from": floor} if floor else {})))
            for topic, call in zip(topics, calls):
                equal("result" in await call, True, f"subscribe {topic} {pushed[topic]}: {await call}")
            await other.wait_for(lambda: all(topic in other.newest for topic in topics), "fresh snapshots")
            shown = {topic: other.shown(topic) for topic in topics}
            for topic in topics:
                if topic.startswith("conversations") and pushed[topic]:
                    shown[topic] = await self.same_window(other, topic, len(pushed[topic]["snapshot"]))
            return {topic: (pushed[topic], shown[topic]) for topic in topics}

    async def same_window(self, other, topic, count):
        """What a window of so many conversations must show: the beginning of the whole list."""
        while not other.shown(topic)["loadedAll"]:
            await other.call("loadMore", topic=topic)
        whole = other.shown(topic)
        items = whole["snapshot"]
        return {**whole, "snapshot": items[:count], "loadedAll": len(items) == count}

    async def check_counts(self, user):
        """Compares what a user is told of each conversation, by a call and on every connection, with what SQL counts."""
        async with await Client.connect(self.gateway.url, user) as client:
            for conversation in self.conversations:
                expected = counted(self.gateway.folder / "parley.db", conversation, user, *self.threads.get(conversation, ()))
                topic = f"conversation:{conversation}"
                views = [(await client.call("conversation.get", conversation=conversation))["conversation"]]
                for watcher in self.connections:
                    if watcher.user == user and topic in self.topics[watcher]:
                        views.append(watcher.shown(topic)["snapshot"])
                for view in views:
                    equal(summary(view), expected, f"{topic}: {COUNTED} and the last text, as shown and by SQL")


def summary(view):
    """What SQL can tell of a conversation as its viewer sees it."""
    return view and [*(view[name] for name in COUNTED), *(shown(view[name]) for name in ("lastMessage", "pinnedMessage"))]


def shown(message):
    """The text of a message, and how many reacted with what, and whether the viewer did."""
    if message is None:
        return None
    return message["plaintext"], {item["emoji"]: (item["count"], item["currentUserReacted"]) for item in message["reactions"]}


def counted(path, conversation, user, room=None, root=None):
    """The unread count, isUnread, both times of reading, the last and the pinned message, read from the rows."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        place = connection.execute(
            """SELECT p.conversation, p.read_marker, p.is_marked_unread, p.read_until FROM participants p
               JOIN conversations c ON c.key = p.conversation WHERE c.id = ? AND p.user = ?""",
            (conversation, user),
        ).fetchone()
        [banned] = connection.execute(
            """SELECT count(*) FROM restrictions r JOIN conversations c ON c.key = r.conversation
               WHERE c.id = ? AND r.user = ? AND r.is_banned = 1""",
            (conversation, user),
        ).fetchone()
        equal(bool(banned and place), False, f"{user} is banned from {conversation} and has a place")
        if room:
            place = place or watching(connection, conversation, user, room)
        if place is None:
            return None
        [unread] = connection.execute(
            """SELECT count(*) FROM messages WHERE conversation = ? AND number > ? AND is_deleted = 0
               AND (sender IS NULL OR sender <> ?)""",
            (place[0], place[1], user),
        ).fetchone()
        last = message_of(connection, "m.is_deleted = 0 ORDER BY m.number DESC LIMIT 1", place[0], user)
        pinned = message_of(connection, "m.number = c.pinned", place[0], user)
        [everyone] = connection.execute("SELECT min(read_until) FROM participants WHERE conversation = ?", place[:1]).fetchone()
        everyone = None if "hall" in (conversation, room) else everyone  # There are no receipts in public conversations.
        return [min(unread, 1000), unread > 0 or bool(place[2]), place[3], everyone, last, pinned]


def watching(connection, thread, user, room):
    """What stands for the place of who takes part in the conversation of a thread's root and has none in the thread."""
    row = connection.execute(
        """SELECT t.key, t.created_at FROM participants p JOIN conversations c ON c.key = p.conversation
           LEFT JOIN conversations t ON t.id = ? WHERE c.id = ? AND p.user = ?""",
        (thread, room, user),
    ).fetchone()
    if row is None:
        return None
    created = row[1]
    if created is None:  # There was no reply yet: it is as old as the message, the first one there.
        [created] = connection.execute(
            "SELECT m.created_at FROM messages m JOIN conversations c ON c.key = m.conversation WHERE c.id = ? ORDER BY m.key LIMIT 1",
            (room,),
        ).fetchone()
    return row[0], 2**62, False, created


def replies(path, thread):
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        [count] = connection.execute(
            "SELECT count(*) FROM messages m JOIN conversations c ON c.key = m.conversation WHERE c.id = ? AND is_deleted = 0", (thread,)
        ).fetchone()
        return count


def message_of(connection, which, conversation, user):
    """What `shown` says of a message, counted from the rows of its reactions; their number stands in the message too."""
    row = connection.execute(
        f"""SELECT m.content, m.number, m.reactions FROM messages m JOIN conversations c ON c.key = m.conversation
            WHERE m.conversation = ? AND {which}""",
        (conversation,),
    ).fetchone()
    if row is None:
        return None
    rows = connection.execute(
        "SELECT emoji, count(*), max(user = ?) FROM reactions WHERE conversation = ? AND number = ? GROUP BY emoji",
        (user, conversation, row[1]),
    ).fetchall()
    equal(sorted(json.loads(row[2] or "[]")), sorted([emoji, count] for emoji, count, _ in rows), "counted reactions and their rows")
    return re.search(r"(text|reply|edited) \d+", row[0])[0], {emoji: (count, bool(own)) for emoji, count, own in rows}


def floor_of(topic, pushed):
    """The oldest item that was shown."""
    items = pushed and pushed["snapshot"]
    if not items:
        return None
    if topic.startswith("messages:"):
        return items[-1]["id"]
    return items[-1]["user"]["id"] if topic.startswith("participants:") else None


def same(pushed, fresh):
    """Whether what was pushed is what a fresh look shows, as far as that can be told."""
    if pushed == fresh:
        return True
    if pushed and fresh and pushed["topic"].startswith("conversations") and {**pushed, "loadedAll": True} == fresh:
        UNFINISHED.append(pushed)
        return True
    # A window of which everything was deleted has no floor that could be named.
    return bool(pushed) and pushed["snapshot"] == [] and pushed.get("loadedAll") is False


@case(f"{OPERATIONS} random operations", seconds=120)
async def random_operations():
    seed = int(os.environ.get("PARLEY_E2E_SEED", random.randrange(2**32)))
    with Gateway(**SETTINGS) as gateway:
        world = World(gateway, random.Random(seed))
        try:
            await world.prepare()
            while world.count < OPERATIONS:
                await world.step()
                if world.count % CHECKPOINT == 0 or world.count == OPERATIONS:
                    await world.check(f"after {world.count} operations (PARLEY_E2E_SEED={seed})")
            tried = {outcome.split()[0] for outcome in world.outcomes if " " not in outcome}
            equal(len(tried) >= 20, True, f"kinds of operations that succeeded: {sorted(tried)}")
            succeeded = sum(count for outcome, count in world.outcomes.items() if " " not in outcome)
            equal(succeeded > OPERATIONS / 2, True, f"most operations succeed: {world.outcomes}")
        finally:
            for task in world.running:
                task.cancel()
            for client in filter(None, [*world.connections, world.backend]):
                await client.close()


@case("no snapshot equals the one that was sent before it")
async def no_repetition():
    kinds = collections.Counter(TOPIC.search(text)[1].split(":")[0] for text in REPEATED)
    equal(dict(kinds), {}, f"sent twice in a row, as {REPEATED[:1]}")


@case("a list of conversations that shows all of them says so")
async def whole_lists():
    equal(len(UNFINISHED), 0, f"loadedAll is false, as in {UNFINISHED[:1]}")
