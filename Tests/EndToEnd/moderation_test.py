"""Bans, mutes, reports and invitations: who makes them, what they do, how long they last."""

import contextlib

from checks import Checks, Text, Time, case, equal
from client import Client, connected, refused
from flow import next_millisecond, send, subscribe
from gateway import Gateway
from snapshots import participant, user
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


@case("reports keep what a message said, for moderators alone, until they are dismissed")
async def reports():
    with Gateway(**SETTINGS) as gateway:
        async with people(gateway, "rep") as (sheriff, ann, bob):
            room = {"conversation": "rep"}
            bad = await send(bob, "rep", "*bad* words")
            for client, reason in ((ann, "rude"), (bob, "sorry"), (ann, "very rude")):
                equal(await client.call("conversation.report", **room, message=bad["id"], reason=reason), {}, "conversation.report")
            await bob.call("message.edit", **room, message=bad["id"], text="kind words")
            await bob.call("message.delete", **room, message=bad["id"])
            await refused(ann.call("conversation.report", **room, message=bad["id"], reason="x"), 104, field="message")
            page = await sheriff.call("moderation.reports", **room)
            expected = [
                {
                    "id": Text(),
                    "conversation": "rep",
                    "message": bad["id"],
                    "sender": user("rep-bob"),
                    "text": "bad words",
                    "reporter": user(reporter),
                    "reason": reason,
                    "reportedAt": Time(),
                }
                for reporter, reason in (("rep-ann", "very rude"), ("rep-bob", "sorry"))
            ]
            equal(page, {"reports": expected, "loadedAll": True}, "moderation.reports")
            first = await sheriff.call("moderation.reports", **room, limit=1)
            equal(first, {"reports": page["reports"][:1], "loadedAll": False}, "a page")
            rest = await sheriff.call("moderation.reports", **room, limit=1, before=page["reports"][0]["id"])
            equal(rest, {"reports": page["reports"][1:], "loadedAll": True}, "the next")
            for client, code in ((ann, 101), (bob, 101)):
                await refused(client.call("moderation.reports", **room), code)
        gateway.kill()
        gateway.start()
        async with await Client.connect(gateway.url, session={"token": token("rep-mod", role="sheriff")}) as sheriff:
            equal(await sheriff.call("moderation.reports", **room), page, "after a crash")
            equal(await sheriff.call("moderation.dismiss", **room, message=bad["id"]), {}, "moderation.dismiss")
            equal(await sheriff.call("moderation.reports", **room), {"reports": [], "loadedAll": True}, "dismissed")
            equal(await sheriff.call("moderation.dismiss", **room, message=bad["id"]), {}, "again")


@case("who is invited sees it at once and joins or declines; a member stays what they are")
async def invitations(gateway):
    async with people(gateway, "inv") as (_, ann, bob), connected(gateway, "inv-cy", "inv-cy", "inv-dan") as (cy, cy2, dan):
        room, cy_id, dan_id = {"conversation": "inv"}, "inv-cy", "inv-dan"
        for client in (cy, dan):
            await subscribe(client, "invitations", "conversation:inv")
            await client.shows("invitations", [])
        place = (await bob.call("participant.get", **room, user="inv-bob"))["participant"]
        invited = await ann.call("conversation.invite", **room, users=[cy_id, "inv-bob", dan_id])
        pending = [participant(user(id), None) for id in (cy_id, dan_id)]
        equal(invited, {"participants": [pending[0], place, pending[1]]}, "conversation.invite")
        shown = {"conversation": "inv", "type": "group", "subject": None, "photoUrl": None, "invitedBy": user("inv-ann"), "invitedAt": Time()}
        for client in (cy, dan):
            await client.shows("invitations", [shown])
        equal(await cy.call("conversation.get", **room), {"conversation": None}, "nothing of the conversation is shown")
        await refused(cy.call("conversation.send", **room, text="x"), 102)
        listed = [{"user": user(id), "invitedBy": "inv-ann", "invitedAt": Time()} for id in (cy_id, dan_id)]
        equal(await bob.call("conversation.invitees", **room), {"invitees": listed, "loadedAll": True}, "conversation.invitees")
        await ann.call("conversation.set", **room, subject="Party")
        for client in (cy, dan):
            await client.shows("invitations", [{**shown, "subject": "Party"}])
        await subscribe(cy2, "invitations")
        await cy2.shows("invitations", [{**shown, "subject": "Party"}])

        equal((await cy.call("conversation.createIfNotExists", **room))["created"], False, "accepted")
        equal(await dan.call("participant.delete", **room, user=dan_id), {}, "declined")
        for client in (cy, cy2, dan):
            await client.shows("invitations", [])
        await cy.wait_for(lambda: cy.latest("conversation:inv")["snapshot"], "the conversation")
        equal(dan.latest("conversation:inv")["snapshot"], None, "who declined sees nothing")
        await refused(dan.call("participant.delete", **room, user=dan_id), 102)
        again = await ann.call("conversation.invite", **room, users=[cy_id])
        equal(again["participants"][0]["joinedAt"], cy.latest("conversation:inv")["snapshot"]["joinedAt"], "a member stays one")
        equal(await ann.call("conversation.invite", **room, users=[]), {"participants": []}, "nobody")
        await next_millisecond(ann)
        await ann.call("conversation.invite", **room, users=[dan_id])
        await dan.wait_for(lambda: dan.latest("invitations")["snapshot"], "invited again")
        await ann.call("participant.delete", **room, user=dan_id)
        await dan.shows("invitations", [])


@case("an invitation lets in where clients may not join, survives a crash, and ends with a ban and with the conversation")
async def invitations_kept():
    with Gateway(SYNC_CONVERSATIONS="false") as gateway:
        session = {"token": token("backend", tokenType="app")}
        async with await Client.connect(gateway.url, session=session) as app, connected(gateway, "in-ann", "in-bob", "in-cy"):
            for room in ("in1", "in2"):
                await app.call("conversation.createIfNotExists", conversation=room)
                await next_millisecond(app)
                await app.call("conversation.invite", conversation=room, users=["in-ann", "in-bob", "in-cy"])
        gateway.kill()
        gateway.start()
        async with await Client.connect(gateway.url, session=session) as app, connected(gateway, "in-ann", "in-bob", "in-cy") as (ann, bob, cy):
            for client in (ann, bob, cy):
                await subscribe(client, "invitations")
                await client.wait_for(lambda: client.latest("invitations"), "the list")
                equal([item["conversation"] for item in client.latest("invitations")["snapshot"]], ["in2", "in1"], "last invited first")
            await ann.call("conversation.createIfNotExists", conversation="in1")
            await app.call("moderation.set", conversation="in1", user="in-bob", ban=True)
            await restricted(bob.call("conversation.createIfNotExists", conversation="in1"), None)
            await restricted(app.call("conversation.invite", conversation="in1", users=["in-bob"]), None)
            await app.call("conversation.delete", conversation="in2")
            for client, left in ((ann, []), (bob, []), (cy, ["in1"])):
                await client.wait_for(
                    lambda: [item["conversation"] for item in client.latest("invitations")["snapshot"]] == left, f"what is left: {left}"
                )
            await refused(cy.call("conversation.createIfNotExists", conversation="in2"), 105)
