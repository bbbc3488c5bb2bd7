"""The flows over `websockets`, and the order of frames."""

import contextlib

import flow
from checks import case, equal
from client import Client, connected
from gateway import Gateway
from snapshots import conversation, user
from tokens import token


@contextlib.asynccontextmanager
async def connecting(gateway):
    """A function that connects users and bots; the connections end with the block."""
    async with contextlib.AsyncExitStack() as stack:

        async def connect(user, **claims):
            opening = Client.connect(gateway.url, session={"token": token(user, **claims)})
            return await stack.enter_async_context(await opening)

        yield connect


@case("two people and a bot, from the first message to the last")
async def whole_life(gateway):
    async with connecting(gateway) as connect:
        await flow.whole_life(connect, "")


@case("pages of the history and windows of messages")
async def long_history(gateway):
    async with connecting(gateway) as connect:
        await flow.long_history(connect, "")


@case("windows of participants and conversations")
async def many_participants(gateway):
    async with connecting(gateway) as connect:
        await flow.many_participants(connect, "")


@case("direct conversations")
async def two_people(gateway):
    async with connecting(gateway) as connect:
        await flow.two_people(connect, "")


@case("a conversation is deleted")
async def deleted(gateway):
    async with connecting(gateway) as connect:
        await flow.deleted(connect, "", lambda: connect("backend", tokenType="app"))


@case("typing")
async def typing(gateway):
    async with connecting(gateway) as connect:
        await flow.typing(connect, "")


@case("sync off")
async def nothing_synced():
    with Gateway(SYNC_CONVERSATIONS="false", SYNC_USERS="false") as gateway:
        async with connecting(gateway) as connect:
            await flow.nothing_synced(connect, "", lambda: connect("backend", tokenType="app"))


@case("no event of a topic precedes the reply to its subscribe")
async def reply_first(gateway):
    async with connected(gateway, "order") as client:
        await client.call("conversation.createIfNotExists", conversation="order")
        for round in range(20):
            topics = [f"{kind}:order" for kind in ("conversation", "messages", "participants", "typing")]
            seen = len(client.frames)
            replies = {topic: await client.start("subscribe", topic=topic) for topic in topics}
            await client.wait_for(lambda: all(client.events(topic)[round:] for topic in topics), "all are active")
            kinds = [frame["params"]["topic"] if "method" in frame else frame["result"]["topic"] for frame in client.frames[seen:]]
            for topic in topics:
                equal("method" in client.frames[seen + kinds.index(topic)], False, f"the first frame about {topic} is an event")
                equal((await replies[topic])["result"]["state"], "pending", topic)
                await client.call("unsubscribe", topic=topic)


@case("events of topics that a batch subscribes come after its array")
async def batch_first(gateway):
    async with connected(gateway, "batch") as client:
        topics = ["conversation:batch", "messages:batch", "conversations", "user:batch", "online:batch"]
        batch = [{"jsonrpc": "2.0", "id": index, "method": "subscribe", "params": {"topic": topic}} for index, topic in enumerate(topics)]
        batch.append({"jsonrpc": "2.0", "id": "create", "method": "conversation.createIfNotExists", "params": {"conversation": "batch"}})
        batch.append({"jsonrpc": "2.0", "id": "send", "method": "conversation.send", "params": {"conversation": "batch", "text": "x"}})
        seen = len(client.frames)
        await client.send(batch)
        await client.wait_for(lambda: all(client.latest(topic) for topic in topics), "all are active")
        array = client.frames[seen]
        equal(isinstance(array, list), True, "the array comes first")
        equal({str(reply["id"]) for reply in array}, {"0", "1", "2", "3", "4", "create", "send"}, "the replies")
        sent = next(reply["result"]["message"] for reply in array if reply["id"] == "send")
        await client.shows("messages:batch", [sent], loadedAll=True)


@case("requests on one conversation take effect in order, a ping overtakes")
async def in_order(gateway):
    async with connected(gateway, "queue", "witness") as (client, witness):
        await client.call("conversation.createIfNotExists", conversation="queue")
        calls = []
        for number in range(50):
            calls.append(await client.start("conversation.send", conversation="queue", text=f"{number}"))
            calls.append(await client.start("conversation.set", conversation="queue", subject=f"{number}"))
            calls.append(await client.start("conversation.get", conversation="queue"))
        replies = [(await call)["result"] for call in calls]
        for number in range(50):
            view = replies[number * 3 + 2]["conversation"]
            equal((view["subject"], view["lastMessage"]["plaintext"]), (f"{number}", f"{number}"), "get sees what was sent before it")
        # Leaving and what follows it.
        left = await client.start("participant.delete", conversation="queue", user="queue")
        refused = await client.start("conversation.send", conversation="queue", text="too late")
        joined = await client.start("conversation.createIfNotExists", conversation="queue")
        sent = await client.start("conversation.send", conversation="queue", text="in time")
        outcomes = ["result" in await call for call in (left, refused, joined, sent)]
        equal(outcomes, [True, False, True, True], "leave, send, join, send")


