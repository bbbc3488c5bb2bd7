"""What people and a bot do in a chat, and all that each of them is shown, whatever library they use."""

import time

from checks import Checks, Time, equal
from client import refused
from snapshots import conversation, message, participant, quoted, user


async def subscribe(client, *topics, **params):
    for topic in topics:
        result = await client.call("subscribe", topic=topic, **params)
        equal(result, {"topic": topic, "state": "pending"}, "subscribe")


async def send(client, conversation, text, **params):
    result = await client.call("conversation.send", conversation=conversation, text=text, **params)
    equal(result["duplicate"], False, "duplicate")
    return result["message"]


async def next_millisecond(client):
    """Waits until the gateway's clock moves, so that what follows is newer and not equally new."""
    now = (await client.call("ping"))["time"]
    while (await client.call("ping"))["time"] == now:
        pass


def no_event_twice(client):
    """A snapshot equal to the last one sent is not sent."""
    newest = {}
    for event in client.told("subscription"):
        if newest.get(event["topic"]) == event:
            raise AssertionError(f"{event['topic']}: the same event twice in a row: {event}")
        newest[event["topic"]] = event


async def whole_life(connect, prefix):
    """Two people and a bot: everything that happens in a conversation."""
    trip, topics = f"{prefix}trip", ("conversation", "messages", "participants", "typing")
    ana_id, ben_id, bot_id = f"{prefix}ana", f"{prefix}ben", f"{prefix}bot"
    ana, ben, bot = await connect(ana_id, name="Ana"), await connect(ben_id, name="Ben"), await connect(bot_id, tokenType="bot")
    ana_user, ben_user, bot_user = user(ana_id, "Ana"), user(ben_id, "Ben"), user(bot_id)
    equal(ana.session["user"], ana_user, "session.open")

    # Subscriptions to what is not there yet are active with null.
    for client in (ana, ben, bot):
        await subscribe(client, *(f"{topic}:{trip}" for topic in topics), "conversations", f"user:{ana_id}", f"online:{ben_id}")
        for topic in ("conversation", "typing"):
            await client.shows(f"{topic}:{trip}", None)
        for topic in ("messages", "participants"):
            await client.shows(f"{topic}:{trip}", None, loadedAll=True)
        await client.shows("conversations", [], loadedAll=True)
        await client.shows(f"user:{ana_id}", ana_user)
        await client.shows(f"online:{ben_id}", {"user": ben_user, "isConnected": True})

    # Ana makes the conversation.
    fields = dict(subject="Trip", photoUrl="https://example.org/a.png", welcomeMessages=["Hi"], custom={"a": "1", "b": "2"})
    made = await ana.call("conversation.createIfNotExists", conversation=trip, notify="MentionsOnly", **fields)
    seen_by_ana = conversation(trip, notify="MentionsOnly", **fields)
    equal(made, {"conversation": seen_by_ana, "created": True}, "createIfNotExists")
    born = made["conversation"]["createdAt"]
    ana_joined = made["conversation"]["joinedAt"]
    seen_by_ana |= dict(createdAt=born, joinedAt=ana_joined, readUntil=ana_joined, everyoneReadUntil=ana_joined)
    equal(made["conversation"], seen_by_ana, "who joins has read until then")
    await ana.shows(f"conversation:{trip}", seen_by_ana)
    await ana.shows(f"messages:{trip}", [], loadedAll=True)
    await ana.shows(f"typing:{trip}", {"many": False, "users": []})
    ana_place = participant(ana_user, ana_joined, notify="MentionsOnly")
    await ana.shows(f"participants:{trip}", [ana_place], loadedAll=True)
    await ana.shows("conversations", [seen_by_ana], loadedAll=True)
    equal((await ben.call("conversation.get", conversation=trip)), {"conversation": None}, "get from outside")

    # Ben joins: what exists stays as it is. The bot is added by Ana.
    joined = await ben.call("conversation.createIfNotExists", conversation=trip, subject="No")
    ben_joined = joined["conversation"]["joinedAt"]
    equal(joined["created"], False, "created")
    seen_by_ben = {**seen_by_ana, "notify": True, "joinedAt": ben_joined, "readUntil": ben_joined}
    equal(joined["conversation"], seen_by_ben, "the view of who joined later")
    added = await ana.call("participant.createIfNotExists", conversation=trip, user=bot_id)
    bot_place = participant(bot_user, Time(ben_joined))
    equal(added, {"participant": bot_place}, "participant.createIfNotExists")
    bot_joined = bot_place["joinedAt"] = added["participant"]["joinedAt"]
    ben_place = participant(ben_user, ben_joined)
    seen_by_bot = {**seen_by_ben, "joinedAt": bot_joined, "readUntil": bot_joined}
    for client in (ana, ben, bot):
        await client.shows(f"participants:{trip}", [bot_place, ben_place, ana_place], loadedAll=True)
    await bot.shows(f"conversation:{trip}", seen_by_bot)
    await bot.shows("conversations", [seen_by_bot], loadedAll=True)

    # Ben types; he does not see himself. His message ends it.
    await ben.call("conversation.markAsTyping", conversation=trip)
    await ana.shows(f"typing:{trip}", {"many": False, "users": [ben_user]})
    await ben.shows(f"typing:{trip}", {"many": False, "users": []})
    first = await send(ben, trip, "Hello", custom={"k": "v"}, clientMessageId="one")
    equal(first, message(trip, ben_user, "Hello", custom={"k": "v"}), "send")
    await ana.shows(f"typing:{trip}", {"many": False, "users": []})
    for client in (ana, ben, bot):
        await client.shows(f"messages:{trip}", [first], loadedAll=True)
    sent = first["createdAt"]
    seen_by_ben |= dict(lastMessage=first, readUntil=sent)
    seen_by_ana |= dict(lastMessage=first, unreadMessageCount=1, isUnread=True)
    seen_by_bot |= dict(lastMessage=first, unreadMessageCount=1, isUnread=True)

    async def all_see(what):
        for client, view in ((ana, seen_by_ana), (ben, seen_by_ben), (bot, seen_by_bot)):
            await client.shows(f"conversation:{trip}", view, what=what)
            await client.shows("conversations", [view], loadedAll=True, what=what)
            equal(await client.call("conversation.get", conversation=trip), {"conversation": view}, f"get {what}")

    await all_see("after the first message")

    # A retry is the same message; the same id with another request is not.
    again = await ben.call("conversation.send", conversation=trip, text="Hello", custom={"k": "v"}, clientMessageId="one")
    equal(again, {"message": first, "duplicate": True}, "a retry")
    await refused(ben.call("conversation.send", conversation=trip, text="Other", clientMessageId="one"), 106)
    other = await ana.call("conversation.send", conversation=trip, text="Hi Ben", clientMessageId="one", referencedMessage=first["id"])
    equal(other["duplicate"], False, "the same clientMessageId of another sender")
    second = other["message"]
    equal(second, message(trip, ana_user, "Hi Ben", referencedMessage=quoted(first)), "a reply")
    third = await send(bot, trip, "Beep", referencedMessage=second["id"])
    equal(third, message(trip, bot_user, "Beep", origin="bot", referencedMessage=quoted(second)), "a reply to a reply")
    equal(first["id"] < second["id"] < third["id"], True, "ids sort in the conversation's order")
    for client in (ana, ben, bot):
        await client.shows(f"messages:{trip}", [third, second, first], loadedAll=True)
    seen_by_ana |= dict(lastMessage=third, unreadMessageCount=1, isUnread=True, readUntil=second["createdAt"])
    seen_by_ben |= dict(lastMessage=third, unreadMessageCount=2, isUnread=True)
    seen_by_bot |= dict(lastMessage=third, unreadMessageCount=0, isUnread=False, readUntil=third["createdAt"])
    # Everybody has read at least the first message, which Ben sent and the others passed by sending.
    for view in (seen_by_ana, seen_by_ben, seen_by_bot):
        view["everyoneReadUntil"] = first["createdAt"]
    await all_see("after three messages")

    # Reading goes forward only.
    marked = await ben.call("conversation.markAsRead", conversation=trip, upTo=second["id"])
    seen_by_ben |= dict(unreadMessageCount=1, readUntil=second["createdAt"])
    for view in (seen_by_ana, seen_by_ben, seen_by_bot):
        view["everyoneReadUntil"] = second["createdAt"]
    equal(marked, {"conversation": seen_by_ben}, "markAsRead up to a message")
    marked = await ben.call("conversation.markAsRead", conversation=trip, upTo=first["id"])
    equal(marked, {"conversation": seen_by_ben}, "the marker does not go back")
    await all_see("after reading a part")
    marked = await ben.call("conversation.markAsRead", conversation=trip)
    seen_by_ben |= dict(unreadMessageCount=0, isUnread=False, readUntil=third["createdAt"])
    equal(marked, {"conversation": seen_by_ben}, "markAsRead")
    await all_see("after reading all")
    marked = await ben.call("conversation.markAsUnread", conversation=trip)
    seen_by_ben |= dict(isUnread=True)
    equal(marked, {"conversation": seen_by_ben}, "markAsUnread")
    await all_see("after marking as unread")
    equal(await ana.call("conversation.markAllAsRead"), {"count": 1}, "markAllAsRead")
    seen_by_ana |= dict(unreadMessageCount=0, isUnread=False, readUntil=third["createdAt"])
    for view in (seen_by_ana, seen_by_ben, seen_by_bot):
        view["everyoneReadUntil"] = third["createdAt"]
    await all_see("after everybody has read all")

    # An edit replaces the text and patches custom, and shows in the replies that quote the message.
    edited = await ben.call("message.edit", conversation=trip, message=first["id"], text="Hello!", custom={"k": None, "n": "1"})
    first |= dict(
        plaintext="Hello!", content=[{"type": "text", "children": ["Hello!"]}], custom={"n": "1"}, editedAt=Time(third["createdAt"])
    )
    equal(edited, {"message": first}, "message.edit")
    first = edited["message"]
    second["referencedMessage"] = quoted(first)
    for client in (ana, ben, bot):
        await client.shows(f"messages:{trip}", [third, second, first], loadedAll=True, what="after the edit")
    reset = await ben.call("message.deleteFields", conversation=trip, message=first["id"], fields=["custom.n"])
    first |= dict(custom={}, editedAt=reset["message"]["editedAt"])
    equal(reset, {"message": first}, "message.deleteFields")
    second["referencedMessage"] = quoted(first)
    await refused(ana.call("message.edit", conversation=trip, message=first["id"], text="Mine"), 101)
    await refused(ana.call("message.delete", conversation=trip, message=first["id"]), 101)

    # A rename shows wherever the user is shown.
    renamed = await ben.call("user.set", user=ben_id, name="Benjamin", custom={"team": "blue"})
    ben_user |= dict(name="Benjamin", custom={"team": "blue"})
    equal(renamed, {"user": ben_user}, "user.set")
    first["sender"] = ben_user
    second["referencedMessage"] = quoted(first)
    for client in (ana, ben, bot):
        await client.shows(f"messages:{trip}", [third, second, first], loadedAll=True, what="after the rename")
        await client.shows(f"participants:{trip}", [bot_place, ben_place, ana_place], loadedAll=True, what="after the rename")
        await client.shows(f"online:{ben_id}", {"user": ben_user, "isConnected": True}, what="after the rename")
        await all_see("after the rename")

    # Deleting leaves no trace: the reply refers to nothing, the conversation's last message is the one before.
    equal(await ben.call("message.delete", conversation=trip, message=first["id"]), {}, "message.delete")
    equal(await ben.call("message.delete", conversation=trip, message=first["id"]), {}, "deleting what is gone")
    second["referencedMessage"] = None
    for client in (ana, ben, bot):
        await client.shows(f"messages:{trip}", [third, second], loadedAll=True, what="after the delete")
    gone = await ben.call("conversation.send", conversation=trip, text="Hello", custom={"k": "v"}, clientMessageId="one")
    equal(gone, {"message": None, "duplicate": True}, "a retry of what was deleted")
    equal(await bot.call("message.delete", conversation=trip, message=third["id"]), {}, "message.delete")
    for view in (seen_by_ana, seen_by_ben, seen_by_bot):
        view["lastMessage"] = second
    await all_see("after the last message was deleted")
    equal(await ana.call("message.get", conversation=trip, message=third["id"]), {"message": None}, "message.get of what is gone")
    equal(await ana.call("message.get", conversation=trip, message=second["id"]), {"message": second}, "message.get")

    # The conversation's fields: absent stays, null resets, custom merges.
    changed = await ben.call("conversation.set", conversation=trip, subject="Journey", photoUrl=None, custom={"a": None, "c": "3"})
    for view in (seen_by_ana, seen_by_ben, seen_by_bot):
        view |= dict(subject="Journey", photoUrl=None, custom={"b": "2", "c": "3"})
    equal(changed, {"conversation": seen_by_ben}, "conversation.set")
    await all_see("after the change")
    reset = await ana.call("conversation.deleteFields", conversation=trip, fields=["welcomeMessages", "custom.b", "notify"])
    for view in (seen_by_ana, seen_by_ben, seen_by_bot):
        view |= dict(welcomeMessages=[], custom={"c": "3"})
    seen_by_ana["notify"] = ana_place["notify"] = True
    equal(reset, {"conversation": seen_by_ana}, "conversation.deleteFields")
    await all_see("after the reset")

    # The bot is made a reader.
    changed = await ana.call("participant.edit", conversation=trip, user=bot_id, access="Read", notify=False)
    bot_place |= dict(access="Read", notify=False)
    seen_by_bot |= dict(access="Read", notify=False)
    equal(changed, {"participant": bot_place}, "participant.edit")
    await all_see("after the change of access")
    await refused(bot.call("conversation.send", conversation=trip, text="Beep"), 103)
    await refused(bot.call("conversation.markAsTyping", conversation=trip), 103)
    await refused(bot.call("conversation.set", conversation=trip, access="ReadWrite"), 101)
    equal(await bot.call("conversation.markAsRead", conversation=trip), {"conversation": seen_by_bot}, "a reader may read")
    equal(await bot.call("participant.get", conversation=trip, user=ana_id), {"participant": ana_place}, "participant.get")

    # Ben leaves while he types: he sees nothing any more, the others see him gone.
    await ben.call("conversation.markAsTyping", conversation=trip)
    await ana.shows(f"typing:{trip}", {"many": False, "users": [ben_user]})
    equal(await ben.call("participant.delete", conversation=trip, user=ben_id), {}, "leaving")
    for topic in ("conversation", "typing"):
        await ben.shows(f"{topic}:{trip}", None, what="after leaving")
    for topic in ("messages", "participants"):
        await ben.shows(f"{topic}:{trip}", None, loadedAll=True, what="after leaving")
    await ben.shows("conversations", [], loadedAll=True)
    await ana.shows(f"typing:{trip}", {"many": False, "users": []}, what="after he left")
    await ana.shows(f"participants:{trip}", [bot_place, ana_place], loadedAll=True)
    for call in (
        ben.call("conversation.send", conversation=trip, text="Still here?"),
        ben.call("conversation.markAsRead", conversation=trip),
        ben.call("conversation.history", conversation=trip),
    ):
        await refused(call, 102)

    # Meanwhile the others go on; he comes back, and the whole history is there.
    fourth = await send(ana, trip, "He is gone")
    back = await ben.call("conversation.createIfNotExists", conversation=trip)
    equal(back["created"], False, "created")
    ben_place["joinedAt"] = back["conversation"]["joinedAt"]
    seen_by_ben |= dict(
        lastMessage=fourth,
        joinedAt=Time(fourth["createdAt"]),
        readUntil=back["conversation"]["joinedAt"],
        unreadMessageCount=0,
        isUnread=False,
        everyoneReadUntil=second["createdAt"],
    )
    seen_by_ben["everyoneReadUntil"] = third["createdAt"]  # The bot's.
    equal(back["conversation"], seen_by_ben, "the view after coming back")
    await ben.shows(f"conversation:{trip}", seen_by_ben, what="after coming back")
    await ben.shows("conversations", [seen_by_ben], loadedAll=True, what="after coming back")
    await ben.shows(f"messages:{trip}", [fourth, second], loadedAll=True, what="after coming back")
    for client in (ana, ben, bot):
        await client.shows(f"participants:{trip}", [ben_place, bot_place, ana_place], loadedAll=True)

    # Nothing comes after unsubscribing; another subscription starts anew.
    messages = f"messages:{trip}"
    equal(await ben.call("unsubscribe", topic=messages), {"topic": messages, "state": "unsubscribed"}, "unsubscribe")
    equal(await ben.call("unsubscribe", topic=messages), {"topic": messages, "state": "unsubscribed"}, "unsubscribe twice")
    count = len(ben.events(messages))
    fifth = await send(ana, trip, "Are you there?")
    await ana.shows(messages, [fifth, fourth, second], loadedAll=True)
    await ben.shows(f"conversation:{trip}", {**seen_by_ben, "lastMessage": fifth, "unreadMessageCount": 1, "isUnread": True})
    equal(len(ben.events(messages)), count, "events after unsubscribing")
    await subscribe(ben, messages)
    await ben.shows(messages, [fifth, fourth, second], loadedAll=True, what="after resubscribing")
    again = await ben.call("subscribe", topic=messages)
    equal(again["topic"], messages, "subscribe twice")
    equal(again["state"], "active", "subscribe twice")

    # Ben's last connection ends.
    await ben.close()
    for client in (ana, ben, bot):
        no_event_twice(client)


