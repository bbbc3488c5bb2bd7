"""What users of other gateways complain about, by the numbers of Tests/Attacks.md; those that no other suite has."""

import asyncio
import contextlib
import itertools
import json
import re
import secrets
import time

from attack import Deaf, opened, request, scaled, text_of
from checks import Checks, case, equal, within
from client import Client, connected, refused
from flow import send, subscribe
from gateway import Gateway
from tokens import token
from wire import Wire, get, masked, upgrade


@case("complaint 1: who was dropped at once by a gateway that died is back at once, and nothing is lost", seconds=300)
async def storm():
    count = scaled(150, 5000)
    with Gateway() as gateway:
        acknowledged = {}

        async def live(number):
            client = await Client.connect(gateway.url, f"storm{number}")
            await client.call("conversation.createIfNotExists", conversation=f"storm{number % 10}")
            await subscribe(client, f"messages:storm{number % 10}")
            message = (await client.call("conversation.send", conversation=f"storm{number % 10}", text=f"{number}"))["message"]
            acknowledged[message["id"], message["conversation"]] = message["plaintext"]
            return client

        async def come_back(number):
            deadline = time.monotonic() + 60
            while True:
                try:
                    client = await Client.connect(gateway.url, f"storm{number}", open_timeout=5)
                    await subscribe(client, f"messages:storm{number % 10}")
                    await client.wait_for(lambda: client.latest(f"messages:storm{number % 10}"), "messages")
                    return client
                except (OSError, AssertionError, asyncio.TimeoutError):
                    if time.monotonic() > deadline:
                        raise
                    await asyncio.sleep(0.2)

        clients = await asyncio.gather(*(live(number) for number in range(count)))
        gateway.kill()
        back = [asyncio.create_task(come_back(number)) for number in range(count)]
        await asyncio.gather(*(client.close_code() for client in clients))
        start = time.monotonic()
        await asyncio.to_thread(gateway.start)
        slowest = 0
        while not all(task.done() for task in back):
            asked = time.monotonic()
            equal(await asyncio.to_thread(gateway.status, "/livez"), 200, "/livez in the storm")
            slowest = max(slowest, time.monotonic() - asked)
            await asyncio.sleep(0.05)
        back = [await task for task in back]
        equal(time.monotonic() - start < 60, True, "all are back within a minute")
        equal(slowest < 2, True, f"/livez is answered meanwhile, not after {slowest:.1f} s")
        for room in range(10):
            history = (await back[room].call("conversation.history", conversation=f"storm{room}", limit=100))["messages"]
            there = {(message["id"], message["conversation"]) for message in history}
            lost = [id for id in acknowledged if id[1] == f"storm{room}" and id not in there] if count <= 1000 else []
            equal(lost, [], f"acknowledged messages that are gone from storm{room}")
        await asyncio.gather(*(client.close() for client in back + list(clients)))


@case("complaint 3: the heartbeat is 25 s and told, one that proxies would miss is warned about")
async def heartbeat_settings(gateway):
    async with await Client.connect(gateway.url) as client:
        equal((client.hello["heartbeatMs"], client.hello["graceMs"]), (25_000, 10_000), "hello")
    equal("heartbeatMs" in gateway.log_path.read_text(), False, "a warning without a reason")
    for milliseconds, warned in ((54_999, False), (55_000, True)):
        with Gateway(SERVER_HEARTBEAT_MS=milliseconds) as slow:
            equal("server.heartbeatMs" in slow.log_path.read_text(), warned, f"a warning for {milliseconds} ms")


@case("complaints 4 and 5: a peer that vanished without a word is freed in time, and told to be gone exactly once")
async def vanished():
    with Gateway(SERVER_HEARTBEAT_MS=1000, SERVER_GRACE_MS=500, PRESENCE_GRACE_MS=0) as gateway:
        async with connected(gateway, "watcher") as watcher:
            await watcher.call("conversation.createIfNotExists", conversation="life")
            await subscribe(watcher, "online:vanishing")
            vanishing = Deaf(gateway, "vanishing")
            start = time.monotonic()
            vanishing.send(request("conversation.createIfNotExists", conversation="life"))
            seen = lambda: [event["snapshot"] and event["snapshot"]["isConnected"] for event in watcher.events("online:vanishing")]
            await watcher.wait_for(lambda: seen()[-1:] == [True], "online")
            await watcher.wait_for(lambda: seen()[-1:] == [False], "offline")
            took = time.monotonic() - start
            equal(1.2 < took < 5, True, f"within heartbeatMs and graceMs, not after {took:.1f} s")
            ended = lambda: gateway.metric('parley_connections_closed_total{cause="keep_alive_expired"}')
            await gateway.until(lambda: ended() == 1, 5, "the end is counted")
            # Who vanishes behind them is told of a whole heartbeat and grace later: by then a second word of the first would be there.
            await subscribe(watcher, "online:later")
            later = Deaf(gateway, "later")
            seen_later = lambda: [event["snapshot"] and event["snapshot"]["isConnected"] for event in watcher.events("online:later")]
            later.send(request("conversation.createIfNotExists", conversation="life"))
            await watcher.wait_for(lambda: True in seen_later(), "the next one is online")
            await watcher.wait_for(lambda: seen_later()[-1] is False, "and offline")
            await gateway.until(lambda: ended() == 2, 5, "their end is counted too")
            equal(seen().count(False), 1 + (seen()[0] is False), f"offline once: {seen()}")
            equal(watcher.closed, None, "who answers stays")
            vanishing.socket.close()
            later.socket.close()


