"""Mute lists: whom a user does not see."""

import asyncio
import contextlib

from checks import Checks, case, equal
from client import Client, connected, refused
from flow import next_millisecond, send, subscribe
from gateway import Gateway
from snapshots import user
from tokens import token


def shown(client, topic):
    """The snapshot that a client was shown last."""
    return client.latest(topic)["snapshot"]


def texts(messages):
    return [message["plaintext"] for message in messages]


async def sees(client, topic, predicate, what):
    """Waits until what a client is shown is as it should be."""
    try:
        await client.wait_for(lambda: client.latest(topic) and predicate(shown(client, topic)))
    except AssertionError:
        raise AssertionError(f"{topic}, {what}: {client.latest(topic)}") from None


async def sees_texts(client, room, expected, what):
    await sees(client, f"messages:{room}", lambda messages: texts(messages) == expected, what)


async def room_with(clients, room):
    for client in clients:
        await client.call("conversation.createIfNotExists", conversation=room)


@case("mute list: it hides messages, typing, the newest message, the count and nothing else, for the one session")
async def what_is_hidden(gateway):
    async with connected(gateway, "quiet", "loud", "calm", "quiet") as (quiet, loud, calm, other):
        await room_with((quiet, loud, calm), "mixed")
        await subscribe(quiet, "messages:mixed", "conversation:mixed", "typing:mixed", "participants:mixed")
        await subscribe(other, "messages:mixed", "conversation:mixed")
        await send(calm, "mixed", "calm 1")
        noise = await send(loud, "mixed", "loud 1")
        await send(calm, "mixed", "calm 2", referencedMessage=noise["id"])
        last = await send(loud, "mixed", "loud 2")
        everything = ["loud 2", "calm 2", "loud 1", "calm 1"]
        await sees_texts(quiet, "mixed", everything, "at first")
        equal(await quiet.call("user.muted"), {"users": []}, "nobody is muted")
        equal(await quiet.call("user.mute", user="loud"), {}, "user.mute")
        equal(await quiet.call("user.muted"), {"users": ["loud"]}, "user.muted")
        await sees_texts(quiet, "mixed", ["calm 2", "calm 1"], "muted")
        hides = lambda seen: (seen["lastMessage"]["plaintext"], seen["unreadMessageCount"]) == ("calm 2", 2)
        await sees(quiet, "conversation:mixed", hides, "muted")
        quoted = shown(quiet, "messages:mixed")[0]["referencedMessage"]
        equal((quoted["plaintext"], quoted["sender"]["id"]), ("loud 1", "loud"), "quotes stay")
        await sees(quiet, "participants:mixed", lambda seen: len(seen) == 3, "participants stay")
        with Checks() as check:
            got = (await quiet.call("conversation.get", conversation="mixed"))["conversation"]
            check.true(hides(got), f"get: {got}")
            history = await quiet.call("conversation.history", conversation="mixed", limit=2)
            check.equal((texts(history["messages"]), history["loadedAll"]), (["calm 2", "calm 1"], True), "history")
            newer = await quiet.call("conversation.history", conversation="mixed", after=noise["id"])
            check.equal(texts(newer["messages"]), ["calm 2"], "history after one that is hidden")
            older = await quiet.call("conversation.history", conversation="mixed", before=last["id"], limit=1)
            check.equal((texts(older["messages"]), older["loadedAll"]), (["calm 2"], False), "history before one that is hidden")
            single = await quiet.call("message.get", conversation="mixed", message=noise["id"])
            check.equal(single["message"]["plaintext"], "loud 1", "a message that is asked for")
            check.equal(texts(shown(other, "messages:mixed")), everything, "the other session of the user")
            check.equal(shown(other, "conversation:mixed")["unreadMessageCount"], 4, "its count")
        events = len(quiet.events("messages:mixed"))
        await loud.call("conversation.markAsTyping", conversation="mixed")
        await calm.call("conversation.markAsTyping", conversation="mixed")
        await sees(quiet, "typing:mixed", lambda seen: [typist["id"] for typist in seen["users"]] == ["calm"], "typing")
        await send(loud, "mixed", "loud 3")
        await sees_texts(other, "mixed", ["loud 3", *everything], "the other session")
        await send(calm, "mixed", "calm 3")
        await sees_texts(quiet, "mixed", ["calm 3", "calm 2", "calm 1"], "goes on")
        equal(len(quiet.events("messages:mixed")), events + 1, "a hidden message is no event")
        read = (await quiet.call("conversation.markAsRead", conversation="mixed"))["conversation"]
        equal((read["unreadMessageCount"], read["isUnread"]), (0, False), "read")
        await send(loud, "mixed", "loud 4")
        got = (await quiet.call("conversation.get", conversation="mixed"))["conversation"]
        equal((got["unreadMessageCount"], got["isUnread"], got["lastMessage"]["plaintext"]), (0, False, "calm 3"), "not unread")
        await quiet.call("user.unmute", user="loud")
        await sees_texts(quiet, "mixed", ["loud 4", "calm 3", "loud 3", *everything], "unmuted")
        await sees(quiet, "conversation:mixed", lambda seen: seen["unreadMessageCount"] == 1, "unmuted")
        equal(await quiet.call("user.muted"), {"users": []}, "the end")


