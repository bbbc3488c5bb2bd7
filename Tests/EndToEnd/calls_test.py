"""Every method's params, errors and bounds."""

from checks import Checks, Text, case, equal, show
from client import Client, RPCError, connected, refused
from flow import send
from snapshots import user
from tokens import token


async def prepared(client, conversation="calls"):
    """A conversation with a message; returns ids of one that is there and of one that never was."""
    await client.call("conversation.createIfNotExists", conversation=conversation)
    there = (await send(client, conversation, "there"))["id"]
    elsewhere = f"{conversation}2"
    await client.call("conversation.createIfNotExists", conversation=elsewhere)
    return there, (await send(client, elsewhere, "elsewhere"))["id"]


async def outcome(client, method, params):
    """The error's code and field; 0 for success."""
    try:
        await client.call(method, **params)
        return 0, None
    except RPCError as error:
        return error.code, error.field


async def table(client, rows):
    """Rows of method, params, code and field; a code of 0 is success."""
    with Checks() as check:
        for method, params, code, field in rows:
            got = await outcome(client, method, params)
            expected = (code, got[1] if field is None else field)
            check.equal(list(got), list(expected), f"{method} {show(params)[:150]}")


# The methods with valid params; `there` stands for the id of a message.
METHODS = {
    "ping": {},
    "session.list": {"user": "calls"},
    "conversation.createIfNotExists": {"conversation": "calls"},
    "conversation.set": {"conversation": "calls"},
    "conversation.deleteFields": {"conversation": "calls", "fields": []},
    "conversation.get": {"conversation": "calls"},
    "conversation.send": {"conversation": "calls", "text": "x"},
    "conversation.history": {"conversation": "calls"},
    "conversation.markAsRead": {"conversation": "calls"},
    "conversation.markAsUnread": {"conversation": "calls"},
    "conversation.markAllAsRead": {},
    "conversation.markAsTyping": {"conversation": "calls"},
    "conversation.startTyping": {"conversation": "calls"},
    "conversation.stopTyping": {"conversation": "calls"},
    "message.get": {"conversation": "calls", "message": "there"},
    "message.thread": {"conversation": "calls", "message": "there"},
    "message.edit": {"conversation": "calls", "message": "there", "text": "y"},
    "message.deleteFields": {"conversation": "calls", "message": "there", "fields": ["custom"]},
    "message.addReaction": {"conversation": "calls", "message": "there", "emoji": "👍"},
    "message.removeReaction": {"conversation": "calls", "message": "there", "emoji": ":a:"},
    "conversation.pin": {"conversation": "calls", "message": "there"},
    "conversation.unpin": {"conversation": "calls"},
    "participant.get": {"conversation": "calls", "user": "calls"},
    "participant.createIfNotExists": {"conversation": "calls", "user": "calls"},
    "participant.set": {"conversation": "calls", "user": "calls"},
    "participant.edit": {"conversation": "calls", "user": "calls"},
    "participant.deleteFields": {"conversation": "calls", "user": "calls", "fields": ["notify"]},
    "conversation.invite": {"conversation": "calls", "users": []},
    "conversation.invitees": {"conversation": "calls"},
    "conversation.report": {"conversation": "calls", "message": "there", "reason": "x"},
    "user.get": {"user": "calls"},
    "user.createIfNotExists": {"user": "calls", "name": "calls"},
    "user.deleteFields": {"user": "calls", "fields": ["locale"]},
    "user.mute": {"user": "nuisance"},
    "user.unmute": {"user": "nuisance"},
    "user.muted": {},
    "presence.here": {"conversation": "calls"},
    "presence.where": {"user": "calls"},
    "push.register": {"device": "t", "gateway": "fcm"},
    "push.unregister": {"device": "t"},
    "file.token": {},
    "subscribe": {"topic": "messages:calls"},
    "unsubscribe": {"topic": "messages:calls"},
}

