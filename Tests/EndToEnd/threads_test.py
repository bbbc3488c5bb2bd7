"""Threads: replies under a message, which are a conversation for those who take part in that of the message."""

import asyncio

from checks import Checks, case, equal
from client import Client, RPCError, connected, refused
from files_test import ask, bearer, share, upload
from flow import send, subscribe
from gateway import Gateway
from snapshots import conversation, message, participant, user
from tokens import token

ONE_LEVEL = "Only one level of thread nesting is allowed."
NOT_ON_DELETED = "You cannot create threads on deleted messages."


async def room(name, *clients):
    for client in clients:
        await client.call("conversation.createIfNotExists", conversation=name)


async def thread_of(client, root):
    result = await client.call("message.thread", conversation=root["conversation"], message=root["id"])
    return result["conversation"]


def shown(thread, count, last):
    """What a message shows of its thread."""
    return {"conversation": thread, "replyCount": count, "lastReplyAt": last["createdAt"]}


@case("threads: empty before the first reply, which makes it; the message shows count and time of the replies")
async def whole_life(gateway):
    async with connected(gateway, "ana", "ben", "cy") as (ana, ben, cy):
        await room("life", ana, ben, cy)
        root = await send(ana, "life", "root")
        await subscribe(cy, "messages:life", "conversation:life", "conversations")
        view = await thread_of(ben, root)
        thread = view["id"]
        equal(thread, f"thread.life.{root['id']}", "the id")
        of_root = {"conversation": "life", "message": root["id"]}
        planned = conversation(
            thread, notify=False, threadOf=of_root, createdAt=root["createdAt"], joinedAt=root["createdAt"], readUntil=root["createdAt"]
        )
        equal(view, {**planned, "everyoneReadUntil": view["everyoneReadUntil"]}, "the thread before the first reply")
        equal(await thread_of(cy, root), view, "for the others too")
        await subscribe(cy, *(f"{topic}:{thread}" for topic in ("messages", "conversation", "participants", "typing")))
        await cy.shows(f"messages:{thread}", [], loadedAll=True)
        await cy.shows(f"participants:{thread}", [], loadedAll=True)
        await cy.shows(f"typing:{thread}", {"many": False, "users": []})
        await cy.shows(f"conversation:{thread}", view)
        equal((await ana.call("message.get", conversation="life", message=root["id"]))["message"]["thread"], None, "no thread yet")
        equal(await ana.call("conversation.history", conversation=thread), {"messages": [], "loadedAll": True}, "no history")

        await ben.call("conversation.startTyping", conversation=thread)
        await cy.shows(f"typing:{thread}", {"many": False, "users": [user("ben")]})
        first = await send(ben, thread, "first")
        equal(first, message(thread, user("ben"), "first"), "the reply")
        await cy.shows(f"messages:{thread}", [first], loadedAll=True)
        await cy.shows(f"typing:{thread}", {"many": False, "users": []})
        await cy.shows(f"participants:{thread}", [participant(user("ben"), first["createdAt"])], loadedAll=True)
        with_one = {**root, "thread": shown(thread, 1, first)}
        await cy.shows("messages:life", [with_one], loadedAll=True)
        second = await send(ana, thread, "second", referencedMessage=first["id"])
        with_two = {**root, "thread": shown(thread, 2, second)}
        await cy.shows("messages:life", [with_two], loadedAll=True)
        for client in (ana, ben, cy):
            equal((await client.call("message.get", conversation="life", message=root["id"]))["message"], with_two, "message.get")
            history = await client.call("conversation.history", conversation="life")
            equal(history["messages"], [with_two], "the history")
        quote = await send(cy, "life", "quote", referencedMessage=root["id"])
        equal("thread" in quote["referencedMessage"], False, "a quote does not show the thread")

        await ben.call("message.edit", conversation=thread, message=first["id"], text="edited")
        await ana.call("message.delete", conversation=thread, message=second["id"])
        await cy.wait_for(lambda: cy.latest("messages:life")["snapshot"][-1] == with_one, "one reply is left")
        await ben.call("message.delete", conversation=thread, message=first["id"])
        await cy.wait_for(lambda: cy.latest("messages:life")["snapshot"][-1] == root, "no reply is left")
        third = await send(ben, thread, "third")
        await cy.wait_for(lambda: cy.latest("messages:life")["snapshot"][-1]["thread"] == shown(thread, 1, third), "a new reply")


