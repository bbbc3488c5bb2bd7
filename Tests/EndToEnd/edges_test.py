"""What happens at the edges: caps of lists and counts, many at once, odd texts, restarts."""

import asyncio
import contextlib
import json
import time

from checks import Checks, case, equal
from client import Client, connected, refused
from flow import next_millisecond, no_event_twice, send, subscribe
from gateway import Gateway
from snapshots import message, user
from tokens import token

ODD_TEXTS = [
    "a\u0000b",
    "\u0001\u001f\u007f",
    "é e\u0301",
    "👩‍👩‍👧‍👦 🏳️‍🌈 🇦🇹",
    "\U0010ffff\ufffd\ufeff",
    "مرحبا \u202eabc",
    "日本語",
    '"quoted" \\ / \b\f\n\r\t',
    "</script><script>alert(1)</script>",
    "<@user> *bold _it `code",
    "a\u2028\u2029b",
    "'; DROP TABLE messages; --",
    "%s %n {}",
    "\ufffe\uffff",
    "x\n" * 100,
]


@case("odd texts come back as they were, also after a restart")
async def odd_texts():
    with Gateway() as gateway:
        async with connected(gateway, "odd", "even") as (odd, even):
            await odd.call("conversation.createIfNotExists", conversation="odd")
            await even.call("conversation.createIfNotExists", conversation="odd")
            await subscribe(even, "messages:odd")
            sent = []
            with Checks() as check:
                for text in ODD_TEXTS:
                    with check.row(repr(text[:40])):
                        got = await send(odd, "odd", text, custom={text[:30]: text[:60]})
                        equal(got, message("odd", user("odd"), text, custom={text[:30]: text[:60]}), "send")
                        sent.insert(0, got)
            await even.wait_for(lambda: (even.latest("messages:odd") or {}).get("snapshot") == sent, "pushed as it was sent")
            long_name = "👩‍🚀" * 60
            await odd.call("user.set", user="odd", name=long_name)
            equal((await even.call("user.get", user="odd"))["user"], user("odd", long_name), "a name")
        equal(gateway.end(), 0, "exit code")
        gateway.start()
        async with connected(gateway, "odd") as odd:
            for item in sent:
                item["sender"] = user("odd", long_name)
            equal((await odd.call("conversation.history", conversation="odd"))["messages"], sent, "after a restart")


@case("escapes of half a surrogate are no text")
async def lone_surrogates(gateway):
    async with connected(gateway, "half") as client:
        await client.call("conversation.createIfNotExists", conversation="half")
        for escape in ("\\ud800", "\\udc00", "\\ud800\\ud800", "\\udc00\\ud800", "\\ud83d "):
            text = '{"jsonrpc":"2.0","id":1,"method":"conversation.send","params":{"conversation":"half","text":"x%s"}}' % escape
            [reply] = await client.answers(text)
            equal(reply.get("error", {}).get("code"), -32700, f"{escape}: {reply}")


@case("retries at once are one message")
async def retries(gateway):
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(await Client.connect(gateway.url, "again")) for _ in range(4)]
        await clients[0].call("conversation.createIfNotExists", conversation="again")
        for number in range(10):
            calls = [
                await client.start("conversation.send", conversation="again", text=f"{number}", clientMessageId=f"{number}")
                for client in clients
                for _ in range(8)
            ]
            results = [(await call)["result"] for call in calls]
            equal(len({result["message"]["id"] for result in results}), 1, "one message")
            equal(sum(not result["duplicate"] for result in results), 1, "one is no duplicate")
        history = await clients[0].call("conversation.history", conversation="again", limit=100)
        equal(len(history["messages"]), 10, "messages")
        # The hash is of the whole request: another custom field is another request, and another conversation is its own.
        await refused(clients[0].call("conversation.send", conversation="again", text="0", clientMessageId="0", custom={"a": "b"}), 106)
        await refused(
            clients[0].call(
                "conversation.send", conversation="again", text="0", clientMessageId="0", referencedMessage=history["messages"][0]["id"]
            ),
            106,
        )
        await clients[0].call("conversation.createIfNotExists", conversation="again2")
        await send(clients[0], "again2", "0", clientMessageId="0")
        # A retry of a member who left is refused like any send.
        await clients[0].call("participant.delete", conversation="again2", user="again")
        await refused(clients[0].call("conversation.send", conversation="again2", text="0", clientMessageId="0"), 102)