# The same of methods that must not be carried out here.
NOT_CALLED = {
    "session.refresh": {"token": "x"},
    "session.revoke": {"user": "calls"},
    "session.close": {},
    "conversation.delete": {"conversation": "calls"},
    "message.delete": {"conversation": "calls", "message": "there"},
    "participant.delete": {"conversation": "calls", "user": "calls"},
    "user.set": {"user": "calls"},
    "moderation.set": {"conversation": "calls", "user": "calls"},
    "moderation.reports": {"conversation": "calls"},
    "moderation.dismiss": {"conversation": "calls", "message": "there"},
    "moderation.list": {"conversation": "calls"},
    "loadMore": {"topic": "messages:calls"},
}


@case("every method: valid, unknown, missing and mistyped params")
async def params_of_methods(gateway):
    async with connected(gateway, "calls") as client:
        there, _ = await prepared(client)
        with Checks() as check:
            for method, template in {**METHODS, **NOT_CALLED}.items():
                params = {name: there if value == "there" else value for name, value in template.items()}
                if method in METHODS:
                    check.equal(await outcome(client, method, params), (0, None), method)
                check.equal(await outcome(client, method, {**params, "nope": 1}), (-32602, "nope"), f"{method} with an unknown param")
                check.equal(await outcome(client, method, {"nope": 1}), (-32602, "nope"), f"{method}: unknown is named before missing")
                for name in params:
                    optional = name == "name" or (method, name) in {
                        ("conversation.createIfNotExists", "conversation"),
                        ("message.edit", "text"),
                    }
                    without = {other: value for other, value in params.items() if other != name}
                    if not optional:
                        check.equal((await outcome(client, method, without))[0], -32602, f"{method} without {name}")
                    for wrong in (1, True, {}, 1.5) if name in ("fields", "users") else (1, True, {}, [], 1.5):
                        got = await outcome(client, method, {**params, name: wrong})
                        check.equal(got, (-32602, name), f"{method} with {name} = {wrong!r}")
            for method in ("nope", "conversation", "conversation.nope", "Ping", "session", "", "hello", "subscription", "rpc.discover"):
                check.equal((await outcome(client, method, {}))[0], -32601, f"the method {method!r}")