@case("mute list: a window shows as many messages as without it, also where a flood is hidden")
async def windows(gateway):
    async with connected(gateway, "patient", "flood", "friend") as (patient, flood, friend):
        await room_with((patient, flood, friend), "flooded")
        for number in range(12):
            await send(friend, "flooded", f"friend {number}")
            calls = [await flood.start("conversation.send", conversation="flooded", text="flood") for _ in range(5)]
            for call in calls:
                equal("result" in await call, True, "sent")
        await patient.call("user.mute", user="flood")
        await subscribe(patient, "messages:flooded", "conversation:flooded")
        friends = [f"friend {number}" for number in reversed(range(12))]
        await sees_texts(patient, "flooded", friends[:10], "the first window")
        equal(patient.latest("messages:flooded")["loadedAll"], False, "more lies below")
        equal(await patient.call("loadMore", topic="messages:flooded", count=5), {"loadedAll": True}, "loadMore")
        await sees_texts(patient, "flooded", friends, "the grown window")
        seen = shown(patient, "conversation:flooded")
        equal((seen["unreadMessageCount"], seen["lastMessage"]["plaintext"]), (12, "friend 11"), "exact")
        newest = (await friend.call("conversation.history", conversation="flooded", limit=10))["messages"]
        last = next(message for message in newest if message["plaintext"] == "friend 11")
        await friend.call("message.delete", conversation="flooded", message=last["id"])
        await sees(patient, "conversation:flooded", lambda now: now["lastMessage"]["plaintext"] == "friend 10", "uncovered")
        equal(shown(patient, "conversation:flooded")["unreadMessageCount"], 11, "one less")


@case("mute list: the list of conversations is counted and ordered without the muted")
async def lists(gateway):
    async with connected(gateway, "lister", "pest", "pal") as (lister, pest, pal):
        for room in ("list1", "list2", "list3"):
            await room_with((lister, pest, pal), room)
        for room, client in (("list1", pal), ("list2", pal), ("list3", pest), ("list1", pest)):
            await next_millisecond(pal)
            await send(client, room, f"{room}")
        view = lambda rooms: [(room["id"], room["unreadMessageCount"], (room["lastMessage"] or {}).get("sender", {}).get("id")) for room in rooms]
        whole = [("list1", 2, "pest"), ("list3", 1, "pest"), ("list2", 1, "pal")]
        await subscribe(lister, "conversations")
        await sees(lister, "conversations", lambda rooms: view(rooms) == whole, "whole")
        await lister.call("user.mute", user="pest")
        left = [("list2", 1, "pal"), ("list1", 1, "pal"), ("list3", 0, None)]
        await sees(lister, "conversations", lambda rooms: view(rooms) == left, "muted")
        await next_millisecond(pal)
        await send(pest, "list3", "again")
        await send(pal, "list1", "news")
        newer = [("list1", 2, "pal"), ("list2", 1, "pal"), ("list3", 0, None)]
        await sees(lister, "conversations", lambda rooms: view(rooms) == newer, "a new message")
        await lister.call("conversation.markAsRead", conversation="list1")
        await sees(lister, "conversations", lambda rooms: view(rooms)[0] == ("list1", 0, "pal"), "read")
        await lister.call("participant.delete", conversation="list2", user="lister")
        await sees(lister, "conversations", lambda rooms: [room["id"] for room in rooms] == ["list1", "list3"], "left")
        await pal.call("user.set", user="pal", name="Pal")
        await sees(lister, "conversations", lambda rooms: rooms[0]["lastMessage"]["sender"]["name"] == "Pal", "renamed")
        await lister.call("user.unmute", user="pest")
        await sees(lister, "conversations", lambda rooms: view(rooms) == [("list1", 0, "pal"), ("list3", 2, "pest")], "unmuted")