@case("the reply to loadMore comes after the grown snapshot")
async def grown_first(gateway):
    async with connected(gateway, "grower") as client:
        await client.call("conversation.createIfNotExists", conversation="grower")
        sent = [await flow.send(client, "grower", f"{number}") for number in range(40)][::-1]
        await client.call("subscribe", topic="messages:grower")
        await client.shows("messages:grower", sent[:10], loadedAll=False)
        for count in (15, 20, 25, 30, 35, 40):
            seen = len(client.frames)
            equal(await client.call("loadMore", topic="messages:grower", count=5), {"loadedAll": count == 40}, "loadMore")
            grown, reply = client.frames[seen:]
            equal([item["id"] for item in grown["params"]["snapshot"]], [item["id"] for item in sent[:count]], "the snapshot")
            equal("result" in reply, True, "the reply")


@case("loadMore in parallel loads one page")
async def one_page(gateway):
    async with connected(gateway, "pages") as client:
        await client.call("conversation.createIfNotExists", conversation="pages")
        sent = [await flow.send(client, "pages", f"{number}") for number in range(40)][::-1]
        await client.call("subscribe", topic="messages:pages")
        await client.shows("messages:pages", sent[:10], loadedAll=False)
        batch = [
            {"jsonrpc": "2.0", "id": count, "method": "loadMore", "params": {"topic": "messages:pages", "count": count}}
            for count in (3, 100, 7)
        ]
        [array] = await client.answers(batch)
        equal([reply["result"] for reply in array], [{"loadedAll": False}] * 3, "the replies")
        await client.shows("messages:pages", sent[:13], loadedAll=False)


@case("requests behind session.open wait for it")
async def pipelined_opening(gateway):
    async with await Client.connect(gateway.url) as client:
        opening = await client.start("session.open", token=token("early"))
        made = await client.start("conversation.createIfNotExists", conversation="early")
        sent = await client.start("conversation.send", conversation="early", text="first")
        equal("result" in await opening, True, "session.open")
        equal((await made)["result"]["created"], True, "createIfNotExists")
        equal((await sent)["result"]["message"]["sender"], user("early"), "the sender")


@case("two connections of one user see the same, presence ends with the last")
async def two_connections(gateway):
    async with connected(gateway, "viewer", "twin", "twin") as (viewer, one, two):
        await viewer.call("subscribe", topic="online:twin")
        await viewer.shows("online:twin", {"user": user("twin"), "isConnected": True})
        await one.call("conversation.createIfNotExists", conversation="twin")
        for client in (one, two):
            await client.call("subscribe", topic="messages:twin")
        sent = await flow.send(one, "twin", "x")
        for client in (one, two):
            await client.shows("messages:twin", [sent], loadedAll=True)
        await one.close()
        await two.call("ping")
        equal(viewer.latest("online:twin")["snapshot"]["isConnected"], True, "one connection is left")


@case("guests choose their ids where no key is configured")
async def guests():
    with Gateway(secret=None) as gateway:
        async with await Client.connect(gateway.url, session={"guest": {"name": "Ana", "id": "ana"}}) as ana:
            equal(ana.hello["auth"], "guest", "hello.auth")
            equal(ana.session["user"], user("ana", "Ana"), "session.open")
            equal(sorted(ana.session), ["expiresAt", "role", "session", "user"], "no token without a key")
            made = await ana.call("conversation.createIfNotExists", conversation="General", type="public")
            equal(made["conversation"], conversation("General", type="public", everyoneReadUntil=None), "receipts are off in public")


@case("hello")
async def hello(gateway):
    async with await Client.connect(gateway.url) as client:
        version = client.hello["server"]["version"]
        expected = {
            "protocol": "parley.v1",
            "server": {"name": "parley", "version": version},
            "connection": client.hello["connection"],
            "time": client.hello["time"],
            "heartbeatMs": 25000,
            "graceMs": 10000,
            "auth": "guest",
            "limits": {
                "maxMessageBytes": 131072,
                "maxTextLength": 10000,
                "maxSubscriptions": 500,
                "maxBatch": 32,
                "operationsPerSecond": client.hello["limits"]["operationsPerSecond"],
                "pages": {
                    "messages": {"initial": 10, "max": 100, "default": 30},
                    "participants": {"initial": 10, "max": 50, "default": 10},
                    "conversations": {"initial": 20, "max": 30, "default": 20},
                },
                "operationsBurst": 200,
                "connectionsPerUser": client.hello["limits"]["connectionsPerUser"],
                "maxFragments": 1024,
                "maxInFlight": 64,
                "maxJSONDepth": 64,
                "outboundBytes": 1_048_576,
                "inflatedBytesPerSecond": 1_048_576,
            },
        }
        equal(client.hello, expected, "hello")
    async with await Client.connect(gateway.url, additional_headers={"Authorization": f"Bearer {token('header')}"}) as client:
        equal(client.hello["auth"], "done", "hello.auth")
        equal(client.hello["session"]["user"], user("header"), "hello.session")
        equal((await client.call("user.get", user="header"))["user"], user("header"), "user.get")
    protocols = ["parley.v1", f"bearer.{token('protocol')}"]
    async with await Client.connect(gateway.url, subprotocols=protocols) as client:
        equal(client.socket.subprotocol, "parley.v1", "only parley.v1 is echoed")
        equal(client.hello["session"]["user"], user("protocol"), "hello.session")