async def long_history(connect, prefix):
    """Pages of the history, and windows that grow."""
    room, topic = f"{prefix}long", f"messages:{prefix}long"
    ana, ben = await connect(f"{prefix}lana"), await connect(f"{prefix}lben")
    for client in (ana, ben):
        await client.call("conversation.createIfNotExists", conversation=room)
    messages = [await send(ana, room, f"message {number}") for number in range(60)]
    newest_first = messages[::-1]
    ids = [item["id"] for item in messages]
    equal(ids, sorted(ids), "ids sort in order")
    times = [item["createdAt"] for item in messages]
    equal(times, sorted(times), "times never decrease")

    async def page(**params):
        result = await ben.call("conversation.history", conversation=room, **params)
        return [ids.index(item["id"]) for item in result["messages"]], result["loadedAll"]

    def down(high, low):
        return list(range(high, low - 1, -1))

    result = await ben.call("conversation.history", conversation=room, limit=2)
    equal(result, {"messages": newest_first[:2], "loadedAll": False}, "messages of the history are whole")
    with Checks() as check:
        check.equal(await page(), (down(59, 30), False), "the default page")
        check.equal(await page(limit=59), (down(59, 1), False), "all but one")
        check.equal(await page(limit=60), (down(59, 0), True), "exactly all")
        check.equal(await page(limit=100), (down(59, 0), True), "more than all")
        check.equal(await page(before=ids[10], limit=5), (down(9, 5), False), "before is exclusive")
        check.equal(await page(before=ids[5], limit=5), (down(4, 0), True), "before, to the beginning")
        check.equal(await page(before=ids[0]), ([], True), "before the first")
        check.equal(await page(after=ids[40], limit=5), (down(45, 41), False), "after gives the oldest beyond it")
        check.equal(await page(after=ids[54], limit=5), (down(59, 55), True), "after, to the newest")
        check.equal(await page(after=ids[59]), ([], True), "after the newest")

    # The window: ten, then more, with all new ones.
    await subscribe(ben, topic)
    await ben.shows(topic, newest_first[:10], loadedAll=False)
    equal(await ben.call("loadMore", topic=topic, count=5), {"loadedAll": False}, "loadMore")
    await ben.shows(topic, newest_first[:15], loadedAll=False)
    newest_first.insert(0, await send(ana, room, "new"))
    await ben.shows(topic, newest_first[:16], loadedAll=False)
    equal(await ben.call("loadMore", topic=topic), {"loadedAll": False}, "loadMore with the default")
    await ben.shows(topic, newest_first[:46], loadedAll=False)
    # A delete does not refill; tombstones work as cursors.
    await ana.call("message.delete", conversation=room, message=newest_first[20]["id"])
    gone = newest_first.pop(20)
    await ben.shows(topic, newest_first[:45], loadedAll=False)
    result = await ben.call("conversation.history", conversation=room, before=gone["id"], limit=1)
    equal(result["messages"], [newest_first[20]], "a tombstone as cursor")
    equal(await ben.call("loadMore", topic=topic, count=100), {"loadedAll": True}, "loadMore to the end")
    await ben.shows(topic, newest_first, loadedAll=True)
    equal(await ben.call("loadMore", topic=topic, count=1), {"loadedAll": True}, "loadMore with nothing left")

    # `from` is the floor of a new window.
    await ben.call("unsubscribe", topic=topic)
    await subscribe(ben, topic, **{"from": newest_first[24]["id"]})
    await ben.shows(topic, newest_first[:25], loadedAll=False)