@case("the unread count is exact up to 1,000")
async def unread_cap(gateway):
    async with connected(gateway, "writer", "reader") as (writer, reader):
        for client in (writer, reader):
            await client.call("conversation.createIfNotExists", conversation="unread")
        await subscribe(reader, "conversation:unread")

        async def unread():
            return (await reader.call("conversation.get", conversation="unread"))["conversation"]["unreadMessageCount"]

        sent = []
        for wanted in (998, 999, 1000, 1001, 1005):
            calls = [await writer.start("conversation.send", conversation="unread", text="x") for _ in range(wanted - len(sent))]
            sent += [(await call)["result"]["message"]["id"] for call in calls]
            equal(await unread(), min(wanted, 1000), f"after {wanted} messages")
            await reader.wait_for(
                lambda: reader.latest("conversation:unread")["snapshot"]["unreadMessageCount"] == min(wanted, 1000),
                f"pushed after {wanted} messages",
            )
        for gone in sent[:6]:
            await writer.call("message.delete", conversation="unread", message=gone)
        equal(await unread(), 999, "after deletes that bring it below")
        await reader.wait_for(lambda: reader.latest("conversation:unread")["snapshot"]["unreadMessageCount"] == 999, "pushed after deletes")
        await reader.call("conversation.markAsRead", conversation="unread", upTo=sent[-3])
        equal(await unread(), 2, "after reading up to a message")
        async with connected(gateway, "reader") as fresh:
            await subscribe(fresh, "conversation:unread", "conversations")
            await fresh.wait_for(lambda: fresh.latest("conversation:unread"), "a fresh look")
            equal(fresh.latest("conversation:unread")["snapshot"]["unreadMessageCount"], 2, "a fresh look")


@case("lists keep at most 200 items, loadMore beyond is 108")
async def list_cap(gateway):
    async with connected(gateway, "capper") as client:
        await client.call("conversation.createIfNotExists", conversation="cap")
        calls = [await client.start("conversation.send", conversation="cap", text=f"{number}") for number in range(230)]
        sent = [(await call)["result"]["message"] for call in calls][::-1]
        await subscribe(client, "messages:cap")
        await client.wait_for(lambda: client.latest("messages:cap"), "active")
        for wanted in (110, 200):
            await client.call("loadMore", topic="messages:cap", count=100)
            await client.shows("messages:cap", sent[:wanted], loadedAll=False)
        error = await refused(client.call("loadMore", topic="messages:cap", count=1), 108)
        equal(error.error["data"]["key"], "limitExceeded", "key")
        sent.insert(0, await send(client, "cap", "one more"))
        await client.shows("messages:cap", sent[:200], loadedAll=False, what="a new one pushes out the oldest")


@case("`from` after a reconnect: of a deleted message, of a conversation that was left")
async def floors(gateway):
    async with connected(gateway, "owner2", "guest2") as (owner, member):
        for client in (owner, member):
            await client.call("conversation.createIfNotExists", conversation="floor")
        sent = [await send(owner, "floor", f"{number}") for number in range(30)][::-1]
        for index in (20, 15, 29):
            await owner.call("message.delete", conversation="floor", message=sent[index]["id"])
        left = [item for index, item in enumerate(sent) if index not in (20, 15, 29)]
        with Checks() as check:
            for index, count, whole in ((20, 19, False), (29, 27, True), (28, 27, True), (27, 26, False), (0, 1, False)):
                with check.row(f"from the message {index}"):
                    await subscribe(member, "messages:floor", **{"from": sent[index]["id"]})
                    await member.shows("messages:floor", left[:count], loadedAll=whole)
                await member.call("unsubscribe", topic="messages:floor")
                member.notifications.clear()
        # Who was removed meanwhile gets null, never an error; the floor counts again after coming back.
        await owner.call("participant.delete", conversation="floor", user="guest2")
        await subscribe(member, "messages:floor", **{"from": sent[25]["id"]})
        await member.shows("messages:floor", None, loadedAll=True)
        await member.call("conversation.createIfNotExists", conversation="floor")
        await member.wait_for(lambda: member.latest("messages:floor")["snapshot"], "the messages are back")
        await member.call("unsubscribe", topic="messages:floor")
        async with await Client.connect(gateway.url, session={"token": token("app", tokenType="app")}) as app:
            await app.call("conversation.delete", conversation="floor")
        await subscribe(member, "messages:floor", **{"from": sent[25]["id"]})
        await member.shows("messages:floor", None, loadedAll=True, what="of a conversation that was deleted")


