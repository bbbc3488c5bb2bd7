"""Who is online, where, since when they were not seen, and who types."""

import time

from checks import Checks, Time, case, equal
from client import Client, connected, refused
from flow import send, subscribe
from gateway import Gateway, parley
from snapshots import user
from tokens import token

GRACE = 1500
SETTINGS = dict(PRESENCE_GRACE_MS=GRACE)


def told(viewer, name):
    """All that a viewer was told of a user, in order."""
    return [event["snapshot"] and event["snapshot"]["isConnected"] for event in viewer.events(f"online:{name}")]


async def here(client, conversation, **params):
    """The ids of one page, and the rest of the answer."""
    result = await client.call("presence.here", conversation=conversation, **params)
    equal(sorted(result), ["count", "loadedAll", "users"], "fields")
    return [found["id"] for found in result["users"]], result["count"], result["loadedAll"]


@case("presence: online with the first connection, offline a grace after the last, and a blip is no news")
async def grace(gateway):
    async with connected(gateway, "watcher") as viewer:
        await subscribe(viewer, "online:blinker")
        await viewer.shows("online:blinker", None)
        online = {"user": user("blinker"), "isConnected": True}
        for _ in range(3):
            async with connected(gateway, "blinker"):
                await viewer.shows("online:blinker", online)
        ended = time.monotonic()
        await viewer.shows("online:blinker", {**online, "isConnected": False})
        away = time.monotonic() - ended
        equal(away > GRACE / 1000 - 0.3, True, f"not before the grace, after {away:.2f} s")
        async with connected(gateway, "blinker", "blinker"):
            await viewer.shows("online:blinker", online)
        await viewer.shows("online:blinker", {**online, "isConnected": False})
        equal(told(viewer, "blinker"), [None, True, False, True, False], "all that was told")


@case("presence: offline at once without a grace, and the default is 15 s")
async def no_grace():
    equal("graceMs: 15000" in parley("check-config", "--print").stdout, True, "the default")
    with Gateway(PRESENCE_GRACE_MS=0) as gateway:
        async with connected(gateway, "watcher") as viewer:
            await subscribe(viewer, "online:blinker")
            for _ in range(2):
                async with connected(gateway, "blinker"):
                    await viewer.wait_for(lambda: told(viewer, "blinker")[-1:] == [True], "online")
                await viewer.wait_for(lambda: told(viewer, "blinker")[-1:] == [False], "offline")
            equal(told(viewer, "blinker"), [None, True, False, True, False], "all that was told")


@case("presence.here: the participants who are online, in pages, for participants")
async def who_is_here(gateway):
    names = [f"here{number}" for number in range(5)]
    async with connected(gateway, *names, "stranger") as (*clients, stranger):
        for client in clients:
            await client.call("conversation.createIfNotExists", conversation="here")
        await clients[4].close()
        first = await clients[0].call("presence.here", conversation="here")
        equal(first, {"users": [user(name) for name in names], "count": 5, "loadedAll": True}, "who just left is in the grace")
        with Checks() as check:
            for params, expected in (
                (dict(limit=2), (names[:2], 5, False)),
                (dict(limit=3, after="here1"), (names[2:], 5, True)),
                (dict(after="here4"), ([], 5, True)),
                (dict(after="here"), (names, 5, True)),
            ):
                check.equal(await here(clients[0], "here", **params), expected, f"{params}")
        await refused(stranger.call("presence.here", conversation="here"), 102)
        await refused(stranger.call("presence.here", conversation="nowhere"), 102)
        for limit in (0, 101):
            await refused(clients[0].call("presence.here", conversation="here", limit=limit), -32602, "limit")
        async with await Client.connect(gateway.url, session={"token": token("backend", tokenType="app")}) as backend:
            await subscribe(backend, "online:here4")
            await backend.wait_for(lambda: told(backend, "here4")[-1:] == [False], "the grace is over")
            equal(await here(backend, "here"), (names[:4], 4, True), "a backend sees it too")
        await clients[0].call("participant.delete", conversation="here", user="here1")
        equal(await here(clients[0], "here"), (["here0", "here2", "here3"], 3, True), "who left is not here")
        await clients[0].call("user.set", user="here0", name="Zero")
        found = (await clients[0].call("presence.here", conversation="here", limit=1))["users"]
        equal(found, [user("here0", "Zero")], "as they are called now")


@case("presence.where: the conversations that the caller shares, all for a backend, none while they are offline")
async def where_somebody_is(gateway):
    async with connected(gateway, "seeker", "sought") as (seeker, sought):
        for room in ("where1", "where2", "where3"):
            await sought.call("conversation.createIfNotExists", conversation=room)
        for room in ("where3", "where1", "elsewhere"):
            await seeker.call("conversation.createIfNotExists", conversation=room)
        where = lambda client, name: client.call("presence.where", user=name)
        equal(await where(seeker, "sought"), {"conversations": ["where1", "where3"]}, "shared, the oldest first")
        equal(await where(sought, "sought"), {"conversations": ["where1", "where2", "where3"]}, "one's own")
        equal(await where(seeker, "nobody"), {"conversations": []}, "nobody")
        async with await Client.connect(gateway.url, session={"token": token("backend", tokenType="app")}) as backend:
            equal(await where(backend, "sought"), {"conversations": ["where1", "where2", "where3"]}, "a backend")
            await subscribe(backend, "online:sought")
            await sought.close()
            await backend.wait_for(lambda: told(backend, "sought")[-1:] == [False], "offline")
            equal(await where(backend, "sought"), {"conversations": []}, "offline")