async def many_participants(connect, prefix):
    """Windows of participants and of conversations."""
    room = f"{prefix}crowd"
    ana = await connect(f"{prefix}pana")
    await ana.call("conversation.createIfNotExists", conversation=room)
    people = []
    for number in range(24):
        member = f"{prefix}p{number:02}"
        await (await connect(member)).close()
        added = await ana.call("participant.set", conversation=room, user=member, notify=False)
        equal(added, {"participant": participant(user(member), Time(), notify=False)}, "participant.set")
        people.insert(0, added["participant"])
    people.append((await ana.call("participant.get", conversation=room, user=f"{prefix}pana"))["participant"])
    topic = f"participants:{room}"
    await subscribe(ana, topic)
    await ana.shows(topic, people[:10], loadedAll=False)
    equal(await ana.call("loadMore", topic=topic), {"loadedAll": False}, "loadMore")
    await ana.shows(topic, people[:20], loadedAll=False)
    await ana.call("participant.delete", conversation=room, user=people.pop(3)["user"]["id"])
    await ana.shows(topic, people[:19], loadedAll=False)
    equal(await ana.call("loadMore", topic=topic), {"loadedAll": True}, "loadMore")
    await ana.shows(topic, people, loadedAll=True)

    # The list of conversations: the last active first, twenty, then more.
    rooms = [f"{prefix}r{number:02}" for number in range(25)]
    for id in rooms:
        await next_millisecond(ana)
        await ana.call("conversation.createIfNotExists", conversation=id)
    order = [*rooms[::-1], room]
    await subscribe(ana, "conversations", "conversations#other")
    ids = lambda topic: [item["id"] for item in ana.latest(topic)["snapshot"]] if ana.latest(topic) else None
    await ana.wait_for(lambda: ids("conversations") == order[:20] == ids("conversations#other"), "twenty conversations")
    equal(ana.latest("conversations")["loadedAll"], False, "loadedAll")
    await next_millisecond(ana)
    await send(ana, order[10], "up")
    order.insert(0, order.pop(10))
    await ana.wait_for(lambda: ids("conversations") == order[:20], "a message brings a conversation up")
    await next_millisecond(ana)
    await send(ana, room, "up")
    order.insert(0, order.pop())
    await ana.wait_for(lambda: ids("conversations") == order[:21], "a message brings a conversation into the window")
    equal(await ana.call("loadMore", topic="conversations", count=3), {"loadedAll": False}, "loadMore")
    await ana.wait_for(lambda: ids("conversations") == order[:24], "three more")
    equal(await ana.call("loadMore", topic="conversations"), {"loadedAll": True}, "loadMore")
    await ana.wait_for(lambda: ids("conversations") == order, "all")
    await ana.wait_for(lambda: ids("conversations#other") == order[:21], "the other window stays as it was")