@case("threads: who replied has it in their list with unread counts, who did not has neither, and both may change that")
async def lists(gateway):
    async with connected(gateway, "list1", "list2", "list3") as (one, two, three):
        await room("lists", one, two, three)
        root = await send(one, "lists", "root")
        thread = (await thread_of(one, root))["id"]
        for client in (one, two, three):
            await subscribe(client, "conversations")
        await send(two, thread, "a")
        await one.wait_for(lambda: (one.latest("conversations") or {"snapshot": []})["snapshot"], "the list")

        def listed(client):
            return {item["id"]: item["unreadMessageCount"] for item in client.latest("conversations")["snapshot"]}

        await two.wait_for(lambda: listed(two).get(thread) == 0, "who replied has it")
        equal([thread in listed(client) for client in (one, three)], [False, False], "the others do not")
        equal(await one.call("conversation.createIfNotExists", conversation=thread) and True, True, "who wants to follow it")
        await one.wait_for(lambda: listed(one).get(thread) == 0, "follows it from now on")
        await send(two, thread, "b")
        await one.wait_for(lambda: listed(one).get(thread) == 1, "and counts what is unread")
        view = (await three.call("conversation.get", conversation=thread))["conversation"]
        equal((view["unreadMessageCount"], view["isUnread"]), (0, False), "who does not follow counts nothing")
        view = (await three.call("conversation.markAsUnread", conversation=thread))["conversation"]
        equal(view["isUnread"], False, "nor marks it")
        equal(await one.call("conversation.markAllAsRead"), {"count": 1}, "everything is read")
        await one.wait_for(lambda: listed(one).get(thread) == 0, "the thread too")
        await one.call("participant.delete", conversation=thread, user="list1")
        await one.wait_for(lambda: thread not in listed(one), "and leaves it again")
        equal(await three.call("presence.where", user="list2"), {"conversations": ["lists"]}, "where both are")


