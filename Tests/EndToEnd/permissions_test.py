"""Who may call what: the tables of docs/permissions.md, cell by cell, each with a caller and a conversation of its own.

With PARLEY_E2E_PRINT the tables are printed as the gateway has them, for whoever adds a method.
"""

import asyncio
import contextlib
import itertools
import os
import re
from pathlib import Path

from checks import Checks, case, equal
from client import Client, RPCError
from gateway import Gateway
from tokens import token

DOCS = Path(__file__).parents[2] / "docs"
ROLES = """{
  auth: {guests: true},
  roles: {
    silent: {locations: false, send: "none", react: "none", reply: "none", edit: "none", delete: "none"},
    sheriff: {moderate: true}, clerk: {manageUsers: true}, janitor: {manageConversations: true},
  },
}"""
CLOSED = dict(SYNC_CONVERSATIONS="false", SYNC_USERS="false")
IN_FLIGHT = 12
PRINTS = "PARLEY_E2E_PRINT" in os.environ
numbers = itertools.count(1)

# Callers by the heads of the columns: how their session opens, and what they are in the conversation.
CALLERS = {
    "stranger": ({}, None),
    "guest": (None, "ReadWrite"),
    "writer": ({}, "ReadWrite"),
    "reader": ({}, "Read"),
    "invited": ({}, "invited"),
    "banned": ({}, "banned"),
    "muted": ({}, "muted"),
    "silent": ({"role": "silent"}, "ReadWrite"),
    "moderator": ({"role": "sheriff"}, None),
    "user manager": ({"role": "clerk"}, None),
    "manager": ({"role": "janitor"}, None),
    "app": ({"tokenType": "app"}, None),
    "app for a writer": ({"tokenType": "app"}, "ReadWrite"),
    "app for a stranger": ({"tokenType": "app"}, None),
}