async def two_people(connect, prefix):
    """A direct conversation: of two people, for ever."""
    ana_id, ben_id, cid_id = f"{prefix}dana", f"{prefix}dben", f"{prefix}dcid"
    ana, ben, cid = await connect(ana_id), await connect(ben_id), await connect(cid_id)
    made = await ana.call("conversation.createIfNotExists", type="direct", **{"with": ben_id})
    view = made["conversation"]
    id = view["id"]
    equal(made, {"conversation": conversation(id, type="direct"), "created": True}, "a direct conversation")
    equal(id.startswith("direct."), True, "the id of a direct conversation")
    same = await ben.call("conversation.createIfNotExists", type="direct", **{"with": ana_id})
    equal((same["conversation"]["id"], same["created"]), (id, False), "from the other side it is the same")
    named = await ana.call("conversation.createIfNotExists", type="direct", conversation=id, **{"with": ben_id})
    equal(named["conversation"]["id"], id, "with its id")
    wrong = dict(type="direct", conversation=f"{prefix}x")
    await refused(ana.call("conversation.createIfNotExists", **wrong, **{"with": ben_id}), -32602)
    await refused(ana.call("conversation.createIfNotExists", type="direct"), -32602)
    await refused(cid.call("conversation.createIfNotExists", conversation=id), 101)
    await refused(cid.call("conversation.set", conversation=id), 101)
    await refused(ana.call("participant.createIfNotExists", conversation=id, user=cid_id), 101)
    await refused(ana.call("participant.set", conversation=id, user=cid_id), 101)
    await subscribe(ben, f"participants:{id}")
    await send(ana, id, "Hello")
    await ben.call("participant.delete", conversation=id, user=ben_id)
    await ben.shows(f"participants:{id}", None, loadedAll=True)
    await ben.call("conversation.createIfNotExists", conversation=id)
    await ben.wait_for(lambda: len((ben.latest(f"participants:{id}")["snapshot"] or [])) == 2, "both are there again")
    history = await ben.call("conversation.history", conversation=id)
    equal([item["plaintext"] for item in history["messages"]], ["Hello"], "the history after coming back")