@case("mute list: somebody who joins later is hidden too, and many typists are those who are seen")
async def later(gateway):
    names = [f"typist{number}" for number in range(7)]
    async with connected(gateway, "keeper", *names) as (keeper, *typists):
        await room_with((keeper,), "later")
        for name in names[5:]:
            await keeper.call("user.mute", user=name)
        await subscribe(keeper, "typing:later", "messages:later")
        await room_with(typists, "later")
        for client in typists:
            await client.call("conversation.markAsTyping", conversation="later")
        seen = lambda typing: typing["users"] is not None and [typist["id"] for typist in typing["users"]] == names[:5]
        await sees(keeper, "typing:later", seen, "five of seven")
        await send(typists[6], "later", "hidden")
        await send(typists[0], "later", "seen")
        await sees_texts(keeper, "later", ["seen"], "who joined later")
        await keeper.call("user.unmute", user=names[5])
        await typists[0].call("conversation.markAsTyping", conversation="later")
        await sees(keeper, "typing:later", lambda typing: typing["many"], "six of seven")


@case("mute list: what a session may not do with it")
async def bounds(gateway):
    async with connected(gateway, "bound") as client:
        error = await refused(client.call("user.mute", user="bound"), -32602, "user")
        equal("another" in error.error["message"], True, "oneself")
        for number in range(200):
            await client.call("user.mute", user=f"u{number:03}")
        await refused(client.call("user.mute", user="more"), 108, "user")
        equal(await client.call("user.mute", user="u000"), {}, "again")
        equal(await client.call("user.unmute", user="more"), {}, "one who is not there")
        await client.call("user.unmute", user="u000")
        equal(await client.call("user.mute", user="more"), {}, "there is room again")
        equal(len((await client.call("user.muted"))["users"]), 200, "all")
    async with connected(gateway, "bound") as client:
        equal(await client.call("user.muted"), {"users": []}, "the next session begins with none")
        async with await Client.connect(gateway.url, session={"token": token("backend", tokenType="app")}) as backend:
            await refused(backend.call("user.mute", user="x", actAs="bound"), 101, "actAs")


@case("mute list: kept where that is switched on, for all sessions of the user")
async def kept():
    with Gateway(CHAT_SYNC_MUTED_USERS="true") as gateway:
        async with connected(gateway, "keeper", "keeper", "bore", "joy") as (one, two, bore, joy):
            await room_with((one, bore, joy), "kept")
            await subscribe(two, "messages:kept", "conversations")
            await send(bore, "kept", "boring")
            await send(joy, "kept", "joyful")
            await sees_texts(two, "kept", ["joyful", "boring"], "at first")
            equal(await one.call("user.mute", user="bore"), {}, "user.mute")
            await sees_texts(two, "kept", ["joyful"], "the other session")
            await sees(two, "conversations", lambda rooms: rooms[0]["unreadMessageCount"] == 1, "its list")
            equal(await two.call("user.muted"), {"users": ["bore"]}, "its list of the muted")
            await refused(one.call("user.mute", user="keeper"), -32602, "user")
            equal((await joy.call("user.get", user="keeper"))["user"], user("keeper"), "nobody else is told")
            async with await Client.connect(gateway.url, session={"token": token("backend", tokenType="app")}) as backend:
                await backend.call("user.mute", user="spammer", actAs="keeper")
                equal(await backend.call("user.muted", actAs="keeper"), {"users": ["bore", "spammer"]}, "a backend")
                await refused(backend.call("user.mute", user="x", actAs="nobody"), 104, "actAs")
        equal(gateway.end(), 0, "exit code")
        gateway.start()
        async with connected(gateway, "keeper") as one:
            equal(await one.call("user.muted"), {"users": ["bore", "spammer"]}, "after a restart")
            await subscribe(one, "messages:kept")
            await sees_texts(one, "kept", ["joyful"], "from the beginning")
            await one.call("user.unmute", user="bore")
            await sees_texts(one, "kept", ["joyful", "boring"], "unmuted")


@case("mute list: sessions that mute differently are each shown their own, under load")
async def many(gateway):
    async with contextlib.AsyncExitStack() as stack:
        names = [f"voice{number}" for number in range(4)]
        voices = [await stack.enter_async_context(await Client.connect(gateway.url, name)) for name in names]
        await room_with(voices, "choir")
        readers = []
        for number in range(8):
            reader = await stack.enter_async_context(await Client.connect(gateway.url, f"ear{number}"))
            await room_with((reader,), "choir")
            for bit in range(3):
                if number >> bit & 1:
                    await reader.call("user.mute", user=names[bit])
            await subscribe(reader, "messages:choir", "conversation:choir")
            readers.append(reader)
        for round in range(10):
            await asyncio.gather(*(send(voice, "choir", f"{name} {round}") for voice, name in zip(voices, names)))
        with Checks() as check:
            for number, reader in enumerate(readers):
                heard = [name for bit, name in enumerate(names) if bit == 3 or not number >> bit & 1]
                await sees(reader, "conversation:choir", lambda seen: seen["unreadMessageCount"] == 10 * len(heard), f"reader {number}")
                speakers = {message["sender"]["id"] for message in shown(reader, "messages:choir")}
                check.equal(sorted(speakers), heard, f"reader {number}")