@case("presence: when somebody was active is kept and shown where it is switched on")
async def last_active():
    refusal = parley("check-config", CHAT_STORE_USER_ACTIVITY_INTERVAL="59")
    equal("storeUserActivityInterval must be at least 60000ms" in refusal.stdout + refusal.stderr, True, refusal.stdout + refusal.stderr)
    equal(refusal.returncode == 0, False, "refused at start")
    settings = dict(CHAT_STORE_USER_ACTIVITY_TIMESTAMPS="true", CHAT_STORE_USER_ACTIVITY_INTERVAL=60, PRESENCE_GRACE_MS=0)
    with Gateway(**settings) as gateway:
        async with connected(gateway, "viewer") as viewer:
            await subscribe(viewer, "user:active", "online:active")
            since = time.time() * 1000
            async with connected(gateway, "active") as active:
                seen = {**user("active"), "lastActiveAt": Time(since)}
                await viewer.shows("user:active", seen)
                await viewer.shows("online:active", {"user": seen, "isConnected": True})
                await active.call("conversation.createIfNotExists", conversation="active")
                equal((await send(active, "active", "x"))["sender"], user("active"), "not in messages")
            kept = (await viewer.call("user.get", user="active"))["user"]
            equal(kept, seen, "in a reply")
            async with connected(gateway, "active"):
                equal((await viewer.call("user.get", user="active"))["user"], kept, "at most once in an interval")
        equal(gateway.end(), 0, "exit code")
        gateway.start()
        async with connected(gateway, "viewer") as viewer:
            equal((await viewer.call("user.get", user="active"))["user"], kept, "after a restart")
        gateway.end()
        gateway.settings["CHAT_STORE_USER_ACTIVITY_TIMESTAMPS"] = "false"
        gateway.start()
        async with connected(gateway, "viewer") as viewer:
            equal((await viewer.call("user.get", user="active"))["user"], user("active"), "not shown where it is off")


@case("typing: it ends by sending on any connection, by leaving, by removal, and with the last connection")
async def typing_ends(gateway):
    async with connected(gateway, "reader", "typist", "typist") as (reader, one, two):
        for client in (reader, one):
            await client.call("conversation.createIfNotExists", conversation="keys")
        await subscribe(reader, "typing:keys")
        nobody, somebody = {"many": False, "users": []}, {"many": False, "users": [user("typist")]}
        await reader.shows("typing:keys", nobody)

        async def types(method="conversation.markAsTyping"):
            await one.call(method, conversation="keys")
            await reader.shows("typing:keys", somebody, what=method)
            events = len(reader.events("typing:keys"))
            await one.call(method, conversation="keys")
            await reader.call("ping")
            equal(len(reader.events("typing:keys")), events, "a renewal tells nobody")

        await types()
        await send(two, "keys", "from the other connection")
        await reader.shows("typing:keys", nobody, what="sent")
        await types("conversation.startTyping")
        await two.call("participant.delete", conversation="keys", user="typist")
        await reader.shows("typing:keys", nobody, what="left")
        await one.call("conversation.createIfNotExists", conversation="keys")
        await types()
        await reader.call("participant.delete", conversation="keys", user="typist")
        await reader.shows("typing:keys", nobody, what="removed")
        await one.call("conversation.createIfNotExists", conversation="keys")
        await types()
        await two.close()
        await one.call("user.set", user="typist", name="Typist")
        await reader.shows("typing:keys", {"many": False, "users": [user("typist", "Typist")]}, what="renamed, and one connection is left")
        ended = time.monotonic()
        await one.close()
        await reader.shows("typing:keys", nobody, what="the last connection")
        equal(time.monotonic() - ended < GRACE / 1000, True, "at once")


@case("typing: who has no place to write in is refused, a backend too")
async def typing_refused(gateway):
    async with connected(gateway, "host", "mute", "stranger") as (host, mute, stranger):
        await host.call("conversation.createIfNotExists", conversation="stage", type="public")
        await mute.call("conversation.createIfNotExists", conversation="stage")
        await host.call("participant.edit", conversation="stage", user="mute", access="Read")
        async with await Client.connect(gateway.url, session={"token": token("backend", tokenType="app")}) as backend:
            with Checks() as check:
                for client, name, code in ((mute, "read only", 103), (stranger, "a stranger", 102), (backend, "a backend", 102)):
                    for method in ("markAsTyping", "startTyping", "stopTyping"):
                        with check.row(f"{name}: {method}"):
                            await refused(client.call(f"conversation.{method}", conversation="stage"), code)
                for method in ("startTyping", "stopTyping"):
                    with check.row(f"public: {method}"):
                        error = await refused(host.call(f"conversation.{method}", conversation="stage"), 101)
                        equal(error.error["message"], "Typing indicators are not supported in Public chats.", "the sentence")
            await subscribe(host, "typing:stage")
            await host.shows("typing:stage", {"many": False, "users": []})
            await host.call("conversation.markAsTyping", conversation="stage")
            await backend.call("conversation.markAsTyping", conversation="stage", actAs="host")
            for name, code in (("stranger", 102), ("nobody", 104)):
                await refused(backend.call("conversation.markAsTyping", conversation="stage", actAs=name), code)