async def deleted(connect, prefix, connect_backend):
    """A conversation is deleted: nobody sees anything of it any more, and the id is free."""
    room, ana_id = f"{prefix}deleted", f"{prefix}eana"
    ana, backend = await connect(ana_id), await connect_backend()
    await ana.call("conversation.createIfNotExists", conversation=room, subject="Old")
    await send(ana, room, "Hello", clientMessageId="one")
    await subscribe(ana, f"conversation:{room}", f"messages:{room}", f"participants:{room}", f"typing:{room}", "conversations")
    await ana.wait_for(lambda: ana.latest("conversations"), "the list")
    await refused(ana.call("conversation.delete", conversation=room), 101)
    equal(await backend.call("conversation.delete", conversation=room), {}, "conversation.delete")
    for topic in ("conversation", "typing"):
        await ana.shows(f"{topic}:{room}", None, what="after the delete")
    for topic in ("messages", "participants"):
        await ana.shows(f"{topic}:{room}", None, loadedAll=True, what="after the delete")
    await ana.shows("conversations", [], loadedAll=True)
    await refused(ana.call("conversation.send", conversation=room, text="x"), 102)
    made = await ana.call("conversation.createIfNotExists", conversation=room)
    equal(made, {"conversation": conversation(room), "created": True}, "made again")
    await ana.shows(f"messages:{room}", [], loadedAll=True, what="after it was made again")
    sent = await send(ana, room, "Hello", clientMessageId="one")
    await ana.shows(f"messages:{room}", [sent], loadedAll=True)