@case("complaint 10: a token is in no log line and no metric, at any level, wherever it stood and whatever was wrong with it")
async def hidden_tokens():
    with Checks() as check:
        for level, query in itertools.product(("debug", "info"), ("true", "false")):
            with check.row(f"log level {level}, queryToken {query}"), Gateway(LOG_LEVEL=level, AUTH_QUERY_TOKEN=query) as gateway:
                await offer_tokens(gateway, check, query == "true")


async def offer_tokens(gateway, check, takes_query):
    good = [token("hidden") for _ in range(3)]
    marked = lambda name, text: secrets_of.setdefault(name, text)
    secrets_of = {"good": good[0].split(".")[2]}
    now = int(time.time())
    bad = {
        "expired": token("hidden", exp=now - 600),
        "another's": token("hidden", secret="another secret of the same length"),
        "no token": "nothing-" + secrets.token_urlsafe(30),
        "an id in it": token("a/b"),
    }
    for name, text in bad.items():
        secrets_of[name] = text.split(".")[-1]
    odd = marked("odd", "odd" + secrets.token_urlsafe(30))
    requests = {
        "a good one": upgrade(path=f"/ws?token={good[0]}"),
        "with more": upgrade(path=f"/ws?a=b&token={good[0]}&c=d"),
        "two": upgrade(path=f"/ws?token={good[0]}&token={odd}"),
        "two places": upgrade(f"Authorization: Bearer {good[0]}", path=f"/ws?token={odd}"),
        "a bad version": upgrade(path=f"/ws?token={odd}", version="12"),
        "a bad path": upgrade(path=f"/wss?token={odd}"),
        "a bad method": upgrade(path=f"/ws?token={odd}").replace("GET", "POST", 1),
        "a bad line": f"GET /ws?token={odd} HTTP/9.9\r\n\r\n",
        "a bad field": get(f"/ws?token={odd}", "X : y"),
        "a bad origin": upgrade("Origin: https://evil.example", path=f"/ws?token={odd}"),
        "another page": get(f"/livez?token={odd}"),
        "no page": get(f"/nope/{odd}?token={odd}"),
        "escaped": upgrade(path=f"/ws?token=%2e{odd}"),
        "other letters": upgrade(path=f"/ws?TOKEN={odd}&access_token={odd}"),
        "half a head": f"GET /ws?token={odd} HTTP/1.1\r\nX: ",
        "a header": upgrade(f"Authorization: Bearer {odd}"),
        "a header of another kind": upgrade(f"Authorization: Basic {odd}"),
        "a sub-protocol": upgrade(f"Sec-WebSocket-Protocol: parley.v1, bearer.{odd}"),
        "a cookie": upgrade(f"Cookie: token={odd}"),
        **{f"{name} in the address": upgrade(path=f"/ws?token={text}") for name, text in bad.items()},
        **{f"{name} in a header": upgrade(f"Authorization: Bearer {text}") for name, text in bad.items()},
        **{f"{name} as a sub-protocol": upgrade(f"Sec-WebSocket-Protocol: parley.v1, bearer.{text}") for name, text in bad.items()},
    }
    for name, data in requests.items():
        with check.row(name):
            async with Wire.open(gateway) as wire:
                wire.write(data)
                if name == "half a head":
                    wire.writer.write_eof()
                    answer = await wire.end()
                else:
                    answer = (await wire.head())[1].encode()
                    answer += await within(wire.reader.read(1000), 5) if b"101" not in answer[:12] else b""
                if name == "a good one":
                    equal(b"101" in answer[:12], takes_query, "whether it is taken")
                # Nor is it sent back.
                equal([name for name, text in secrets_of.items() if text.encode() in answer], [], "what the answer shows")
    async with await Client.connect(gateway.url) as client:
        for text in (*bad.values(), odd, good[0]):
            with contextlib.suppress(ConnectionError):  # Five bad ones end it.
                await client.reply("session.refresh", token=text)
                await client.reply("session.open", token=text)
        secrets_of["session"] = (client.session or {}).get("session", odd)
        equal([name for name, text in secrets_of.items() if text in json.dumps(client.frames)], [], "what the answers show")
    async with await Client.connect(gateway.url, session={"token": token("hidden")}) as client:
        secrets_of["a session's name"] = client.session["session"]
        metrics = gateway.get("/metrics")[2].decode()
    equal(gateway.end(), 0, "exit code")
    log = gateway.log_path.read_text()
    equal([name for name, text in secrets_of.items() if text in log], [], "what stands in the log")
    equal([name for name, text in secrets_of.items() if text in metrics], [], "what stands in the metrics")