@case("a snapshot or a page ends at 256 KiB")
async def size_cap(gateway):
    async with connected(gateway, "heavy") as client:
        await client.call("conversation.createIfNotExists", conversation="heavy")
        sent = [(await send(client, "heavy", f"{number} " + "€" * 9000))["id"] for number in range(40)][::-1]

        def size(value):
            return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())

        seen, params = [], {}
        while True:
            page = await client.call("conversation.history", conversation="heavy", limit=100, **params)
            equal(0 < size(page) <= 262_144 + 1000, True, f"{size(page)} bytes in a page")
            seen += [item["id"] for item in page["messages"]]
            if page["loadedAll"]:
                break
            params = {"before": seen[-1]}
        equal(seen, sent, "all messages, page by page")
        seen, params = [], {"after": sent[-1]}
        while True:
            page = await client.call("conversation.history", conversation="heavy", limit=100, **params)
            seen = [item["id"] for item in page["messages"]] + seen
            if page["loadedAll"]:
                break
            params = {"after": seen[0]}
        equal(seen, sent[:-1], "all messages, page by page, the other way")
        await subscribe(client, "messages:heavy", **{"from": sent[-1]})
        await client.wait_for(lambda: client.latest("messages:heavy"), "active")
        event = client.latest("messages:heavy")
        equal((size(event["snapshot"]) <= 262_144, event["loadedAll"]), (True, False), f"{size(event['snapshot'])} bytes in a snapshot")
        equal([item["id"] for item in event["snapshot"]], sent[: len(event["snapshot"])], "the newest")


@case("changes of users are gathered: at most a snapshot per 100 ms")
async def coalescing(gateway):
    async with connected(gateway, "viewer") as viewer, connected(gateway, "famous") as famous, await Client.connect(
        gateway.url, session={"token": token("app", tokenType="app")}
    ) as app:
        for client in (viewer, famous):
            await client.call("conversation.createIfNotExists", conversation="fame")
        await send(famous, "fame", "x")
        await subscribe(viewer, "messages:fame", "participants:fame", "conversations")
        await viewer.wait_for(lambda: viewer.latest("conversations"), "active")
        seen = {topic: len(viewer.events(topic)) for topic in ("messages:fame", "participants:fame")}
        start = time.monotonic()
        for number in range(300):
            await app.call("user.set", user="famous", name=f"Name {number}")
        await viewer.wait_for(lambda: viewer.latest("messages:fame")["snapshot"][0]["sender"]["name"] == "Name 299", "the last name")
        await viewer.wait_for(
            lambda: "Name 299" in [p["user"]["name"] for p in viewer.latest("participants:fame")["snapshot"]], "the last name"
        )
        most = (time.monotonic() - start) / 0.1 + 3
        for topic, before in seen.items():
            equal(1 <= len(viewer.events(topic)) - before <= most, True, f"{len(viewer.events(topic)) - before} events of {topic}")


@case("what came and went before it could be sent is not sent")
async def nothing_new(gateway):
    async with connected(gateway, "fickle", "patient") as (fickle, patient):
        for client in (fickle, patient):
            await client.call("conversation.createIfNotExists", conversation="fickle")
        await subscribe(patient, "typing:fickle")
        await patient.shows("typing:fickle", {"many": False, "users": []})
        for _ in range(20):
            names = ("startTyping", "stopTyping")
            await fickle.answers(
                [{"jsonrpc": "2.0", "id": name, "method": f"conversation.{name}", "params": {"conversation": "fickle"}} for name in names]
            )
        await fickle.call("conversation.startTyping", conversation="fickle")
        await patient.shows("typing:fickle", {"many": False, "users": [user("fickle")]})
        no_event_twice(patient)


@case("a list of conversations that has come to show all of them says so")
async def whole_list():
    with Gateway(MESSAGES_PAGES_CONVERSATIONS_INITIAL=2) as gateway:
        async with connected(gateway, "lister2") as client:
            for id in ("one", "two", "three"):
                await next_millisecond(client)
                await client.call("conversation.createIfNotExists", conversation=id)
            await subscribe(client, "conversations", "conversations#other")
            for topic in ("conversations", "conversations#other"):
                await client.wait_for(lambda: client.latest(topic), "active")
                equal(client.latest(topic)["loadedAll"], False, "two of three")
            await next_millisecond(client)
            await send(client, "one", "up")
            # The gateway may first show three and only then find out that there is no fourth.
            whole = lambda topic, count: (len(client.latest(topic)["snapshot"]), client.latest(topic)["loadedAll"]) == (count, True)
            await client.wait_for(lambda: whole("conversations", 3), "three of three, because the last one came up")
            await client.call("participant.delete", conversation="two", user="lister2")
            await client.wait_for(lambda: whole("conversations#other", 2), "two of two")