async def nothing_synced(connect, prefix, connect_backend):
    """With `sync` off only the backend makes conversations and users."""
    room, ana_id = f"{prefix}room", f"{prefix}sana"
    ana, backend = await connect(ana_id), await connect_backend()
    await refused(ana.call("conversation.createIfNotExists", conversation=room), 105)
    await refused(ana.call("conversation.set", conversation=room, subject="Mine"), 105)
    made = await backend.call("conversation.createIfNotExists", conversation=room, subject="Ours", actAs=ana_id)
    equal(made, {"conversation": conversation(room, subject="Ours"), "created": True}, "made by the backend")
    again = await ana.call("conversation.createIfNotExists", conversation=room, subject="Mine")
    equal(again, {**made, "created": False}, "createIfNotExists of a participant changes nothing")
    with Checks() as check:
        for method, params in (
            ("conversation.set", dict(subject="Mine")),
            ("conversation.set", dict(custom={"a": "1"})),
            ("conversation.set", dict(access="Read")),
            ("conversation.deleteFields", dict(fields=["subject"])),
            ("participant.createIfNotExists", dict(user=f"{prefix}sben")),
            ("participant.set", dict(user=ana_id, access="Read")),
            ("participant.edit", dict(user=ana_id, access="Read")),
            ("participant.delete", dict(user=ana_id)),
        ):
            with check.row(f"{method} {params}"):
                await refused(ana.call(method, conversation=room, **params), 105)
        for method, params in (
            ("user.set", dict(name="New")),
            ("user.createIfNotExists", dict(name="New")),
            ("user.deleteFields", dict(fields=["photoUrl"])),
        ):
            with check.row(method):
                await refused(ana.call(method, user=ana_id, **params), 105)
        with check.row("own notify"):
            changed = await ana.call("conversation.set", conversation=room, notify=False)
            equal(changed["conversation"]["notify"], False)
            changed = await ana.call("participant.edit", conversation=room, user=ana_id, notify="MentionsOnly")
            equal(changed["participant"]["notify"], "MentionsOnly")
            changed = await ana.call("conversation.deleteFields", conversation=room, fields=["notify"])
            equal(changed["conversation"]["notify"], True)
        with check.row("sending and editing"):
            sent = await send(ana, room, "Hello")
            await ana.call("message.edit", conversation=room, message=sent["id"], text="Hello!")
            await ana.call("message.delete", conversation=room, message=sent["id"])
        with check.row("another user's record by the backend"):
            changed = await backend.call("user.set", user=ana_id, name="Ana", role="default")
            equal(changed, {"user": user(ana_id, "Ana")})


