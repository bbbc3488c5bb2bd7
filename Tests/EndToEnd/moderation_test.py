"""Bans and mutes: who sets them, whom they keep from what, how long they last."""

import contextlib

from checks import Checks, Time, case, equal
from client import Client, connected, refused
from flow import send, subscribe
from gateway import Gateway
from snapshots import user
from tokens import token

SETTINGS = {"config": "{roles: {sheriff: {moderate: true}}}"}


@contextlib.asynccontextmanager
async def people(gateway, room):
    """A moderator who takes no part, and two people in a conversation."""
    async with connected(gateway, f"{room}-ann", f"{room}-bob") as (ann, bob):
        session = {"token": token(f"{room}-mod", role="sheriff")}
        async with await Client.connect(gateway.url, session=session) as sheriff:
            for client in (ann, bob):
                await client.call("conversation.createIfNotExists", conversation=room)
            yield sheriff, ann, bob


def restriction(id, by, **fields):
    """A Restriction with all its fields."""
    return {"user": user(id), "ban": False, "mute": False, "reason": None, "setBy": by, "setAt": Time(), **fields}


async def restricted(call, reason):
    """Checks that a call is refused with what the moderator said."""
    error = await refused(call, 111)
    expected = {"key": "restricted", "temporary": False, **({"reason": reason} if reason else {})}
    equal(error.error["data"], expected, "the error's data")
    equal((reason or "") in error.error["message"], True, error.error["message"])


@case("a ban takes the place away at once, and keeps it away until it is lifted")
async def ban(gateway):
    async with people(gateway, "ban") as (sheriff, ann, bob):
        id, room = "ban-bob", {"conversation": "ban"}
        await bob.call("conversation.markAsTyping", **room)
        topics = [f"{kind}:ban" for kind in ("conversation", "messages", "participants", "typing")]
        await subscribe(bob, *topics, "conversations")
        await subscribe(ann, *topics)
        for client in (ann, bob):
            await client.wait_for(lambda: all(client.latest(topic) for topic in topics), "all topics")
        await ann.shows("typing:ban", {"many": False, "users": [user(id)]})
        equal(await sheriff.call("moderation.set", **room, user=id, ban=True, reason="spam"), {}, "moderation.set")
        for topic in topics:
            await bob.wait_for(lambda: bob.latest(topic)["snapshot"] is None, topic)
        await bob.shows("conversations", [], loadedAll=True)
        await ann.shows("typing:ban", {"many": False, "users": []})
        await ann.wait_for(lambda: len(ann.latest("participants:ban")["snapshot"]) == 1, "ann is alone")
        view = ann.latest("conversation:ban")["snapshot"]
        equal(view["everyoneReadUntil"], view["readUntil"], "everybody who is left")

        await restricted(bob.call("conversation.createIfNotExists", **room), "spam")
        await restricted(bob.call("conversation.set", **room, subject="Mine"), "spam")
        await restricted(ann.call("participant.createIfNotExists", **room, user=id), "spam")
        await restricted(ann.call("participant.set", **room, user=id), "spam")
        await refused(bob.call("conversation.send", **room, text="x"), 102)
        equal(await bob.call("conversation.get", **room), {"conversation": None}, "conversation.get")
        async with await Client.connect(gateway.url, session={"token": token("backend", tokenType="app")}) as app:
            await restricted(app.call("conversation.createIfNotExists", **room, actAs=id), "spam")
            await restricted(app.call("participant.createIfNotExists", **room, user=id), "spam")
        listed = await sheriff.call("moderation.list", **room)
        equal(listed, {"restrictions": [restriction(id, "ban-mod", ban=True, reason="spam")], "loadedAll": True}, "moderation.list")
        equal(await sheriff.call("moderation.set", **room, user=id), {}, "lifted")
        equal((await bob.call("conversation.createIfNotExists", **room))["created"], False, "back")
        await bob.wait_for(lambda: bob.latest("messages:ban")["snapshot"] == [], "the messages are there again")
        equal(await sheriff.call("moderation.list", **room), {"restrictions": [], "loadedAll": True}, "nothing is left")