@case("subscribe and unsubscribe in one batch take effect in order")
async def toggling(gateway):
    async with connected(gateway, "toggler") as client:
        await client.call("conversation.createIfNotExists", conversation="toggle")
        methods = ["subscribe", "unsubscribe", "subscribe", "subscribe", "unsubscribe", "unsubscribe", "subscribe"]
        batch = [
            {"jsonrpc": "2.0", "id": number, "method": method, "params": {"topic": "messages:toggle"}}
            for number, method in enumerate(methods)
        ]
        for _ in range(20):
            [array] = await client.answers(batch)
            states = [reply["result"]["state"] for reply in sorted(array, key=lambda reply: reply["id"])]
            equal(
                [states[0], states[1], states[2], states[4], states[5], states[6]],
                ["pending", "unsubscribed", "pending", "unsubscribed", "unsubscribed", "pending"],
                "states",
            )
            await client.shows("messages:toggle", [], loadedAll=True)
            equal(len(client.events("messages:toggle")), 1, "one subscription is active once")
            await client.call("unsubscribe", topic="messages:toggle")
            client.notifications.clear()


@case("a thousand requests in one go are all answered")
async def pipelined(gateway):
    async with connected(gateway, "hasty2") as client:
        calls = [await client.start("ping") for _ in range(1000)]
        equal([call for call in calls if "result" not in await call], [], "requests without a result")


@case("a user's direct conversations: known ids, odd ids, and a collision")
async def direct_ids(gateway):
    async with connected(gateway, "alice", "bob", "a&b", "c", "a", "b&c", "Zoë 🏳️", "\uffee") as people:
        direct = "conversation.createIfNotExists"
        made = await people[0].call(direct, type="direct", **{"with": "bob"})
        equal(made["conversation"]["id"], "direct.6290047293405539", "the id of alice and bob")
        first = await people[2].call(direct, type="direct", **{"with": "c"})
        # "a&b" + "c" and "a" + "b&c" have one hash; they must not meet in one conversation.
        await refused(people[4].call(direct, type="direct", **{"with": "b&c"}), 106)
        equal(
            await people[4].call("conversation.get", conversation=first["conversation"]["id"]), {"conversation": None}, "the other pair's"
        )
        one = await people[6].call(direct, type="direct", **{"with": "\uffee"})
        two = await people[7].call(direct, type="direct", **{"with": "Zoë 🏳️"})
        equal(one["conversation"]["id"], two["conversation"]["id"], "the same from both sides")


@case("a reader may do little")
async def readers(gateway):
    async with connected(gateway, "owner", "quiet") as (owner, quiet):
        await owner.call("conversation.createIfNotExists", conversation="quiet")
        await owner.call("participant.set", conversation="quiet", user="quiet", access="Read")
        sent = await send(owner, "quiet", "x")
        c = {"conversation": "quiet"}
        with Checks() as check:
            for method, params, code in (
                ("conversation.send", {**c, "text": "x"}, 103),
                ("conversation.set", {**c, "subject": "x"}, 103),
                ("conversation.set", {**c, "custom": {"a": "b"}}, 103),
                ("conversation.deleteFields", {**c, "fields": ["subject"]}, 103),
                ("conversation.markAsTyping", c, 103),
                ("conversation.startTyping", c, 103),
                ("conversation.set", {**c, "access": "ReadWrite"}, 101),
                ("conversation.deleteFields", {**c, "fields": ["access"]}, 101),
                ("participant.edit", {**c, "user": "quiet", "access": "ReadWrite"}, 101),
                ("participant.set", {**c, "user": "quiet", "access": "ReadWrite"}, 101),
                ("participant.deleteFields", {**c, "user": "quiet", "fields": ["access"]}, 101),
                ("participant.edit", {**c, "user": "owner", "notify": False}, 103),
                ("participant.delete", {**c, "user": "owner"}, 103),
                ("participant.createIfNotExists", {**c, "user": "owner"}, (0, 103)),
                ("message.edit", {**c, "message": sent["id"], "text": "y"}, (101, 103)),
                ("message.delete", {**c, "message": sent["id"]}, (101, 103)),
                ("conversation.markAsRead", c, 0),
                ("conversation.markAsUnread", c, 0),
                ("conversation.set", {**c, "notify": False}, 0),
                ("participant.edit", {**c, "user": "quiet", "notify": "MentionsOnly"}, 0),
                ("conversation.history", c, 0),
                ("message.get", {**c, "message": sent["id"]}, 0),
                ("subscribe", {"topic": "messages:quiet"}, 0),
                ("participant.delete", {**c, "user": "quiet"}, 0),
                ("conversation.send", {**c, "text": "x"}, 102),
            ):
                reply = await quiet.reply(method, **params)
                got = reply.get("error", {}).get("code", 0)
                check.true(got in (code if isinstance(code, tuple) else (code,)), f"{method} {params}: got {got}, expected {code}")