async def typing(connect, prefix):
    """Who types: leases that end, and more than five are many."""
    room, topic = f"{prefix}typing", f"typing:{prefix}typing"
    people = [await connect(f"{prefix}t{number}") for number in range(7)]
    users = [user(f"{prefix}t{number}") for number in range(7)]
    for person in people:
        await person.call("conversation.createIfNotExists", conversation=room)
    viewer = people[0]
    await subscribe(viewer, topic)
    await viewer.shows(topic, {"many": False, "users": []})
    for number in range(1, 6):
        await people[number].call("conversation.startTyping", conversation=room)
    await viewer.shows(topic, {"many": False, "users": users[1:6]}, what="longest typing first")
    await people[6].call("conversation.startTyping", conversation=room)
    await viewer.shows(topic, {"many": True, "users": None})
    await people[1].call("conversation.stopTyping", conversation=room)
    await viewer.shows(topic, {"many": False, "users": users[2:7]})
    count = len(viewer.events(topic))
    await people[2].call("conversation.startTyping", conversation=room)
    await viewer.call("ping")
    equal(len(viewer.events(topic)), count, "a renewal sends nothing")
    # stopTyping does not end a lease of markAsTyping; leaving and the last connection's end do.
    await people[2].call("conversation.stopTyping", conversation=room)
    await people[3].call("conversation.markAsTyping", conversation=room)
    await people[3].call("conversation.stopTyping", conversation=room)
    await viewer.shows(topic, {"many": False, "users": users[3:7]})
    await people[4].call("participant.delete", conversation=room, user=f"{prefix}t4")
    await viewer.shows(topic, {"many": False, "users": [users[3], users[5], users[6]]})
    start = time.monotonic()
    await people[3].close()
    await viewer.shows(topic, {"many": False, "users": [users[5], users[6]]}, seconds=3)
    await viewer.shows(topic, {"many": False, "users": []}, what="leases end", seconds=8)
    equal(time.monotonic() - start < 8, True, "startTyping lasts five seconds")