@case("a mute keeps from speaking, and from nothing else")
async def mute(gateway):
    async with people(gateway, "mute") as (sheriff, ann, bob):
        id, room = "mute-bob", {"conversation": "mute"}
        own = (await send(bob, "mute", "own"))["id"]
        await subscribe(ann, "typing:mute")
        await bob.call("conversation.startTyping", **room)
        await ann.shows("typing:mute", {"many": False, "users": [user(id)]})
        await sheriff.call("moderation.set", **room, user=id, mute=True)
        await ann.shows("typing:mute", {"many": False, "users": []})
        for method, params in (
            ("conversation.send", {"text": "x"}),
            ("conversation.markAsTyping", {}),
            ("conversation.startTyping", {}),
            ("conversation.stopTyping", {}),
            ("message.edit", {"message": own, "text": "x"}),
            ("message.deleteFields", {"message": own, "fields": ["custom"]}),
        ):
            await restricted(bob.call(method, **room, **params), None)
        await bob.call("conversation.markAsRead", **room)
        await bob.call("message.delete", **room, message=own)
        await bob.call("participant.delete", **room, user=id)
        await bob.call("conversation.createIfNotExists", **room)
        await restricted(bob.call("conversation.send", **room, text="x"), None)
        await sheriff.call("moderation.set", **room, user=id, mute=False)
        await send(bob, "mute", "again")


@case("who may moderate whom, and what is wrong with params")
async def permissions(gateway):
    async with people(gateway, "rights") as (sheriff, ann, bob):
        room, id = {"conversation": "rights"}, "rights-bob"
        async with await Client.connect(gateway.url, session={"token": token("backend", tokenType="app")}) as app, connected(
            gateway, "rights-eve"
        ) as eve:
            await app.call("user.set", user="rights-deputy", name="Deputy", role="sheriff")
            with Checks() as check:
                for who, client, params, code in (
                    ("a participant", ann, {**room, "user": id, "ban": True}, 101),
                    ("a stranger", eve, {**room, "user": id, "ban": True}, 102),
                    ("where nothing is", sheriff, {"conversation": "rights-nowhere", "user": id, "ban": True}, 102),
                    ("nobody", sheriff, {**room, "user": "rights-nobody", "mute": True}, 104),
                    ("lifted from nobody", sheriff, {**room, "user": "rights-nobody"}, 0),
                    ("oneself", sheriff, {**room, "user": "rights-mod"}, 101),
                    ("a moderator", sheriff, {**room, "user": "rights-deputy", "mute": True}, 101),
                    ("a moderator, by a backend", app, {**room, "user": "rights-deputy", "mute": True}, 0),
                    ("who was never there", sheriff, {**room, "user": "rights-eve", "ban": True}, 0),
                    ("a long reason", sheriff, {**room, "user": id, "mute": True, "reason": "é" * 501}, 107),
                    ("no reason", sheriff, {**room, "user": id, "mute": True, "reason": " "}, -32602),
                    ("the longest reason", sheriff, {**room, "user": id, "mute": True, "reason": "é" * 500}, 0),
                ):
                    reply = await client.reply("moderation.set", **params)
                    check.equal(reply.get("error", {}).get("code", 0), code, who)
            for client, code in ((ann, 101), (eve, 102)):
                await refused(client.call("moderation.list", **room), code)
            await refused(eve.call("conversation.createIfNotExists", **room), 111)
            users = [f"rights-{name}" for name in ("bob", "deputy", "eve")]
            pages = [await sheriff.call("moderation.list", **room, limit=2), await sheriff.call("moderation.list", **room, after=users[1])]
            equal([[entry["user"]["id"] for entry in page["restrictions"]] for page in pages], [users[:2], users[2:]], "pages")
            equal([page["loadedAll"] for page in pages], [False, True], "loadedAll")


@case("restrictions survive a restart and a crash, and end with the conversation")
async def kept():
    with Gateway(**SETTINGS) as gateway:
        async with people(gateway, "kept") as (sheriff, _, _):
            await sheriff.call("moderation.set", conversation="kept", user="kept-bob", ban=True, reason="spam")
            await sheriff.call("moderation.set", conversation="kept", user="kept-ann", mute=True)
        for end in (gateway.end, gateway.kill):
            end()
            gateway.start()
            async with connected(gateway, "kept-ann", "kept-bob") as (ann, bob):
                await restricted(bob.call("conversation.createIfNotExists", conversation="kept"), "spam")
                await restricted(ann.call("conversation.send", conversation="kept", text="x"), None)
        async with await Client.connect(gateway.url, session={"token": token("backend", tokenType="app")}) as app:
            await app.call("conversation.delete", conversation="kept")
        async with connected(gateway, "kept-bob") as bob:
            equal((await bob.call("conversation.createIfNotExists", conversation="kept"))["created"], True, "made anew")