@case("complaint 11: a refresh keeps the session and its subscriptions; another user's token, kind or role is refused", seconds=30)
async def refreshing(gateway):
    first = token("fresh", exp=int(time.time()) + 2)
    async with await Client.connect(gateway.url, session={"token": first}) as client, await Client.connect(
        gateway.url, session={"token": first}
    ) as stale, connected(gateway, "other") as other:
        for one in (client, other):
            await one.call("conversation.createIfNotExists", conversation="fresh")
        await subscribe(client, "messages:fresh")
        await client.wait_for(lambda: client.told("session.expiring"), "session.expiring")
        listed = (await client.call("session.list", user="fresh"))["sessions"]
        with Checks() as check:
            for name, bad, code in (
                ("another user's", token("other"), 101),
                ("of a backend", token("fresh", tokenType="app"), 101),
                ("of another key", token("fresh", secret="x" * 40), 100),
                ("expired", token("fresh", exp=int(time.time()) - 60), 100),
                ("nothing", "x", 100),
            ):
                with check.row(name):
                    await refused(client.call("session.refresh", token=bad), code)
        later = int(time.time()) + 3000
        equal(await client.call("session.refresh", token=token("fresh", exp=later)), {"expiresAt": later * 1000}, "session.refresh")
        again = (await client.call("session.list", user="fresh"))["sessions"]
        equal([one["session"] for one in again], [one["session"] for one in listed], "the session is the same")
        equal(await stale.close_code(20), 4001, "who came with the same token and did not refresh it")
        sent = await send(other, "fresh", "still there")
        await client.shows("messages:fresh", [sent], loadedAll=True)
        equal(client.closed, None, "the connection after the first token's end")


@case("complaint 12: who was removed while away is shown nothing of what came after")
async def removed_while_away(gateway):
    async with connected(gateway, "host") as host:
        await host.call("conversation.createIfNotExists", conversation="away")
        async with connected(gateway, "away") as away:
            await host.call("participant.set", conversation="away", user="away")
            await subscribe(away, "messages:away", "conversation:away", "participants:away", "typing:away", "conversations")
            before = await send(host, "away", "before")
            await away.wait_for(lambda: (away.latest("messages:away") or {"snapshot": []})["snapshot"] == [before], "messages")
        await host.call("participant.delete", conversation="away", user="away")
        after = await send(host, "away", "after the removal")
        async with connected(gateway, "away") as away:
            topics = ("messages:away", "conversation:away", "participants:away", "typing:away")
            await subscribe(away, "messages:away", **{"from": before["id"]})
            await subscribe(away, *topics[1:], "conversations")
            for topic in topics:
                await away.wait_for(lambda: away.latest(topic), topic)
                equal(away.latest(topic)["snapshot"], None, topic)
            await away.wait_for(lambda: away.latest("conversations"), "the list")
            for call, params in (
                ("conversation.history", {}),
                ("conversation.markAsRead", {}),
                ("conversation.send", {"text": "x"}),
            ):
                await refused(away.call(call, conversation="away", **params), 102)
            equal(await away.call("message.get", conversation="away", message=after["id"]), {"message": None}, "message.get")
            equal("after the removal" in json.dumps(away.frames), False, "a leak")


