"""What a member of a chat can do to it by asking too much, or for what is another's; row by row of Tests/Attacks.md."""

import contextlib
import itertools
import sqlite3

from attack import Cost, linear, scaled
from checks import Checks, case, equal
from client import connected, refused
from flow import send, subscribe
from gateway import Gateway
from snapshots import message, user
from storage_test import database


@case("chat abuse: a storm of subscribing and unsubscribing leaves nothing behind", seconds=300)
async def subscription_storm(gateway):
    async with connected(gateway, "stormy", "calm") as (stormy, calm):
        for client in (stormy, calm):
            await client.call("conversation.createIfNotExists", conversation="storm")
        topics = [f"{kind}:storm" for kind in ("messages", "conversation", "participants", "typing")] + ["conversations", "user:calm"]
        batch = [
            {"jsonrpc": "2.0", "id": f"{number}", "method": method, "params": {"topic": topic}}
            for number, (topic, method) in enumerate(itertools.product(topics, ("subscribe", "unsubscribe")))
        ]

        async def storm(rounds):
            for _ in range(rounds):
                [array] = await stormy.answers(batch)
                equal([reply for reply in array if "result" not in reply], [], "answers")
            stormy.frames.clear()
            stormy.notifications.clear()

        await storm(scaled(100, 1000))
        with Cost(gateway) as cost:
            await storm(scaled(300, 10_000))
        equal(cost.bytes < 4e6, True, f"{cost.bytes / 1e6:.1f} MB more after the storm")
        # None of them is live: nothing more is told.
        sent = await send(calm, "storm", "x")
        await stormy.call("ping")
        equal(stormy.told("subscription"), [], "events without a subscription")
        await subscribe(stormy, "messages:storm")
        await stormy.shows("messages:storm", [sent], loadedAll=True)


@case("chat abuse: subscribing to ever more topics ends at the limit, and what was taken comes back", seconds=300)
async def many_topics():
    with Gateway(SERVER_LIMITS_MAX_SUBSCRIPTIONS=500) as gateway:
        async with connected(gateway, "greedy") as greedy:
            await send_one(greedy, "mine")

            async def greed(count):
                outcomes = {}
                for start in range(0, count, 32):
                    numbers = range(start, min(start + 32, count))
                    [array] = await greedy.answers(
                        [
                            {"jsonrpc": "2.0", "id": number, "method": "subscribe", "params": {"topic": f"messages:room{number}"}}
                            for number in numbers
                        ]
                    )
                    for reply in array:
                        code = reply.get("error", {}).get("code", 0)
                        outcomes[code] = outcomes.get(code, 0) + 1
                return outcomes

            count = scaled(3000, 100_000)
            equal(await greed(count), {0: 500, 108: count - 500}, "answers by code")
            await refused(greedy.call("subscribe", topic="messages:mine"), 108)
            with Cost(gateway) as cost:
                equal(await greed(count), {0: 500, 108: count - 500}, "the same topics again")
            equal(cost.bytes < 4e6, True, f"{cost.bytes / 1e6:.1f} MB more for topics that are refused")
            await greedy.call("unsubscribe", topic="messages:room0")
            await subscribe(greedy, "messages:mine")
            await greedy.wait_for(lambda: greedy.latest("messages:mine"), "the topic whose place became free")
            equal(gateway.metric("parley_subscriptions") <= 500, True, "subscriptions that are counted")


async def send_one(client, conversation, text="x"):
    await client.call("conversation.createIfNotExists", conversation=conversation)
    return await send(client, conversation, text)