@case("ids and texts at their bounds")
async def bounds(gateway):
    async with connected(gateway, "bounds", "bounds2") as (client, _):
        there, elsewhere = await prepared(client, "bounds")
        c, m = {"conversation": "bounds"}, {"conversation": "bounds", "message": there}
        create, conversation_set, message_send = "conversation.createIfNotExists", "conversation.set", "conversation.send"
        history = "conversation.history"
        bad_ids = [
            "",
            "x" * 93,
            "a,b",
            "a/b",
            "a\\b",
            "a*b",
            "a:b",
            " a",
            "a ",
            "a\u0000",
            "a\nb",
            "a\u007f",
            "a\u2028b",
            "a\u2029b",
            "e\u0301",
            "a\u0085b",
            "\u1100\u1161",
        ]
        good_ids = ["x", "x" * 92, "😀" * 92, "é", "a b", "a.b", "'", '"', "#", "日本", "a\u200db"]
        rows = [(create, {"conversation": id}, -32602, "conversation") for id in bad_ids]
        rows += [(create, {"conversation": id}, 0, None) for id in good_ids]
        rows += [("user.get", {"user": id}, -32602, "user") for id in bad_ids] + [("user.get", {"user": id}, 0, None) for id in good_ids]
        rows += [(create, {"conversation": id}, -32602, "conversation") for id in ("direct.x", "guest-x", "thread.x.y")]
        rows += [(conversation_set, {"conversation": id}, -32602, "conversation") for id in ("direct.x", "guest-x", "thread.x.y")]
        rows += [
            ("conversation.get", {"conversation": "direct.x"}, 0, None),
            (message_send, {"conversation": "direct.x", "text": "x"}, 102, None),
        ]
        rows += [(create, {"conversation": f"type{kind}", "type": kind}, 0, None) for kind in ("group", "public", "unknown")]
        rows += [
            (create, {"conversation": "typegroup", "type": "public"}, 106, None),
            (create, {"conversation": "t", "type": "Group"}, -32602, "type"),
            (create, {"conversation": "t", "type": "direct"}, -32602, None),
            (create, {"conversation": "t", "with": "bounds2"}, -32602, None),
            (create, {"type": "direct", "with": "bounds"}, -32602, "with"),
            (conversation_set, {**c, "subject": "é" * 200}, 0, None),
            (conversation_set, {**c, "subject": "é" * 201}, 107, "subject"),
            (conversation_set, {**c, "subject": ""}, 0, None),
            (conversation_set, {**c, "photoUrl": "ftp://x/y"}, -32602, "photoUrl"),
            (conversation_set, {**c, "photoUrl": "javascript:alert(1)"}, -32602, "photoUrl"),
            (conversation_set, {**c, "photoUrl": "http://x/y"}, 0, None),
            (conversation_set, {**c, "photoUrl": "nope"}, -32602, "photoUrl"),
            (conversation_set, {**c, "welcomeMessages": ["x" * 1000] * 10}, 0, None),
            (conversation_set, {**c, "welcomeMessages": ["x"] * 11}, 107, "welcomeMessages"),
            (conversation_set, {**c, "welcomeMessages": ["x" * 1001]}, 107, "welcomeMessages"),
            (conversation_set, {**c, "welcomeMessages": [1]}, -32602, "welcomeMessages"),
            (conversation_set, {**c, "custom": {f"k{i}": "v" for i in range(64)}}, 0, None),
            (conversation_set, {**c, "custom": {"k64": "v"}}, 107, "custom"),
            (conversation_set, {**c, "custom": None}, 0, None),
            (conversation_set, {**c, "custom": {f"k{i}": "v" for i in range(65)}}, 107, "custom"),
            (conversation_set, {**c, "custom": {"k": "v" * 4095}}, 0, None),
            (conversation_set, {**c, "custom": {"k": "v" * 4096}}, 107, "custom"),
            (conversation_set, {**c, "custom": {"k": "é" * 2048}}, 107, "custom"),
            (conversation_set, {**c, "custom": {"k": 1}}, -32602, "custom"),
            (conversation_set, {**c, "custom": []}, -32602, "custom"),
            (conversation_set, {**c, "access": "readwrite"}, -32602, "access"),
            (conversation_set, {**c, "notify": "All"}, -32602, "notify"),
            (conversation_set, {**c, "notify": 1}, -32602, "notify"),
            (conversation_set, {**c, "notify": "MentionsOnly"}, 0, None),
            ("conversation.deleteFields", {**c, "fields": ["nope"]}, -32602, "fields"),
            ("conversation.deleteFields", {**c, "fields": ["type"]}, -32602, "fields"),
            ("conversation.deleteFields", {**c, "fields": ["custom.", "custom.a.b"]}, 0, None),
            (message_send, {**c, "text": ""}, -32602, "text"),
            (message_send, {**c, "text": " \n\t\u00a0\u3000"}, -32602, "text"),
            (message_send, {**c, "text": "é" * 10_000}, 0, None),
            (message_send, {**c, "text": "é" * 10_001}, 107, "text"),
            (message_send, {**c}, -32602, None),
            (message_send, {**c, "text": "x", "content": [{"type": "text", "children": ["x"]}]}, -32602, None),
            (message_send, {**c, "content": [{"type": "text", "children": ["x"]}]}, 0, None),
            (message_send, {**c, "content": []}, -32602, "content"),
            (message_send, {**c, "content": [{"type": "text", "children": ["x"]}] * 2}, -32602, "content"),
            (message_send, {**c, "content": [{"type": "nope"}]}, -32602, "content[0].type"),
            (message_send, {**c, "content": [{"type": "text", "children": []}]}, -32602, "content"),
            (message_send, {**c, "content": [{"type": "text", "children": ["x" * 10_001]}]}, 107, "content"),
            (message_send, {**c, "content": [{"type": "text", "children": ["x"], "more": 1}]}, -32602, "content[0].more"),
            (message_send, {**c, "text": "x", "custom": {"k": "v" * 4096}}, 107, "custom"),
            (message_send, {**c, "text": "x", "custom": {f"k{i}": "v" for i in range(65)}}, 107, "custom"),
            (message_send, {**c, "text": "x", "clientMessageId": "x" * 64}, 0, None),
            (message_send, {**c, "text": "x", "clientMessageId": "x" * 65}, 107, "clientMessageId"),
            (message_send, {**c, "text": "x", "clientMessageId": ""}, -32602, "clientMessageId"),
            (message_send, {**c, "text": "x", "referencedMessage": elsewhere}, 104, None),
            (message_send, {**c, "text": "x", "referencedMessage": there}, 0, None),
            (message_send, {**c, "text": "x", "referencedMessage": "nope"}, 104, None),
            (history, {**c, "limit": 0}, -32602, "limit"),
            (history, {**c, "limit": 1}, 0, None),
            (history, {**c, "limit": 100}, 0, None),
            (history, {**c, "limit": 101}, -32602, "limit"),
            (history, {**c, "limit": 1.5}, -32602, "limit"),
            (history, {**c, "limit": -1}, -32602, "limit"),
            (history, {**c, "limit": 2**63}, -32602, "limit"),
            (history, {**c, "limit": 1e300}, -32602, "limit"),
            (history, {**c, "limit": "1"}, -32602, "limit"),
            (history, {**c, "before": there, "after": there}, -32602, None),
            (history, {**c, "before": elsewhere}, 104, None),
            (history, {**c, "after": elsewhere}, 104, None),
            (history, {"conversation": "nobody"}, 102, None),
            ("conversation.markAsRead", {**c, "upTo": elsewhere}, 104, None),
            ("conversation.markAsRead", {"conversation": "nobody"}, 102, None),
            ("conversation.markAsUnread", {"conversation": "nobody"}, 102, None),
            ("conversation.deleteFields", {"conversation": "nobody", "fields": []}, 102, None),
            ("conversation.markAsTyping", {"conversation": "nobody"}, 102, None),
            ("conversation.startTyping", {"conversation": "typepublic"}, 101, None),
            ("conversation.markAsTyping", {"conversation": "typepublic"}, 0, None),
            ("conversation.delete", {**c}, 101, None),
            ("conversation.delete", {"conversation": "nobody"}, 102, None),
            ("message.get", {**c, "message": elsewhere}, 0, None),
            ("message.get", {"conversation": "nobody", "message": there}, 0, None),
            ("message.delete", {**c, "message": elsewhere}, 0, None),
            ("message.delete", {"conversation": "nobody", "message": there}, 102, None),
            ("message.edit", {**c, "message": elsewhere, "text": "x"}, 104, None),
            ("message.edit", {**m, "text": " "}, -32602, "text"),
            ("message.edit", {**m, "text": "x" * 10_001}, 107, "text"),
            ("message.edit", {**m, "custom": {"k": "v" * 4096}}, 107, "custom"),
            ("message.edit", {**m, "custom": {"k": "v"}}, 0, None),
            ("message.edit", {**m, "text": "x", "content": [{"type": "text", "children": ["x"]}]}, -32602, None),
            ("message.deleteFields", {**m, "fields": ["text"]}, -32602, "fields"),
            ("message.deleteFields", {**m, "fields": ["custom.k"]}, 0, None),
            ("participant.get", {**c, "user": "nobody"}, 0, None),
            ("participant.set", {**c, "user": "nobody"}, 104, None),
            ("participant.createIfNotExists", {**c, "user": "nobody"}, 104, None),
            ("participant.edit", {**c, "user": "bounds2"}, 104, None),
            ("participant.delete", {**c, "user": "nobody"}, 0, None),
            ("participant.deleteFields", {**c, "user": "bounds2", "fields": ["access"]}, 104, None),
            ("participant.deleteFields", {**c, "user": "bounds", "fields": ["joinedAt"]}, -32602, "fields"),
            ("participant.set", {"conversation": "nobody", "user": "bounds2"}, 102, None),
            ("participant.get", {"conversation": "nobody", "user": "bounds2"}, 102, None),
            ("user.get", {"user": "nobody"}, 0, None),
            ("user.set", {"user": "bounds2", "name": "x"}, 101, None),
            ("user.createIfNotExists", {"user": "nobody", "name": "x"}, 101, None),
            ("user.set", {"user": "bounds", "role": "default"}, 101, "role"),
            ("user.deleteFields", {"user": "bounds", "fields": ["name"]}, -32602, "fields"),
            ("user.deleteFields", {"user": "bounds", "fields": ["role"]}, 101, "role"),
            ("session.list", {"user": "bounds2"}, 101, None),
            ("session.revoke", {"user": "bounds2"}, 101, None),
            ("user.get", {"user": "bounds", "actAs": "bounds2"}, 101, None),
            ("session.open", {"token": token("bounds")}, 106, None),
            ("session.refresh", {"token": token("bounds2")}, 101, None),
            ("session.refresh", {"token": token("bounds")}, 0, None),
            ("session.refresh", {"token": "nope"}, 100, None),
        ]
        await table(client, rows)


