"""Reactions and the pinned message over real connections: each viewer's own view, a restart, bounds and refusals."""

from checks import Checks, case, equal
from client import Client, connected, refused
from flow import send, subscribe
from gateway import Gateway
from tokens import token

LIKE, LOVE = "\N{THUMBS UP SIGN}", "\N{HEAVY BLACK HEART}\N{VARIATION SELECTOR-16}"


def told(message):
    """What stands on a message: the emoji with their counts, and a star for the viewer's own."""
    return [f"{item['emoji']} {item['count']}{'*' * item['currentUserReacted']}" for item in message["reactions"]]


async def together(client, other, conversation):
    for one in (client, other):
        await one.call("conversation.createIfNotExists", conversation=conversation)


async def sees(client, topic, expected, look):
    """Waits until the newest snapshot of a topic, looked at in one place, is as expected."""
    is_shown = lambda: client.latest(topic) and look(client.latest(topic)["snapshot"]) == expected
    await client.wait_for(is_shown, f"{topic} shows {expected}")


@case("everybody sees how many reacted and whether they did, wherever the message stands")
async def everywhere(gateway):
    async with connected(gateway, "rea", "reb") as (rea, reb):
        await together(rea, reb, "everywhere")
        first = await send(rea, "everywhere", "first")
        await send(reb, "everywhere", "second", referencedMessage=first["id"])
        await rea.call("conversation.pin", conversation="everywhere", message=first["id"])
        looks = {
            "messages:everywhere": [lambda shown: told(shown[1]), lambda shown: told(shown[0]["referencedMessage"])],
            "conversation:everywhere": [
                lambda shown: told(shown["pinnedMessage"]),
                lambda shown: told(shown["lastMessage"]["referencedMessage"]),
            ],
            "conversations": [
                lambda shown: told(shown[0]["pinnedMessage"]),
                lambda shown: told(shown[0]["lastMessage"]["referencedMessage"]),
            ],
        }
        for client in (rea, reb):
            await subscribe(client, *looks)
        place = {"conversation": "everywhere", "message": first["id"]}
        # The letter that older keyboards write is told as the picture.
        reply = await reb.call("message.addReaction", **place, emoji="\N{HEAVY BLACK HEART}")
        equal(told(reply["message"]), [f"{LOVE} 1*"], "the reply")
        equal(reply["message"]["editedAt"], None, "a reaction is no edit")
        await rea.call("message.addReaction", **place, emoji=LIKE)
        equal(told((await reb.call("message.addReaction", **place, emoji=LOVE))["message"]), [f"{LOVE} 1*", f"{LIKE} 1"], "twice is one")
        for client, expected in ((rea, [f"{LOVE} 1", f"{LIKE} 1*"]), (reb, [f"{LOVE} 1*", f"{LIKE} 1"])):
            for topic, places in looks.items():
                for look in places:
                    await sees(client, topic, expected, look)
            page = (await client.call("conversation.history", conversation="everywhere"))["messages"]
            equal([told(page[1]), told(page[0]["referencedMessage"])], [expected, expected], "the history")
            equal(told((await client.call("message.get", **place))["message"]), expected, "message.get")
        await reb.call("message.removeReaction", **place, emoji=LOVE)
        for topic, [look, *_] in looks.items():
            await sees(rea, topic, [f"{LIKE} 1*"], look)
        await rea.call("message.delete", **place)
        await sees(reb, "conversation:everywhere", None, lambda shown: shown["pinnedMessage"])
        await refused(reb.call("message.addReaction", **place, emoji=LIKE), 104, "message")


@case("many viewers who see the same are shown the same, and one who reacted something else")
async def many_viewers(gateway):
    names = [f"viewer{number}" for number in range(12)]
    async with connected(gateway, *names) as clients:
        for client in clients:
            await client.call("conversation.createIfNotExists", conversation="many")
            await subscribe(client, "messages:many")
        place = {"conversation": "many", "message": (await send(clients[0], "many", "vote"))["id"]}
        for number, client in enumerate(clients):
            if number % 3:
                await client.call("message.addReaction", **place, emoji=LIKE if number % 3 == 1 else ":no:")
        for number, client in enumerate(clients):
            expected = [f"{LIKE} 4{'*' * (number % 3 == 1)}", f":no: 4{'*' * (number % 3 == 2)}"]
            await sees(client, "messages:many", expected, lambda shown: told(shown[0]))