@case("threads: who may do what follows from the conversation of the message, at once")
async def rights(gateway):
    async with connected(gateway, "owner1", "reader1", "muted1", "gone1", "stranger1") as (owner, reader, muted, gone, stranger):
        await room("rights", owner, reader, muted, gone)
        root = await send(owner, "rights", "root")
        thread = (await thread_of(owner, root))["id"]
        async with await Client.connect(gateway.url, session={"token": token("rights-app", tokenType="app")}) as app:
            for client in (reader, muted, gone):
                await send(client, thread, "hello")
                await subscribe(client, f"messages:{thread}", f"conversation:{thread}", "conversations")
            for client, name in ((gone, "gone1"), (reader, "reader1")):
                await client.wait_for(lambda: len((client.latest(f"messages:{thread}") or {"snapshot": []})["snapshot"]) == 3, f"{name} sees")
            await app.call("participant.edit", conversation="rights", user="reader1", access="Read")
            await refused(reader.call("conversation.send", conversation=thread, text="x"), 103)
            await reader.wait_for(lambda: reader.latest(f"conversation:{thread}")["snapshot"]["access"] == "Read", "the access is shown")
            await app.call("moderation.set", conversation="rights", user="muted1", mute=True, reason="loud")
            error = await refused(muted.call("conversation.send", conversation=thread, text="x"), 111)
            equal(error.error["data"]["reason"], "loud", "the reason")
            await refused(muted.call("conversation.startTyping", conversation=thread), 111)
            await app.call("moderation.set", conversation="rights", user="muted1")
            await send(muted, thread, "again")
            await app.call("participant.delete", conversation="rights", user="gone1")
            await gone.shows(f"messages:{thread}", None, loadedAll=True)
            await gone.shows(f"conversation:{thread}", None)
            await gone.wait_for(lambda: gone.latest("conversations")["snapshot"] == [], "the list is empty")
            for method, params in (
                ("conversation.send", {"text": "x"}),
                ("conversation.history", {}),
                ("conversation.markAsTyping", {}),
            ):
                for client in (gone, stranger):
                    await refused(client.call(method, conversation=thread, **params), 102)
            for client in (gone, stranger):
                await refused(client.call("message.thread", conversation="rights", message=root["id"]), 102)
                equal(await client.call("conversation.get", conversation=thread), {"conversation": None}, "get")
                await refused(client.call("conversation.createIfNotExists", conversation=thread), 102)
            await room("rights", gone)
            await gone.wait_for(lambda: gone.latest(f"messages:{thread}")["snapshot"], "who comes back sees it again")
            names = [item["user"]["id"] for item in await places(owner, thread)]
            equal(names, ["muted1", "reader1"], "but has to reply again to be in it")
            equal((await app.call("conversation.send", conversation=thread, text="note"))["message"]["type"], "SystemMessage", "a backend")
            with Checks() as check:
                for method, params, code in (
                    ("participant.createIfNotExists", {"user": "stranger1"}, 101),
                    ("participant.set", {"user": "reader1", "notify": False}, 101),
                    ("participant.edit", {"user": "owner1", "access": "Read"}, 101),
                    ("participant.delete", {"user": "reader1"}, 101),
                    ("moderation.set", {"user": "reader1", "mute": True}, 101),
                    ("moderation.list", {}, 101),
                ):
                    for client in (app, owner):
                        got = await refused_with(client, method, conversation=thread, **params)
                        check.equal(got, code, f"{method} {params}")


async def places(client, thread):
    await subscribe(client, f"participants:{thread}")
    await client.wait_for(lambda: client.latest(f"participants:{thread}"), "the participants")
    return client.latest(f"participants:{thread}")["snapshot"]


async def refused_with(client, method, **params):
    try:
        await client.call(method, **params)
        return 0
    except RPCError as error:
        return error.code


@case("threads: there is no thread in a thread, under what is deleted, or under nothing")
async def refusals(gateway):
    async with connected(gateway, "ref") as client:
        await room("refusals", client)
        root, other = await send(client, "refusals", "root"), await send(client, "refusals", "deleted")
        thread = (await thread_of(client, root))["id"]
        reply = await send(client, thread, "reply")
        error = await refused(client.call("message.thread", conversation=thread, message=reply["id"]), 101, "conversation")
        equal(error.error["message"], ONE_LEVEL, "one level")
        gone = (await thread_of(client, other))["id"]
        await client.call("message.delete", conversation="refusals", message=other["id"])
        for method, params in (
            ("message.thread", dict(conversation="refusals", message=other["id"])),
            ("conversation.send", dict(conversation=gone, text="x")),
        ):
            error = await refused(client.call(method, **params), 104, "message")
            equal(error.error["message"], NOT_ON_DELETED, method)
        await refused(client.call("message.thread", conversation="refusals", message="nothing"), 104, "message")
        await refused(client.call("message.thread", conversation="nowhere", message=root["id"]), 102)
        for id in ("thread.refusals.x", f"thread.nowhere.{root['id']}", f"thread.refusals.{reply['id']}"):
            await refused(client.call("conversation.createIfNotExists", conversation=id), -32602, "conversation")
            await refused(client.call("conversation.send", conversation=id, text="x"), 102)