@case("the fields of a user at their bounds")
async def user_bounds(gateway):
    async with await Client.connect(gateway.url, session={"token": token("app", tokenType="app")}) as app:
        bounds = [
            ("name", "x" * 200, 0),
            ("name", "x" * 201, 107),
            ("name", "", -32602),
            ("name", " ", -32602),
            ("photoUrl", "https://x/" + "y" * 1990, 0),
            ("photoUrl", "https://x/" + "y" * 1991, 107),
            ("photoUrl", "data:x", -32602),
            ("welcomeMessage", "x" * 1000, 0),
            ("welcomeMessage", "x" * 1001, 107),
            ("locale", "de-AT", 0),
            ("locale", "a" * 36, 107),
            ("locale", "a_b", -32602),
            ("role", "default", 0),
            ("role", "nope", -32602),
            ("email", ["a@b"] * 10, 0),
            ("email", ["a@b"] * 11, 107),
            ("email", ["a" * 255], 107),
            ("email", "a@b", -32602),
            ("phone", ["1" * 254], 0),
            ("phone", ["1" * 255], 107),
            ("custom", {"k": "v"}, 0),
            ("custom", {"k": "v" * 4096}, 107),
            ("custom", {"k": 1}, -32602),
        ]
        await table(
            app,
            [
                ("user.set", {"user": "someone", "name": "Someone", field: value}, code, field if code else None)
                for field, value, code in bounds
            ],
        )
        await refused(app.call("user.set", user="new-user"), -32602, field="name")
        await app.call(
            "user.set",
            user="someone",
            name="Some",
            photoUrl="https://x/y",
            locale="de",
            custom={"k": "v"},
            email=["a@b"],
            phone=["1"],
            welcomeMessage="Hi",
        )
        expected = user("someone", "Some", photoUrl="https://x/y", locale="de", custom={"k": "v"}, welcomeMessage="Hi")
        equal(await app.call("user.get", user="someone"), {"user": expected}, "email and phone are never shown")
        fields = ["photoUrl", "custom", "locale", "email", "phone", "welcomeMessage", "role"]
        equal(await app.call("user.deleteFields", user="someone", fields=fields), {"user": user("someone", "Some")}, "user.deleteFields")