@case("complaint 13: every socket of a user whose sessions are revoked is closed within a second, and stays out")
async def revoked():
    with Gateway(SERVER_LOOPS=4) as gateway:
        async with await Client.connect(gateway.url, session={"token": token("app", tokenType="app")}) as app, connected(
            gateway, "stays"
        ) as stays:
            old = token("leaves")
            clients = [await Client.connect(gateway.url, session={"token": old}) for _ in range(20)]
            start = time.monotonic()
            equal(await app.call("session.revoke", user="leaves"), {"revoked": 20}, "session.revoke")
            equal([await client.close_code() for client in clients], [4003] * 20, "close codes")
            equal(time.monotonic() - start < 1, True, "within a second")
            async with await Client.connect(gateway.url) as again:
                await refused(again.call("session.open", token=old), 100)
            async with Wire.open(gateway) as wire:
                wire.write(upgrade(f"Authorization: Bearer {old}"))
                equal((await wire.answer())[0], 401, "an upgrade with the old token")
            equal(stays.closed, None, "another user's session")


@case("complaint 33: a text that is too long for the chat but not for the wire is an error, and the connection stays")
async def long_texts(gateway):
    async with connected(gateway, "long") as client:
        limits = client.hello["limits"]
        equal({"maxMessageBytes", "maxTextLength", "maxSubscriptions", "maxBatch", "operationsPerSecond"} <= set(limits), True, f"{limits}")
        await client.call("conversation.createIfNotExists", conversation="long")
        await refused(client.call("conversation.send", conversation="long", text="x" * (limits["maxTextLength"] + 1)), 107, "text")
        await send(client, "long", "x" * limits["maxTextLength"])
        equal(client.closed, None, "the connection")
    text = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    async with opened(gateway, "long") as wire:
        wire.write(masked(0x81, (text + " " * (limits["maxMessageBytes"] - len(text))).encode()))
        equal("result" in await text_of(wire), True, "a message of the limit that hello tells")
        wire.write(masked(0x81, (text + " " * (limits["maxMessageBytes"] + 1 - len(text))).encode()))
        first, payload = await wire.frame()
        equal((first, int.from_bytes(payload[:2], "big")), (0x88, 1009), "a byte more")
        equal(str(limits["maxMessageBytes"]).encode() in payload, True, f"the limit is in the reason {payload}")


@case("complaint 40: users, rooms, topics, methods, paths, codes and agents of any number make no series of their own", seconds=300)
async def cardinality():
    users, rooms, methods = scaled(100, 10_000), scaled(40, 1000), scaled(400, 10_000)
    with Gateway() as gateway:

        def series():
            lines = gateway.get("/metrics")[2].decode().splitlines()
            return {line.rsplit(" ", 1)[0] for line in lines if line and not line.startswith("#")}

        async def visit(number):
            name = f"user-{number}-{secrets.token_hex(4)}"
            agent = f"agent/{secrets.token_hex(8)}"
            async with await Client.connect(gateway.url, name, user_agent_header=agent) as client:
                room = f"room-{number % rooms}-{secrets.token_hex(4)}"
                await client.call("conversation.createIfNotExists", conversation=room, type=("group", "public")[number % 2])
                await subscribe(client, f"messages:{room}", f"user:{name}", f"conversations#{name}")
                await client.call("conversation.send", conversation=room, text=room, custom={room: room})
                for _ in range(methods // users + 1):
                    await client.reply(f"random.{secrets.token_hex(6)}", **{secrets.token_hex(4): 1})
                await client.reply("subscribe", topic=f"{secrets.token_hex(4)}:{room}")
                await client.reply("session.open", token=secrets.token_hex(8))
                await client.socket.close(3000 + number, secrets.token_hex(4))
            gateway.get(f"/{secrets.token_hex(6)}")
            async with Wire.open(gateway) as wire:
                wire.write(f"{secrets.token_hex(3).upper()} /{room} HTTP/1.1\r\nHost: {name}\r\n\r\n")
                await wire.end()

        # A method has its series from its first call on; nothing else may bring any.
        await visit(0)
        called = ("conversation.createIfNotExists", "conversation.send", "session.open", "subscribe")
        # The figures of each loop follow once a second.
        counted = lambda: all(any(f'method="{method}"' in line for line in series()) for method in called)
        await gateway.until(lambda: gateway.metric("parley_connections_opened_total") > 2 and counted(), 5, "the first visit is counted")
        before = series()
        for number in range(1, users):
            await visit(number)
        await gateway.until(lambda: gateway.metric("parley_connections_opened_total") > users, 5, "the visits are counted")
        fresh = series() - before
        equal(sorted(fresh), [], "series that were not there")
        equal(series(), before, "series")
        page = gateway.get("/metrics")[2].decode()
        equal(re.findall(r"user-\d|room-\d|random\.|agent/", page), [], "names of clients")
        equal(len(before) < 1500, True, f"{len(before)} series in all")
