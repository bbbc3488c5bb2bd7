"""Lists of conversations through filters: what each lets pass, live, in pages, and what is refused."""

from checks import Checks, case, equal
from client import connected, refused
from flow import send, subscribe

TOPIC = "conversations"


def shown(client, topic=TOPIC):
    """The ids that a list shows now."""
    event = client.latest(topic)
    return event and [entry["id"] for entry in event["snapshot"]]


async def shows(client, topic, *ids, loadedAll=True, what=""):
    state = lambda: (shown(client, topic), client.latest(topic) and client.latest(topic)["loadedAll"])
    try:
        await client.wait_for(lambda: state() == (list(ids), loadedAll))
    except AssertionError:
        equal(state(), (list(ids), loadedAll), what or topic)


async def room(client, name, *others, **fields):
    await client.call("conversation.createIfNotExists", conversation=name, **fields)
    for other in others:
        await client.call("participant.createIfNotExists", conversation=name, user=other)


@case("lists: each condition lets pass what it says, and the whole list says the same of itself")
async def conditions(gateway):
    async with connected(gateway, "fay", "fred") as (fay, fred):
        await room(fay, "plain", "fred")
        await room(fay, "blue", "fred", subject="Sea", custom={"color": "blue"})
        await room(fay, "red", "fred", subject="Fire", custom={"color": "red", "hot": ""})
        await room(fred, "silent", "fay", subject="Sea")
        await fred.call("participant.set", conversation="silent", user="fay", access="Read")
        await send(fred, "blue", "one")
        sent = await send(fay, "red", "two")
        await subscribe(fay, TOPIC)
        await fay.wait_for(lambda: len(shown(fay) or []) == 4, "all four")
        every = {entry["id"]: entry for entry in fay.latest(TOPIC)["snapshot"]}
        last = lambda entry: entry["lastMessage"] and entry["lastMessage"]["createdAt"]
        color = lambda entry: entry["custom"].get("color")
        later = sent["createdAt"]
        rows = [
            ({"access": ["==", "Read"]}, lambda entry: entry["access"] == "Read"),
            ({"access": ["!oneOf", ["Read"]]}, lambda entry: entry["access"] != "Read"),
            ({"subject": ["==", "Sea"]}, lambda entry: entry["subject"] == "Sea"),
            ({"subject": ["==", None]}, lambda entry: entry["subject"] is None),
            ({"subject": ["!=", "Sea"]}, lambda entry: entry["subject"] != "Sea"),
            ({"subject": ["oneOf", ["Fire", None]]}, lambda entry: entry["subject"] in ("Fire", None)),
            ({"custom": {"color": ["==", "red"]}}, lambda entry: color(entry) == "red"),
            ({"custom": {"color": ["!=", "red"]}}, lambda entry: color(entry) != "red"),
            ({"custom": {"color": "exists", "hot": "!exists"}}, lambda entry: color(entry) and "hot" not in entry["custom"]),
            ({"custom": {"color": ["!oneOf", ["red", "green"]]}}, lambda entry: color(entry) not in ("red", "green")),
            ({"createdAt": ["<=", every["blue"]["createdAt"]]}, lambda entry: entry["createdAt"] <= every["blue"]["createdAt"]),
            ({"createdAt": ["!between", [0, later]]}, lambda entry: entry["createdAt"] > later),
            ({"lastMessageAt": [">=", later]}, lambda entry: last(entry) and last(entry) >= later),
            ({"lastMessageAt": ["between", [0, later]]}, lambda entry: last(entry) and last(entry) <= later),
            ({"hasMessages": True}, last),
            ({"hasMessages": False}, lambda entry: not last(entry)),
            ({"isUnread": True}, lambda entry: entry["isUnread"]),
            ({"isUnread": False, "hasMessages": True}, lambda entry: not entry["isUnread"] and last(entry)),
            (["any", [{"isUnread": True}, {"access": ["==", "Read"]}]], lambda entry: entry["isUnread"] or entry["access"] == "Read"),
            (["any", [{"isUnread": True}, {}]], lambda entry: True),
        ]
        with Checks() as check:
            for number, (filter, passes) in enumerate(rows):
                topic = f"{TOPIC}#{number % 15}"
                await subscribe(fay, topic, filter=filter)
                event = await fay.wait_for(lambda: fay.latest(topic), f"{filter}")
                check.equal(event["snapshot"], [entry for entry in every.values() if passes(entry)], f"{filter}")
                check.equal(event["loadedAll"], True, f"{filter}: loadedAll")
                await fay.call("unsubscribe", topic=topic)
                fay.notifications.clear()