@case("chat abuse: cursors and marks of another room, beyond the head or made up tell nothing and move nothing")
async def foreign_cursors(gateway):
    async with connected(gateway, "prying", "private") as (prying, private):
        own = await send_one(prying, "own")
        hidden = await send_one(private, "hidden-room", "hidden")
        await private.call("conversation.createIfNotExists", conversation="own")
        sent = [await send(prying, "own", f"{number}") for number in range(3)]
        # Numbers of both rooms begin at the clock: what is made of the other's may be one of ours.
        ours = {message["id"] for message in (own, *sent)}
        beyond = sent[-1]["id"][:-1] + chr(ord(sent[-1]["id"][-1]) + 1)
        made_up = [
            "",
            "0",
            "-1",
            "9" * 60,
            "z" * 60,
            own["id"] + "0",
            own["id"][:-1],
            own["id"].upper() + "!",
            beyond,
            "\0",
            "%",
            hidden["id"],
            own["id"][:8] + hidden["id"][8:],
            hidden["id"][:8] + own["id"][8:],
        ]
        made_up = [cursor for cursor in made_up if cursor not in ours]
        calls = {
            "conversation.history": ("before", "after"),
            "conversation.markAsRead": ("upTo",),
            "conversation.send": ("referencedMessage",),
        }
        with Checks() as check:
            for method, names in calls.items():
                for name, cursor in itertools.product(names, made_up):
                    extra = {"text": "x"} if method == "conversation.send" else {}
                    with check.row(f"{method} {name} {cursor!r}"):
                        error = await refused(private.call(method, conversation="own", **{name: cursor}, **extra), 104)
                        nowhere = await refused(private.call(method, conversation="own", **{name: "nowhere"}, **extra), 104)
                        # A message of another room and one that never was are told alike.
                        equal(error.error, nowhere.error, "the error")
            for cursor in made_up:
                with check.row(f"message.get {cursor!r}"):
                    equal(await prying.call("message.get", conversation="own", message=cursor), {"message": None})
                    equal(await prying.call("message.get", conversation="hidden-room", message=cursor), {"message": None})
                with check.row(f"message.edit {cursor!r}"):
                    await refused(prying.call("message.edit", conversation="own", message=cursor, text="y"), 104)
                with check.row(f"subscribe from {cursor!r}"):
                    reply = await prying.reply("subscribe", topic="messages:hidden-room", **{"from": cursor})
                    equal(reply.get("error", {}).get("code", 0) in (0, -32602, 104), True, f"{reply}")
                    await prying.call("unsubscribe", topic="messages:hidden-room")
            for limit in (-1, 0, 101, 2**31, 2**31 - 1, 2**32, 2**63, -(2**63)):
                with check.row(f"limit {limit}"):
                    await refused(prying.call("conversation.history", conversation="own", limit=limit), -32602, "limit")
            await subscribe(prying, "messages:own")
            await prying.wait_for(lambda: prying.latest("messages:own"), "active")
            for count in (-1, 0, 101, 2**31, 2**63):
                with check.row(f"count {count}"):
                    await refused(prying.call("loadMore", topic="messages:own", count=count), -32602, "count")
            view = (await private.call("conversation.get", conversation="own"))["conversation"]
            check.equal(view["unreadMessageCount"], 3, "nothing was marked as read")
            check.equal(
                (await private.call("conversation.history", conversation="own"))["messages"], [*sent[::-1], own], "nothing was sent"
            )
            shown = [event["snapshot"] for event in prying.events("messages:hidden-room")]
            check.equal(shown, [None] * len(shown), "what is shown of a room of others")


@case("chat abuse: typing a thousand times a second costs the typist, not the readers")
async def typing_storm(gateway):
    async with connected(gateway, "typist", "reader") as (typist, reader):
        for client in (typist, reader):
            await client.call("conversation.createIfNotExists", conversation="typing")
        await subscribe(reader, "typing:typing")
        await reader.shows("typing:typing", {"many": False, "users": []})
        for _ in range(scaled(20, 200)):
            calls = [await typist.start("conversation.markAsTyping", conversation="typing") for _ in range(100)]
            equal([call for call in calls if "result" not in await call], [], "answers")
        await reader.shows("typing:typing", {"many": False, "users": [user("typist")]})
        await reader.call("ping")
        equal(len(reader.events("typing:typing")), 2, "an event for all of it")