@case("a user changes their own record at most once a second")
async def user_rate(gateway):
    async with connected(gateway, "hasty") as client:
        await client.call("user.set", user="hasty", name="One")
        error = await refused(client.call("user.set", user="hasty", name="Two"), 109)
        equal(
            error.error["data"], {"key": "rateLimited", "temporary": True, "retryAfterMs": error.error["data"].get("retryAfterMs")}, "data"
        )


@case("subscriptions: bad topics, modes, counts, and the most of them")
async def topics(gateway):
    async with connected(gateway, "topics") as client:
        there, elsewhere = await prepared(client, "topics")
        bad = [
            "",
            "nope",
            "nope:x",
            "messages",
            "messages:",
            "messages:a,b",
            "messages: x",
            "messages:" + "x" * 93,
            "conversations:x",
            "conversations#",
            "conversations#" + "x" * 65,
            "user",
            "user:",
            "Messages:x",
            "messages:x:y",
            "typing:a*b",
            "messages:x#y/",
        ]
        rows = [("subscribe", {"topic": topic}, -32602, "topic") for topic in bad]
        rows += [("subscribe", {"topic": "messages:topics", "mode": mode}, -32602, "mode") for mode in ("nope", "", 1)]
        rows += [("unsubscribe", {"topic": topic}, -32602, "topic") for topic in bad[:3]]
        rows += [("loadMore", {"topic": "messages:topics"}, 104, None), ("loadMore", {"topic": "nope"}, -32602, "topic")]
        await table(client, rows)
        for topic in ("messages:topics", "participants:topics", "conversations", "user:topics", "messages:absent"):
            await client.call("subscribe", topic=topic)
            await client.wait_for(lambda: client.latest(topic), topic)
        most = {"messages:topics": 100, "participants:topics": 50, "conversations": 30}
        rows = [
            ("loadMore", {"topic": topic, "count": count}, code, "count" if code else None)
            for topic, top in most.items()
            for count, code in ((0, -32602), (-1, -32602), (1, 0), (top, 0), (top + 1, -32602), (1.5, -32602), ("1", -32602))
        ]
        rows += [("loadMore", {"topic": "user:topics"}, -32602, None), ("loadMore", {"topic": "conversation:topics"}, -32602, None)]
        await table(client, rows)
    async with connected(gateway, "topics2") as client:
        for start in range(0, 500, 25):
            batch = [
                {"jsonrpc": "2.0", "id": n, "method": "subscribe", "params": {"topic": f"user:u{n}"}} for n in range(start, start + 25)
            ]
            [array] = await client.answers(batch)
            equal([reply["result"]["state"] for reply in array], ["pending"] * 25, "subscribe")
        await refused(client.call("subscribe", topic="user:one-more"), 108)
        await client.call("unsubscribe", topic="user:u0")
        equal((await client.call("subscribe", topic="user:one-more"))["state"], "pending", "room again")