# Calls by what stands in the first column. ROOM is the conversation, MINE and THEIRS are messages in it, of the caller and of another,
# SELF is the caller, PEER takes part, OTHER does not, NOBODY is no user. Params of calls on a conversation need not name it.
CALLS = {
    "ping": {},
    "ping, with actAs": {"actAs": "PEER"},
    "session.open": {"token": "TOKEN"},
    "session.refresh": {"token": "TOKEN"},
    "session.close": {},
    "session.list, one's own": {"user": "SELF"},
    "session.list, another's": {"user": "PEER"},
    "session.revoke, one's own": {"user": "SELF"},
    "session.revoke, another's": {"user": "OTHER"},
    "file.token": {},
    "conversation.createIfNotExists": {},
    "conversation.createIfNotExists, a new one": {"conversation": "NEW"},
    "conversation.createIfNotExists, a direct one": {"conversation": None, "type": "direct", "with": "PEER"},
    "conversation.set": {},
    "conversation.set, a new one": {"conversation": "NEW"},
    "conversation.set, a subject": {"subject": "x"},
    "conversation.set, one's own notify": {"notify": False},
    "conversation.set, more access": {"access": "ReadWrite"},
    "conversation.deleteFields, the subject": {"fields": ["subject"]},
    "conversation.deleteFields, one's own notify": {"fields": ["notify"]},
    "conversation.get": {},
    "conversation.delete": {},
    "conversation.send": {"text": "x"},
    "conversation.send, a reply": {"text": "x", "referencedMessage": "THEIRS"},
    "conversation.send, a link": {"content": [{"type": "text", "children": [{"type": "link", "url": "https://x.org", "children": ["x"]}]}]},
    "conversation.send, a location": {"content": [{"type": "location", "latitude": 1, "longitude": 2}]},
    "conversation.history": {},
    "conversation.markAsRead": {},
    "conversation.markAsUnread": {},
    "conversation.markAllAsRead": {"conversation": None},
    "conversation.markAsTyping": {},
    "conversation.startTyping": {},
    "conversation.stopTyping": {},
    "message.get": {"message": "THEIRS"},
    "message.thread": {"message": "THEIRS"},
    "message.edit, one's own": {"message": "MINE", "text": "y"},
    "message.edit, another's": {"message": "THEIRS", "text": "y"},
    "message.delete, one's own": {"message": "MINE"},
    "message.delete, another's": {"message": "THEIRS"},
    "message.deleteFields, one's own": {"message": "MINE", "fields": ["custom"]},
    "message.deleteFields, another's": {"message": "THEIRS", "fields": ["custom"]},
    "message.addReaction, to one's own": {"message": "MINE", "emoji": ":x:"},
    "message.addReaction, to another's": {"message": "THEIRS", "emoji": ":x:"},
    "message.removeReaction": {"message": "THEIRS", "emoji": ":x:"},
    "conversation.pin": {"message": "THEIRS"},
    "conversation.unpin": {},
    "participant.get, oneself": {"user": "SELF"},
    "participant.get, another": {"user": "PEER"},
    "participant.delete, oneself": {"user": "SELF"},
    "participant.delete, another": {"user": "PEER"},
    "participant.createIfNotExists, oneself": {"user": "SELF"},
    "participant.createIfNotExists, another": {"user": "OTHER"},
    "participant.createIfNotExists, nobody": {"user": "NOBODY"},
    "participant.set, more access": {"user": "SELF", "access": "ReadWrite"},
    "participant.set, another": {"user": "OTHER"},
    "participant.edit, one's own notify": {"user": "SELF", "notify": False},
    "participant.edit, another": {"user": "PEER", "access": "Read"},
    "participant.edit, the absent": {"user": "OTHER", "access": "Read"},
    "participant.deleteFields, one's own notify": {"user": "SELF", "fields": ["notify"]},
    "participant.deleteFields, another": {"user": "PEER", "fields": ["access"]},
    "user.get, oneself": {"user": "SELF"},
    "user.get, a participant": {"user": "PEER"},
    "user.get, another": {"user": "OTHER"},
    "presence.here": {},
    "presence.where, oneself": {"user": "SELF"},
    "presence.where, a participant": {"user": "PEER"},
    "presence.where, another": {"user": "OTHER"},
    "push.register": {"device": "NEW", "gateway": "fcm"},
    "push.unregister": {"device": "NEW"},
    "user.mute": {"user": "PEER"},
    "user.unmute": {"user": "PEER"},
    "user.muted": {},
    "user.createIfNotExists, oneself": {"user": "SELF", "name": "x"},
    "user.createIfNotExists, a new one": {"user": "NEW", "name": "x"},
    "user.set, oneself": {"user": "SELF", "photoUrl": "NEWURL"},
    "user.set, one's own role": {"user": "SELF", "role": "default"},
    "user.set, another": {"user": "OTHER", "name": "x"},
    "user.deleteFields, oneself": {"user": "SELF", "fields": ["locale"]},
    "user.deleteFields, one's own role": {"user": "SELF", "fields": ["role"]},
    "user.deleteFields, another": {"user": "OTHER", "fields": ["locale"]},
    "conversation.invite": {"users": ["OTHER"]},
    "conversation.invite, who takes part": {"users": ["PEER"]},
    "conversation.invitees": {},
    "conversation.report": {"message": "THEIRS", "reason": "x"},
    "moderation.set": {"user": "PEER", "mute": True},
    "moderation.set, on oneself": {"user": "SELF"},
    "moderation.set, on a moderator": {"user": "MODERATOR", "ban": True},
    "moderation.list": {},
    "moderation.reports": {},
    "moderation.dismiss": {"message": "THEIRS"},
    "subscribe conversation:": {"topic": "conversation:ROOM"},
    "subscribe messages:": {"topic": "messages:ROOM"},
    "subscribe participants:": {"topic": "participants:ROOM"},
    "subscribe typing:": {"topic": "typing:ROOM"},
    "subscribe conversations": {"topic": "conversations"},
    "subscribe invitations": {"topic": "invitations"},
    "subscribe user:, a participant": {"topic": "user:PEER"},
    "subscribe user:, another": {"topic": "user:OTHER"},
    "subscribe online:, a participant": {"topic": "online:PEER"},
    "subscribe online:, another": {"topic": "online:OTHER"},
    "unsubscribe": {"topic": "messages:ROOM"},
    "loadMore": {"topic": "messages:ROOM"},
}
SHOWN = ("conversation", "message", "participant", "user")  # A null in one of these says that there is nothing to see.