@case("what is stored stands after a restart: guests, revocations, retries, readers' marks")
async def restart():
    with Gateway() as gateway:
        async with await Client.connect(gateway.url, session={"guest": {"name": "Gast"}}) as guest, connected(
            gateway, "stays", "fired"
        ) as (stays, _):
            made = await guest.call("conversation.createIfNotExists", conversation="kept", subject="Kept", custom={"a": "b"})
            await stays.call("conversation.createIfNotExists", conversation="kept", notify=False)
            await send(guest, "kept", "one", clientMessageId="k")
            await send(guest, "kept", "two")
            await stays.call("conversation.markAsUnread", conversation="kept")
            views = [(await client.call("conversation.get", conversation="kept"))["conversation"] for client in (guest, stays)]
            async with await Client.connect(gateway.url, session={"token": token("app", tokenType="app")}) as app:
                await app.call("session.revoke", user="fired")
            old = token("fired")
            guest_token = guest.session["token"]
            equal(made["created"], True, "created")
        equal(gateway.end(), 0, "exit code")
        gateway.start()
        async with await Client.connect(gateway.url, session={"token": guest_token}) as guest, connected(gateway, "stays") as stays:
            equal(guest.session["user"]["name"], "Gast", "the guest")
            again = [(await client.call("conversation.get", conversation="kept"))["conversation"] for client in (guest, stays)]
            equal(again, views, "the conversation as both see it")
            retry = await guest.call("conversation.send", conversation="kept", text="one", clientMessageId="k")
            equal((retry["duplicate"], retry["message"]["plaintext"]), (True, "one"), "a retry")
            newer = await send(guest, "kept", "three")
            equal(newer["id"] > views[0]["lastMessage"]["id"], True, "ids go on")
            async with await Client.connect(gateway.url) as client:
                await refused(client.call("session.open", token=old), 100)


@case("two gateways' clocks and users do not mix: a guest's token of another store is refused")
async def other_store():
    with Gateway() as one, Gateway() as other:
        async with await Client.connect(one.url, session={"guest": {}}) as guest, await Client.connect(other.url) as stranger:
            await refused(stranger.call("session.open", token=guest.session["token"]), 100)


@case("connections that come and go while others chat", seconds=60)
async def churn(gateway):
    async with connected(gateway, "steady", "friend") as (steady, friend):
        for client in (steady, friend):
            await client.call("conversation.createIfNotExists", conversation="churn")
            await subscribe(client, "messages:churn", "participants:churn", "conversation:churn")

        async def come_and_go(number):
            for _ in range(10):
                client = await Client.connect(gateway.url, f"visitor{number}")
                calls = [await client.start("conversation.createIfNotExists", conversation="churn")]
                for kind in ("messages", "participants", "conversation", "typing"):
                    calls.append(await client.start("subscribe", topic=f"{kind}:churn"))
                calls.append(await client.start("conversation.send", conversation="churn", text=f"visitor {number}"))
                calls.append(await client.start("participant.delete", conversation="churn", user=f"visitor{number}"))
                if number % 2:
                    await asyncio.wait(calls)
                    await client.close()
                else:
                    client.socket.transport.abort()
                    await asyncio.wait([client.reader])

        await asyncio.gather(*(come_and_go(number) for number in range(20)))
        last = await send(steady, "churn", "the end")
        for client in (steady, friend):
            await client.wait_for(lambda: client.latest("messages:churn")["snapshot"][0] == last, "the last message")
        async with connected(gateway, "friend") as fresh:
            await fresh.call("subscribe", topic="participants:churn")
            await fresh.wait_for(lambda: fresh.latest("participants:churn"), "a fresh look")
            # Visitors who were cut off before they left are still participants; both must see the same ones.
            newest = fresh.latest("participants:churn")["snapshot"]
            await friend.wait_for(lambda: friend.latest("participants:churn")["snapshot"][: len(newest)] == newest, "the same participants")