@case("lists: what is read, renamed, written to, left or deleted comes and goes live, on every connection")
async def live(gateway):
    async with connected(gateway, "lia", "lia", "lou") as (lia, other, lou):
        for name in ("first", "second"):
            await room(lia, name, "lou")
        unread, named, whole = f"{TOPIC}#unread", f"{TOPIC}#named", TOPIC
        for client in (lia, other):
            await subscribe(client, unread, filter={"isUnread": True})
            await subscribe(client, named, filter={"subject": ["oneOf", ["Old", "New"]]})
        await subscribe(lia, whole)
        await shows(lia, whole, "second", "first")
        for client in (lia, other):
            await shows(client, unread, what="all is read")
            await shows(client, named, what="none has a name")

        async def all_show(topic, *ids, what):
            for client in (lia, other):
                await shows(client, topic, *ids, what=what)

        await send(lou, "first", "hello")
        await all_show(unread, "first", what="a message came")
        await send(lou, "second", "hello")
        await all_show(unread, "second", "first", what="another came")
        await lia.call("conversation.markAsRead", conversation="second")
        await all_show(unread, "first", what="read")
        await lia.call("conversation.markAsUnread", conversation="second")
        await all_show(unread, "second", "first", what="marked")
        await lou.call("conversation.set", conversation="first", subject="New")
        await all_show(named, "first", what="named")
        await lou.call("conversation.set", conversation="second", subject="Old")
        await all_show(named, "second", "first", what="named too")
        await lou.call("conversation.set", conversation="first", subject="None")
        await all_show(named, "second", what="renamed")
        await lia.call("participant.delete", conversation="second", user="lia")
        await all_show(named, what="left")
        await all_show(unread, "first", what="left")
        await shows(lia, whole, "first")
        # With the last list that has a filter the whole one goes on.
        for client in (lia, other):
            await client.call("unsubscribe", topic=unread)
            await client.call("unsubscribe", topic=named)
        await lou.call("conversation.set", conversation="first", subject="Last")
        await lia.wait_for(lambda: lia.latest(whole)["snapshot"][0]["subject"] == "Last", "the whole list is live")


@case("lists: a filter has pages of its own, and the end is known")
async def pages(gateway):
    async with connected(gateway, "pat", "pia") as (pat, pia):
        names = [f"page{number}" for number in range(50)]
        for number, name in enumerate(names):
            await room(pat, name, "pia", custom={"kind": "even" if number % 2 == 0 else "odd"})
        even = [name for name in reversed(names[::2])]
        await subscribe(pat, TOPIC, filter={"custom": {"kind": ["==", "even"]}})
        await shows(pat, TOPIC, *even[:20], loadedAll=False)
        await pia.call("participant.delete", conversation=even[22], user="pat")
        equal(await pat.call("loadMore", topic=TOPIC, count=2), {"loadedAll": False}, "loadMore")
        await shows(pat, TOPIC, *even[:22], loadedAll=False)
        for gone in even[23:]:
            await pia.call("conversation.set", conversation=gone, custom={"kind": "none"})
        await shows(pat, TOPIC, *even[:22], what="nothing is left below")
        await pia.call("conversation.set", conversation=even[24], custom={"kind": "even"})
        await shows(pat, TOPIC, *even[:22], even[24], what="one is back")
        equal(await pat.call("loadMore", topic=TOPIC), {"loadedAll": True}, "all is loaded")


@case("lists: a filter stays as long as its subscription, and there are at most 20 of them on a connection")
async def refusals(gateway):
    async with connected(gateway, "rita") as client:
        call = lambda topic, **params: client.call("subscribe", topic=topic, **params)
        unread = {"isUnread": True}
        await subscribe(client, TOPIC, filter=unread)
        await shows(client, TOPIC)
        equal(await call(TOPIC, filter=unread), {"topic": TOPIC, "state": "active"}, "the same again")
        await refused(call(TOPIC, filter={"isUnread": False}), 106, "filter")
        await refused(call(TOPIC), 106, "filter")
        await call(f"{TOPIC}#whole")
        await refused(call(f"{TOPIC}#whole", filter=unread), 106, "filter")
        equal((await call(f"{TOPIC}#whole", filter={}))["topic"], f"{TOPIC}#whole", "an empty one is none")
        await refused(call("messages:x", filter=unread), -32602, "filter")
        await refused(call(f"{TOPIC}#bad", filter={"custom": {"color": 1}}), -32602, "filter.custom.color")
        await refused(call(f"{TOPIC}#bad", filter={"subject": ["oneOf", ["x"] * 21]}), 107, "filter.subject")
        for number in range(19):
            await call(f"{TOPIC}#{number}", filter=unread)
        await refused(call(f"{TOPIC}#more", filter=unread), 108, "filter")
        await client.call("unsubscribe", topic=f"{TOPIC}#0")
        await call(f"{TOPIC}#more", filter=unread)


@case("lists: after a restart a list through a filter is what it was")
async def restart(gateway):
    async with connected(gateway, "ron", "ray") as (ron, ray):
        for name in ("kept", "read"):
            await room(ron, name, "ray")
            await send(ray, name, "x")
        await ron.call("conversation.markAsRead", conversation="read")
    equal(gateway.end(), 0, "exit code")
    gateway.start()
    async with connected(gateway, "ron") as ron:
        await subscribe(ron, TOPIC, filter={"isUnread": True})
        await shows(ron, TOPIC, "kept")