def tables():
    """The tables of the page: their heads, and their rows by what stands in the first column."""
    found = []
    for line in (DOCS / "permissions.md").read_text().splitlines():
        cells = [cell.strip().replace("`", "") for cell in line.split("|")[1:-1]]
        if cells and cells[0] == "call":
            found.append((cells[1:], {}))
        elif found and cells and not cells[0].startswith("---"):
            if not PRINTS:
                equal(len(cells), len(found[-1][0]) + 1, f"cells of {line}")
            found[-1][1][cells[0]] = cells[1:]
    return found


def names(page, head):
    """The first cells of a table of a page, without what follows a colon, a comma or a space."""
    lines = (DOCS / page).read_text().splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith(head))
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines[start + 2 :])
    return [re.match(r"\| `([\w.]+)", row)[1] for row in rows]


class Cell:
    """One caller with a conversation in which nothing happened yet but what the case needs."""

    def __init__(self, stage, kind, call):
        self.stage, self.kind, self.call = stage, kind, call
        self.claims, self.place = CALLERS[kind]
        number = next(numbers)
        self.room, self.new = f"room{number}", f"new{number}"
        self.id = f"caller{number}"
        self.acts_for = f"writer{number}" if kind.startswith("app for") else None

    @property
    def self_id(self):
        return self.acts_for or self.id

    async def prepare(self):
        app, room = self.stage.app, {"conversation": self.room}
        if self.claims is None:
            # There is one guest, for an address gets few; who is revoked does not come back.
            guest = await self.stage.new_guest() if self.call.startswith("session.revoke") else self.stage.guest
            self.id, self.token = guest["user"]["id"], guest["token"]
        else:
            self.token = token(self.id, **self.claims)
            await app.call("user.set", user=self.self_id, name="Caller")
            await app.call("user.set", user=self.id, name="Caller")
        await app.call("conversation.createIfNotExists", **room, actAs="ann", subject="Subject")
        await app.call("participant.createIfNotExists", **room, user="bob")
        self.theirs = (await app.call("conversation.send", **room, actAs="bob", text="theirs"))["message"]["id"]
        self.mine = self.theirs
        if self.place == "invited":
            await app.call("conversation.invite", **room, users=[self.self_id])
        elif self.place:
            me = {**room, "user": self.self_id}
            await app.call("participant.createIfNotExists", **me)
            self.mine = (await app.call("conversation.send", **room, actAs=self.self_id, text="mine"))["message"]["id"]
            if self.place == "Read":
                await app.call("participant.edit", **me, access="Read")
            elif self.place in ("banned", "muted"):
                await app.call("moderation.set", **me, ban=self.place == "banned", mute=self.place == "muted")

    def value(self, value):
        if isinstance(value, list) and value and isinstance(value[0], str):
            return [self.value(item) for item in value]
        if not isinstance(value, str):
            return value
        texts = {
            "ROOM": self.room,
            "MINE": self.mine,
            "THEIRS": self.theirs,
            "SELF": self.self_id,
            "PEER": "bob",
            "OTHER": "dan",
            "NOBODY": "nobody",
            "MODERATOR": "deputy",
            "NEWURL": f"https://example.org/{self.new}",
            "NEW": self.new,
            "TOKEN": self.token,
        }
        return texts.get(value) or re.sub(r"(?<=:)\w+$", lambda match: texts[match[0]], value)

    async def outcome(self):
        await self.prepare()
        method = re.match(r"[\w.]+", self.call)[0]
        params = {name: self.value(value) for name, value in CALLS[self.call].items()}
        if method.split(".")[0] in ("conversation", "message", "participant", "moderation") or method == "presence.here":
            params = {"conversation": self.room, **params}
        params = {name: value for name, value in params.items() if value is not None}
        if self.acts_for:
            params["actAs"] = self.acts_for
        async with await Client.connect(self.stage.gateway.url, session={"token": self.token}) as client:
            if method == "loadMore":
                await client.call("subscribe", **{name: params[name] for name in params if name in ("topic", "actAs")})
                await client.wait_for(lambda: client.latest(params["topic"]), "the first snapshot")
            while True:
                try:
                    result = await client.call(method, **params)
                except RPCError as error:
                    if error.code == 109:  # The one guest changes their record once a second.
                        await asyncio.sleep(error.error["data"]["retryAfterMs"] / 1000)
                        continue
                    return str(error.code)
                break
            if method == "subscribe":
                shown = await client.wait_for(lambda: client.latest(params["topic"]), params["topic"])
                return "null" if shown["snapshot"] is None else "ok"
            return "null" if any(result.get(name, "") is None for name in SHOWN) else "ok"