@case("threads: a thread goes with its message and with the conversation, and what a manager deletes can be made again")
async def endings(gateway):
    async with connected(gateway, "end1", "end2") as (one, two):
        await room("endings", one, two)
        roots = [await send(one, "endings", f"root {number}") for number in range(3)]
        threads = [(await thread_of(one, root))["id"] for root in roots]
        await subscribe(two, "conversations", *(f"messages:{thread}" for thread in threads))
        for thread in threads:
            await send(two, thread, "reply")
            await two.wait_for(lambda: (two.latest(f"messages:{thread}") or {"snapshot": None})["snapshot"], "the reply")

        def listed():
            return sorted(item["id"] for item in two.latest("conversations")["snapshot"])

        await two.wait_for(lambda: listed() == sorted(["endings", *threads]), "all are in the list")
        await one.call("message.delete", conversation="endings", message=roots[0]["id"])
        await two.shows(f"messages:{threads[0]}", None, loadedAll=True)
        await two.wait_for(lambda: listed() == sorted(["endings", *threads[1:]]), "the thread of the message is gone")
        async with await Client.connect(gateway.url, session={"token": token("endings-app", tokenType="app")}) as app:
            await app.call("conversation.delete", conversation=threads[1])
            await two.shows(f"messages:{threads[1]}", [], loadedAll=True)
            await two.wait_for(lambda: listed() == sorted(["endings", threads[2]]), "the deleted thread is gone")
            equal((await two.call("message.get", conversation="endings", message=roots[1]["id"]))["message"], roots[1], "no thread")
            error = await refused(app.call("conversation.delete", conversation=threads[1]), 104)
            equal(error.error["message"], "There is no thread to be deleted.", "there is none")
            again = await send(two, threads[1], "again")
            await two.shows(f"messages:{threads[1]}", [again], loadedAll=True)
            await app.call("conversation.delete", conversation="endings")
        for thread in threads[1:]:
            await two.shows(f"messages:{thread}", None, loadedAll=True)
        await two.wait_for(lambda: listed() == [], "nothing is left")
        await room("endings", two)
        await refused(two.call("message.thread", conversation="endings", message=roots[2]["id"]), 104)


@case("threads: they survive a restart, also of a conversation with the longest id")
async def restart():
    name = "é" * 92
    with Gateway() as gateway:
        async with connected(gateway, "ana", "ben") as (ana, ben):
            await room(name, ana, ben)
            root = await send(ana, name, "root")
            thread = (await thread_of(ana, root))["id"]
            equal(len(thread), 121, "the length of the id")
            reply = await send(ben, thread, "reply", clientMessageId="k")
        gateway.end()
        gateway.start()
        async with connected(gateway, "ana", "ben") as (ana, ben):
            history = await ana.call("conversation.history", conversation=name)
            equal(history["messages"], [{**root, "thread": shown(thread, 1, reply)}], "the message shows its thread")
            await subscribe(ana, f"messages:{thread}")
            await ana.shows(f"messages:{thread}", [reply], loadedAll=True)
            again = await ben.call("conversation.send", conversation=thread, text="reply", clientMessageId="k")
            equal(again, {"message": reply, "duplicate": True}, "a retry")
            await subscribe(ben, "conversations")
            await ben.wait_for(lambda: ben.latest("conversations"), "the list")
            equal({item["id"] for item in ben.latest("conversations")["snapshot"]}, {name, thread}, "the list")


@case("threads: who takes part in the conversation may fetch the files of a thread, until they leave")
async def files(gateway):
    async with connected(gateway, "file1", "file2") as (one, two):
        await room("files", one, two)
        root = await send(two, "files", "root")
        thread = (await thread_of(one, root))["id"]
        file = await asyncio.to_thread(upload, gateway, "file1")
        await share(one, thread, file)
        fetch = lambda user: ask(gateway, "GET", f"/files/{file['fileToken']}", **bearer(user))[0]
        equal([await asyncio.to_thread(fetch, user) for user in ("file2", "file3")], [200, 404], "who may fetch it")
        await two.call("participant.delete", conversation="files", user="file2")
        equal(await asyncio.to_thread(fetch, "file2"), 404, "who left may not")