@case("a restart loses nothing, also of what is not among the newest messages")
async def restart():
    with Gateway() as gateway:
        async with connected(gateway, "rea", "reb") as (rea, reb):
            await together(rea, reb, "kept")
            old = await send(rea, "kept", "old")
            answer = await send(reb, "kept", "answer", referencedMessage=old["id"])
            for client, emoji in ((rea, ":a:"), (reb, ":a:"), (reb, LIKE)):
                await client.call("message.addReaction", conversation="kept", message=old["id"], emoji=emoji)
            await reb.call("conversation.pin", conversation="kept", message=answer["id"])
            for number in range(80):
                await send(rea, "kept", f"newer {number}")
        equal(gateway.end(), 0, "exit code")
        gateway.start()
        async with connected(gateway, "rea", "reb") as (rea, reb):
            for client, expected in ((rea, [":a: 2*", f"{LIKE} 1"]), (reb, [":a: 2*", f"{LIKE} 1*"])):
                await subscribe(client, "conversation:kept", "conversations")
                look = lambda shown: told(shown["pinnedMessage"]["referencedMessage"])
                await sees(client, "conversation:kept", expected, look)
                await sees(client, "conversations", expected, lambda shown: look(shown[0]))
            await rea.call("message.removeReaction", conversation="kept", message=old["id"], emoji=":a:")
            await sees(reb, "conversation:kept", [":a: 1*", f"{LIKE} 1*"], look)
            await sees(rea, "conversations", [":a: 1", f"{LIKE} 1"], lambda shown: look(shown[0]))
            await rea.call("conversation.unpin", conversation="kept")
            await sees(reb, "conversation:kept", None, lambda shown: shown["pinnedMessage"])


@case("what cannot be reacted to, pinned or taken is refused with its field")
async def refusals(gateway):
    session = {"token": token("backend", tokenType="app")}
    async with connected(gateway, "rea", "reb", "stranger") as (rea, reb, stranger), await Client.connect(
        gateway.url, session=session
    ) as app:
        await together(rea, reb, "bounds")
        await rea.call("participant.edit", conversation="bounds", user="reb", access="Read")
        place = {"conversation": "bounds", "message": (await send(rea, "bounds", "x"))["id"]}
        notice = {"conversation": "bounds", "message": (await send(app, "bounds", "notice"))["id"]}
        with Checks() as check:
            for emoji in ("", "a", "1", ":a b:", "::", ":a", f":{'n' * 49}:", LIKE * 2, "\N{EMOJI MODIFIER FITZPATRICK TYPE-4}", "x" * 9999):
                with check.row(f"the emoji {emoji[:20]!r}"):
                    await refused(rea.call("message.addReaction", **place, emoji=emoji), -32602, "emoji")
            for client, where, code, field in (
                (reb, place, 103, None),
                (stranger, place, 102, None),
                (app, place, 102, None),
                (rea, notice, 101, "message"),
                (rea, {**place, "message": "nope"}, 104, "message"),
            ):
                for method in ("message.addReaction", "message.removeReaction"):
                    with check.row(f"{method} {where}"):
                        await refused(client.call(method, **where, emoji=LIKE), code, field)
            for client, where, code, field in (
                (reb, place, 103, None),
                (stranger, place, 102, None),
                (rea, {**place, "message": "nope"}, 104, "message"),
            ):
                with check.row(f"pin {where}"):
                    await refused(client.call("conversation.pin", **where), code, field)
        for number in range(50):
            await rea.call("message.addReaction", **place, emoji=f":{'n' * 46}{number:02}:")
        await refused(rea.call("message.addReaction", **place, emoji=LIKE), 108, "emoji")
        reply = await app.call("message.addReaction", **place, emoji=f":{'n' * 46}00:", actAs="reb")
        equal(reply["message"]["reactions"][0], {"emoji": f":{'n' * 46}00:", "count": 2, "currentUserReacted": True}, "for reb")
        equal((await app.call("conversation.pin", **notice))["conversation"]["pinnedMessage"]["plaintext"], "notice", "a notice")


@case("with sync.conversations off nobody but a backend pins, and everybody reacts")
async def not_synced():
    with Gateway(SYNC_CONVERSATIONS="false") as gateway:
        session = {"token": token("backend", tokenType="app")}
        async with connected(gateway, "rea") as rea, await Client.connect(gateway.url, session=session) as app:
            await app.call("conversation.createIfNotExists", conversation="closed", actAs="rea")
            place = {"conversation": "closed", "message": (await send(rea, "closed", "x"))["id"]}
            equal(told((await rea.call("message.addReaction", **place, emoji=LIKE))["message"]), [f"{LIKE} 1*"], "reacting")
            await refused(rea.call("conversation.pin", **place), 105)
            await app.call("conversation.pin", **place)
            await refused(rea.call("conversation.unpin", conversation="closed"), 105)
            pinned = (await rea.call("conversation.get", conversation="closed"))["conversation"]["pinnedMessage"]
            equal(told(pinned), [f"{LIKE} 1*"], "what is pinned")