class Stage:
    """A gateway with the users whom the cells need."""

    def __init__(self, gateway):
        self.gateway = gateway

    async def new_guest(self):
        async with await Client.connect(self.gateway.url, session={"guest": {"name": "Guest"}}) as client:
            # Their row is written with the first change.
            with contextlib.suppress(RPCError):
                await client.call("conversation.markAllAsRead")
            return client.session

    async def __aenter__(self):
        self.app = await Client.connect(self.gateway.url, session={"token": token("stage", tokenType="app")})
        for user in ("ann", "bob", "dan", "deputy"):
            role = {"role": "sheriff"} if user == "deputy" else {}
            await self.app.call("user.set", user=user, name=user, **role)
        self.guest = await self.new_guest()
        return self

    async def __aexit__(self, *_):
        await self.app.close()

    async def outcomes(self, rows, columns):
        """What comes of each call of each caller; what guests call comes one after the other, for they are one."""
        gate, single, found = asyncio.Semaphore(IN_FLIGHT), asyncio.Lock(), {}

        async def run(row, column):
            async with single if column == "guest" else contextlib.nullcontext(), gate:
                found[row, column] = await Cell(self, column, row).outcome()

        await asyncio.gather(*(run(row, column) for row in rows for column in columns))
        return found


async def compare(gateway, columns, rows):
    """Compares a table with what the gateway does."""
    equal([row for row in rows if row not in CALLS], [], "rows of docs/permissions.md that Tests/EndToEnd/permissions_test.py cannot call")
    async with Stage(gateway) as stage:
        wanted = list(CALLS) if PRINTS else list(rows)
        found = await stage.outcomes(wanted, columns)
    if PRINTS:
        for row in wanted:
            name, comma, rest = row.partition(",")
            print("| " + " | ".join([f"`{name}`{comma}{rest}", *(found[row, column] for column in columns)]) + " |")
        return
    with Checks() as check:
        for row, cells in rows.items():
            for column, cell in zip(columns, cells):
                check.equal(found[row, column], cell, f"{row} by {column}")


@case("every method and every topic has a row, and every row a call")
async def rows():
    methods, topics = names("protocol.md", "| method |"), names("protocol.md", "| topic |")
    [(_, rows), _] = tables()
    documented = {re.match(r"[\w.]+", row)[0] for row in rows}
    equal([name for name in methods if name not in documented], [], "methods without a row in docs/permissions.md")
    equal(sorted(documented - set(methods)), [], "rows of no method")
    subscribed = {row.split()[1].rstrip(":,").split(":")[0] for row in rows if row.startswith("subscribe ")}
    equal(sorted(subscribed), sorted(set(topics)), "topics with a row in docs/permissions.md")
    equal(sorted(set(CALLS) - set(rows)), [], "calls without a row")


@case("who may call what, where clients may write", seconds=300)
async def open_gateway():
    with Gateway(config=ROLES) as gateway:
        await compare(gateway, *tables()[0])


@case("who may call what, where they may not", seconds=300)
async def closed_gateway():
    with Gateway(config=ROLES, **CLOSED) as gateway:
        await compare(gateway, *tables()[1])