@case("a backend acts as another user")
async def backend(gateway):
    async with connected(gateway, "puppet") as puppet, await Client.connect(
        gateway.url, session={"token": token("app", tokenType="app")}
    ) as app:
        await app.call("conversation.createIfNotExists", conversation="stage", actAs="puppet")
        sent = (await app.call("conversation.send", conversation="stage", text="x", actAs="puppet"))["message"]
        equal(sent["sender"], user("puppet"), "the sender")
        equal((await puppet.call("conversation.history", conversation="stage"))["messages"], [sent], "history")
        await refused(puppet.call("ping", actAs="app"), 101)
        async with connected(gateway, "puppet2"):
            for somebody, code in (("puppet2", 102), ("nobody-at-all", 104)):
                for method, params in (("conversation.send", {"text": "x"}), ("conversation.history", {}), ("conversation.markAsRead", {})):
                    await refused(app.call(method, conversation="stage", actAs=somebody, **params), code)


@case("error objects have all their members")
async def error_objects(gateway):
    async with connected(gateway, "errors") as client:
        with Checks() as check:
            for method, params, code, data in (
                ("nope", {}, -32601, {"key": "methodNotFound", "temporary": False}),
                ("user.get", {}, -32602, {"key": "invalidParams", "temporary": False, "field": "user"}),
                ("conversation.history", {"conversation": "x"}, 102, {"key": "notParticipant", "temporary": False}),
                ("loadMore", {"topic": "conversations"}, 104, {"key": "notFound", "temporary": False}),
            ):
                reply = await client.reply(method, **params)
                got = reply["error"]
                got["data"].pop("field", None) if "field" not in data else None
                check.equal(got, {"code": code, "message": Text(), "data": data}, method)