@case("chat abuse: texts of combining, zero-width and turning characters come back as they were or are too large")
async def odd_letters(gateway):
    letters = {"combining": "\u0301", "enclosing": "\u20dd", "zero-width joiner": "\u200d", "override": "\u202e", "isolate": "\u2066",
               "tag": "\U000e0041", "variation": "\ufe0f", "Hangul": "\u1112", "Zalgo": "\u0338\u0489\u034f"}  # fmt: skip
    async with connected(gateway, "letters", "witness") as (client, witness):
        for one in (client, witness):
            await one.call("conversation.createIfNotExists", conversation="letters")
        await subscribe(witness, "messages:letters")
        with Checks() as check:
            for name, letter in letters.items():
                with check.row(name):
                    text = ("a" + letter * 10_000)[:10_000]
                    sent = await send(client, "letters", text)
                    equal(sent, message("letters", user("letters"), text), "a text of 10,000")
                    await refused(client.call("conversation.send", conversation="letters", text=text + letter[:1]), 107, "text")
                    await refused(client.call("conversation.createIfNotExists", conversation="a" + letter[:1] * 92), -32602, "conversation")
                    await witness.wait_for(lambda: (witness.latest("messages:letters")["snapshot"] or [None])[0] == sent, "pushed")

        async def attack(size):
            for _ in range(10):
                await refused(client.call("user.set", user="letters", name="\u0315\u0300" * (size // 2)), 107)
                await refused(client.call("user.get", user="\u0315\u0300" * (size // 2)), -32602)

        await linear(gateway, attack, 8_000, "marks out of order")


@case("chat abuse: one clientMessageId of two users, or in two rooms, is two messages")
async def same_client_message_id(gateway):
    async with connected(gateway, "one", "two") as (one, two):
        for client, room in itertools.product((one, two), ("ids", "ids2")):
            await client.call("conversation.createIfNotExists", conversation=room)
        calls = [
            await client.start("conversation.send", conversation=room, text=f"{number}", clientMessageId="same")
            for number, (client, room) in enumerate(itertools.product((one, two), ("ids", "ids2")))
        ]
        results = [(await call)["result"] for call in calls]
        equal([result["duplicate"] for result in results], [False] * 4, "duplicates")
        equal(len({result["message"]["id"] for result in results}), 4, "messages")
        # The other's message is not what a retry gets.
        again = await two.call("conversation.send", conversation="ids", text="2", clientMessageId="same")
        equal((again["duplicate"], again["message"]["sender"]["id"]), (True, "two"), "a retry")


@case("chat abuse: sends that cross a removal are in order before it, or refused")
async def removed_while_sending(gateway):
    async with connected(gateway, "owner", "removed") as (owner, removed):
        for number in range(scaled(10, 500)):
            room = f"removal{number}"
            await owner.call("conversation.createIfNotExists", conversation=room)
            await owner.call("participant.set", conversation=room, user="removed")
            await subscribe(removed, f"messages:{room}")
            sends = [await removed.start("conversation.send", conversation=room, text=f"{n}") for n in range(15)]
            removal = await owner.start("participant.delete", conversation=room, user="removed")
            sends += [await removed.start("conversation.send", conversation=room, text=f"{n}") for n in range(15, 30)]
            equal((await removal).get("result"), {}, "the removal")
            after = await removed.start("conversation.send", conversation=room, text="after")
            codes = [(await call).get("error", {}).get("code", 0) for call in sends]
            count = codes.count(0)
            equal(codes, [0] * count + [102] * (30 - count), "those before are taken, those after are not")
            equal((await after).get("error", {}).get("code"), 102, "a send after the removal was acknowledged")
            history = (await owner.call("conversation.history", conversation=room, limit=100))["messages"]
            equal([item["plaintext"] for item in history], [f"{n}" for n in range(count)][::-1], "what stands in the room")
            late = await send(owner, room, "secret")
            await removed.wait_for(
                lambda: (removed.latest(f"messages:{room}") or {"snapshot": 0})["snapshot"] is None, "null for who was removed"
            )
            await removed.call("ping")
            equal(late["id"] in str(removed.events(f"messages:{room}")), False, "what came after the removal is not shown")


@case("complaint 7: what is delivered is not read: only markAsRead and own messages move the mark")
async def delivered_is_not_read(gateway):
    async with connected(gateway, "sender", "looker") as (sender, looker):
        for client in (sender, looker):
            await client.call("conversation.createIfNotExists", conversation="unread")
        await subscribe(looker, "messages:unread", "conversation:unread", "conversations", "participants:unread")
        for number in range(5):
            sent = await send(sender, "unread", f"{number}")
        await looker.wait_for(lambda: (looker.latest("messages:unread") or {"snapshot": []})["snapshot"][:1] == [sent], "delivered")
        await looker.call("conversation.history", conversation="unread")
        await looker.call("message.get", conversation="unread", message=sent["id"])
        await looker.call("conversation.markAsTyping", conversation="unread")
        await looker.call("loadMore", topic="messages:unread")
        await looker.call("unsubscribe", topic="messages:unread")
        view = (await looker.call("conversation.get", conversation="unread"))["conversation"]
        equal((view["unreadMessageCount"], view["isUnread"]), (5, True), "what was only looked at")
        view = (await looker.call("conversation.markAsRead", conversation="unread"))["conversation"]
        equal((view["unreadMessageCount"], view["isUnread"]), (0, False), "what was marked")


@case("complaint 35: a ping overtakes pages of the history, and a commit that takes long holds up neither pages nor pings")
async def nothing_waits_for_the_slow():
    with Gateway() as gateway:
        async with connected(gateway, "asker") as asker:
            for room in ("slow", "quick", "third"):
                await send_one(asker, room)
            for _ in range(6):
                await send(asker, "slow", "€" * 9000)
            overtakes = 0
            for _ in range(10):
                order = []
                calls = {f"page {number}": await asker.start("conversation.history", conversation="slow", limit=100) for number in range(3)}
                calls["ping"] = await asker.start("ping")
                for name, call in calls.items():
                    call.add_done_callback(lambda _, name=name: order.append(name))
                equal([reply for reply in [await call for call in calls.values()] if "result" not in reply], [], "answers")
                overtakes += order[0] == "ping"
            equal(overtakes > 0, True, "a ping is answered before pages that were asked for earlier")
            # Another program holds the writer's lock, as a slow disk would.
            with contextlib.closing(sqlite3.connect(database(gateway), isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                held = await asker.start("conversation.send", conversation="slow", text="held up")
                quick = await asker.start("conversation.send", conversation="quick", text="held up as well")
                page = await asker.call("conversation.history", conversation="third")
                equal(len(page["messages"]), 1, "a page of a room in which nothing waits")
                await asker.call("ping")
                await asker.call("user.get", user="asker")
                equal(gateway.status("/livez"), 200, "/livez")
                equal((held.done(), quick.done()), (False, False), "what is not on the disk is not acknowledged")
                other.execute("ROLLBACK")
            equal([("result" in await call) for call in (held, quick)], [True, True], "answers when the disk is there again")
