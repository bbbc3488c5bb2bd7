"""Writes a store with the gateway of today, for the suite `upgrade` of all later ones: NAME.sqlite, and in NAME.json what clients saw.

    PARLEY_BINARY=… PYTHONPATH=Tests/EndToEnd python Tests/EndToEnd/stores/write.py NAME

NAME is the commit that wrote it. Written once, a store is never written again.
"""

import asyncio
import contextlib
import json
import sqlite3
import sys
import time
from pathlib import Path

from client import Client, connected
from flow import send
from gateway import Gateway
from tokens import token

HERE = Path(__file__).parent


async def people_talk(gateway):
    """Something of everything that a store keeps. Returns the users, whose tokens were revoked when, and what may be retried."""
    coming_guest = Client.connect(gateway.url, session={"guest": {"name": "Gast"}})
    async with await coming_guest as guest, connected(gateway, "ana", "ben") as (ana, ben):
        fields = dict(photoUrl="https://example.org/a.png", custom={"k": "v"}, locale="de-DE")
        await ana.call("user.set", user="ana", name="Ana Ärmel 😀", **fields)
        fields = dict(subject="Trip", photoUrl="https://example.org/t.png", welcomeMessages=["Hi", "there"], custom={"a": "1"})
        await ana.call("conversation.createIfNotExists", conversation="trip", **fields)
        for person in (ben, guest):
            await person.call("conversation.createIfNotExists", conversation="trip")
        retry = dict(conversation="trip", text='one\n"quoted" \\ é', clientMessageId="k1", custom={"m": "1"})
        first = (await ana.call("conversation.send", **retry))["message"]
        await send(ben, "trip", "a reply", referencedMessage=first["id"])
        edited = await send(guest, "trip", "before the edit")
        await guest.call("message.edit", conversation="trip", message=edited["id"], text="after the edit")
        deleted = await send(ben, "trip", "deleted later")
        await send(guest, "trip", "a reply to what is gone", referencedMessage=deleted["id"])
        await ben.call("message.delete", conversation="trip", message=deleted["id"])
        for person, emoji in ((ana, "\N{THUMBS UP SIGN}"), (guest, ":party:"), (guest, "\N{THUMBS UP SIGN}")):
            await person.call("message.addReaction", conversation="trip", message=first["id"], emoji=emoji)
        await ben.call("conversation.pin", conversation="trip", message=first["id"])
        await ana.call("participant.edit", conversation="trip", user="ben", access="Read")
        # More than a page, read in part.
        await ana.call("conversation.createIfNotExists", conversation="long", type="public")
        await ben.call("conversation.createIfNotExists", conversation="long")
        sent = [await send(ana, "long", f"number {number}") for number in range(45)]
        await ben.call("conversation.markAsRead", conversation="long", upTo=sent[20]["id"])
        await guest.call("conversation.createIfNotExists", conversation="long")
        await guest.call("participant.delete", conversation="long", user=guest.session["user"]["id"])
        # Two people, a mark as unread, and a conversation that is gone.
        direct = (await ana.call("conversation.createIfNotExists", type="direct", **{"with": "ben"}))["conversation"]["id"]
        await send(ana, direct, "for you alone")
        await ana.call("conversation.markAsUnread", conversation=direct)
        await ana.call("conversation.createIfNotExists", conversation="gone")
        await send(ana, "gone", "never to be seen again")
    async with await Client.connect(gateway.url, session={"token": token("backend", tokenType="app")}) as app:
        await app.call("conversation.delete", conversation="gone")
        await app.call("session.revoke", user="revoked")
    return {
        "guest": guest.session["user"]["id"],
        "users": ["ana", "ben"],
        "revoked": {"user": "revoked", "at": int(time.time())},
        "retries": [{"user": "ana", "params": retry, "message": first["id"]}],
    }


def sessions(facts, file):
    """A token for each user, the guest's signed with the key of the store."""
    with contextlib.closing(sqlite3.connect(f"file:{file}?immutable=1", uri=True)) as database:
        [key] = database.execute("SELECT guest_key FROM meta").fetchone()
    guest = token(facts["guest"], secret=key, tokenType="guest")
    return {facts["guest"]: guest, **{user: token(user) for user in facts["users"]}}


async def seen_by(gateway, session):
    """All that a client sees of the store."""
    async with await Client.connect(gateway.url, session={"token": session}) as client:
        await client.call("subscribe", topic="conversations")
        listed = await client.wait_for(lambda: client.latest("conversations"), "the conversations")
        seen = {"user": client.session["user"], "conversations": listed["snapshot"], "messages": {}, "participants": {}}
        for conversation in listed["snapshot"]:
            id = conversation["id"]
            seen["messages"][id] = (await client.call("conversation.history", conversation=id, limit=100))["messages"]
            await client.call("subscribe", topic=f"participants:{id}")
            seen["participants"][id] = (await client.wait_for(lambda: client.latest(f"participants:{id}"), id))["snapshot"]
        return seen


async def write(name):
    with Gateway() as gateway:
        facts = await people_talk(gateway)
        if gateway.end() != 0:
            raise SystemExit(gateway.log())
        [file] = gateway.folder.glob("*.db")
        gateway.start()
        facts["seen"] = {user: await seen_by(gateway, session) for user, session in sessions(facts, file).items()}
        gateway.end()
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        HERE.joinpath(f"{name}.sqlite").write_bytes(file.read_bytes())
        facts["file"] = file.name
    HERE.joinpath(f"{name}.json").write_text(json.dumps(facts, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1]))
