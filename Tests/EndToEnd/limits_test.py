"""Limits: of operations and of sessions, for a connection and for a user; what is told of them, and who is cut off."""

import asyncio
import contextlib
import json
import tempfile
import time
from pathlib import Path

import websockets

from checks import Checks, case, equal
from client import Client, connected
from gateway import Gateway, parley
from tokens import token
from wire import Wire, upgrade

RATE, BURST = 50, 100
LIMITED = dict(SERVER_LIMITS_OPERATIONS_PER_SECOND=RATE, SERVER_LIMITS_OPERATIONS_BURST=BURST)


def limited(gateway, budget):
    return gateway.metric(f'parley_operations_limited_total{{budget="{budget}"}}')


async def at_once(client, count, method="ping", **params):
    """Sends calls without waiting; returns their replies."""
    return await asyncio.gather(*[await client.start(method, **params) for _ in range(count)])


def errors(replies):
    return [reply["error"] for reply in replies if "error" in reply]


@case("a burst is let in, the rest is 109 with the time after which each is let in")
async def soft():
    with Gateway(**LIMITED) as gateway:
        async with connected(gateway, "quick") as client:
            equal(client.hello["limits"]["operationsPerSecond"], RATE, "hello.limits.operationsPerSecond")
            equal(client.hello["limits"]["operationsBurst"], BURST, "hello.limits.operationsBurst")
            start = time.monotonic()
            replies = await at_once(client, 200)
            refusals = errors(replies)
            passed = (time.monotonic() - start) * RATE
            equal(100 - passed - 2 <= len(refusals) <= 101, True, f"{len(refusals)} of 200 are too many")
            for error in refusals:
                data = error["data"]
                equal((error["code"], data["key"], data["temporary"]), (109, "rateLimited", True), "error")
            waits = [error["data"]["retryAfterMs"] for error in refusals]
            equal(1 <= waits[0] <= 21 and waits[-1] > 1500 and len(set(waits)) > 50, True, f"a turn for each: {waits}")

            refused_again = 0

            async def again(wait, attempts=6):
                # A call that was under way may have taken the turn of one that waited: then there is another turn.
                nonlocal refused_again
                await asyncio.sleep(wait / 1000)
                reply = await client.reply("ping")
                if "error" in reply and attempts > 1:
                    refused_again += 1
                    return await again(reply["error"]["data"]["retryAfterMs"], attempts - 1)
                return reply

            equal(errors(await asyncio.gather(*map(again, waits))), [], "who waits as long as it says is let in")
            equal(refused_again < 30, True, f"nearly all of them the first time, not {refused_again} times too early")
            equal(client.closed, None, "the connection")
            await gateway.until(lambda: limited(gateway, "connection") >= len(refusals), 5, "the refusals are counted")


@case("everything counts: notifications, unknown methods, bad JSON, batches entry by entry")
async def everything():
    with Gateway(**{**LIMITED, "SERVER_LIMITS_OPERATIONS_PER_SECOND": 1}) as gateway, Checks() as check:
        single = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        forms = {
            "pings": (single, 1),
            "notifications": ({"jsonrpc": "2.0", "method": "ping"}, 1),
            "unknown notifications": ({"jsonrpc": "2.0", "method": "$/x"}, 1),
            "unknown methods": ({"jsonrpc": "2.0", "id": 1, "method": "nope"}, 1),
            "bad params": ({"jsonrpc": "2.0", "id": 1, "method": "user.get", "params": {}}, 1),
            "bad JSON": ("{", 1),
            "no request": ({"a": 1}, 1),
            "responses": ({"jsonrpc": "2.0", "id": 1, "result": {}}, 1),
            "batches": ([{"jsonrpc": "2.0", "method": "ping"}] * 20, 20),
        }
        for name, (message, count) in forms.items():
            async with connected(gateway, f"user of {name}") as client:
                for _ in range(120 // count):
                    await client.send(message)
                await client.send({"jsonrpc": "2.0", "id": "last", "method": "ping"})
                last = lambda: [frame for frame in client.frames if isinstance(frame, dict) and frame.get("id") == "last"]
                await client.wait_for(last, "the last reply")
                check.equal(last()[0].get("error", {}).get("code"), 109, name)
                if name == "bad JSON":
                    codes = [frame["error"]["code"] for frame in client.frames if isinstance(frame, dict) and "error" in frame]
                    check.equal((codes[0], codes[-2]), (-32700, 109), "bad JSON within and over the limit")
        async with connected(gateway, "batch") as client:
            await at_once(client, 90)
            [replies] = await client.answers([{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in range(30, 60)])
            codes = sorted(reply.get("error", {}).get("code", 0) for reply in replies)
            check.true(10 <= codes.count(109) <= 30 and codes.count(0) >= 5, f"entries count one by one: {codes}")
        await gateway.until(lambda: gateway.metric("parley_notifications_dropped_total") >= 40, 5, "dropped notifications")


@case("before a session the connection has a budget too")
async def before_session():
    with Gateway(**LIMITED) as gateway:
        async with await Client.connect(gateway.url) as client:
            pings = [await client.start("ping") for _ in range(200)]
            reply = await client.reply("session.open", token=token("late"))
            equal(len(errors(await asyncio.gather(*pings))) > 50, True, "pings without a session")
            equal(reply["error"]["code"], 109, "session.open")
            await asyncio.sleep(reply["error"]["data"]["retryAfterMs"] / 1000)
            await client.call("session.open", token=token("late"))


@case("ten connections of a user have one budget, those of others have their own", seconds=60)
async def per_user():
    with Gateway(**{**LIMITED, "SERVER_LIMITS_OPERATIONS_PER_SECOND": 5}) as gateway:
        async with connected(gateway, *["many"] * 10, "other") as (*clients, other):
            start = time.monotonic()
            replies = [reply for part in await asyncio.gather(*(at_once(client, 60) for client in clients)) for reply in part]
            admitted = len(replies) - len(errors(replies))
            most = BURST + (time.monotonic() - start) * 5
            equal(BURST - 15 <= admitted <= most, True, f"{admitted} of 600 are let in, of at most {most:.0f}")
            equal(errors(await at_once(other, 50)), [], "another user")
            equal([client.closed for client in clients], [None] * 10, "the connections")
            await gateway.until(lambda: limited(gateway, "user") > 400, 5, "the refusals are counted")
        # Coming back brings no new budget.
        async with connected(gateway, "many") as client:
            admitted = 200 - len(errors(await at_once(client, 200)))
            equal(admitted < BURST, True, f"{admitted} of 200 after a reconnect")
        async with connected(gateway, "fresh") as client:
            equal(errors(await at_once(client, 90)), [], "a user who was not here")


@case("who goes on for ten seconds is closed with 4101, who keeps to retryAfterMs is not", seconds=60)
async def abuse():
    with Gateway(**LIMITED) as gateway:
        flooder, patient = await Client.connect(gateway.url, "flooder"), await Client.connect(gateway.url, "patient")
        start = time.monotonic()

        async def flood():
            text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "nope"})
            with contextlib.suppress(websockets.ConnectionClosed):
                while time.monotonic() - start < 30:
                    for _ in range(20):
                        await flooder.socket.send(text)
                    await asyncio.sleep(0.02)

        async def obey():
            while not flooder.closed:
                reply = await patient.reply("ping")
                if "error" in reply:
                    await asyncio.sleep(reply["error"]["data"]["retryAfterMs"] / 1000)

        obeying = [asyncio.create_task(obey()) for _ in range(20)]
        await flood()
        equal(await flooder.close_code(), 4101, "who floods")
        took = time.monotonic() - start
        equal(8 < took < 15, True, f"after about ten seconds, not {took:.1f}")
        equal("retry_after_ms=" in flooder.closed[1], True, f"the reason: {flooder.closed[1]}")
        await asyncio.gather(*obeying)
        equal(patient.closed, None, "who waits as told")
        await gateway.until(lambda: gateway.metric('parley_connections_closed_total{cause="rate_limited"}') == 1, 5, "the cause")
        for client in (flooder, patient):
            await client.close()


async def entered(gateway, user, way):
    """The close code of a client that comes in one way, or None where it is let in."""
    if way == "session.open":
        client = await Client.connect(gateway.url)
        reply = await client.reply("session.open", token=token(user))
        if "error" in reply:
            equal(reply["error"]["code"], 108, "session.open")
    elif way == "batch":
        client = await Client.connect(gateway.url)
        batch = [{"jsonrpc": "2.0", "id": 1, "method": "session.open", "params": {"token": token(user)}}]
        [[reply]] = await client.answers(batch)
        equal(reply.get("error", {}).get("code", 108), 108, "session.open in a batch")
    elif way == "header":
        client = await opened(gateway, additional_headers={"Authorization": f"Bearer {token(user)}"})
    else:
        client = await opened(gateway, subprotocols=["parley.v1", f"bearer.{token(user)}"])
    await client.wait_for(lambda: client.closed or client.told("hello"), "hello or the end")
    return client


async def opened(gateway, **options):
    """A client that does not wait for hello."""
    return Client(await websockets.asyncio.client.connect(gateway.url, proxy=None, ping_interval=None, compression=None, **options))


@case("a user has so many sessions; one more is 108 and 4102, in whatever way it comes", seconds=60)
async def sessions():
    with Gateway(SERVER_LIMITS_CONNECTIONS_PER_USER=3) as gateway:
        async with connected(gateway, "full", "full", "full") as clients:
            equal(clients[0].hello["limits"]["connectionsPerUser"], 3, "hello.limits.connectionsPerUser")
            for way in ("session.open", "batch", "header", "subprotocol"):
                client = await entered(gateway, "full", way)
                equal(await client.close_code(), 4102, way)
                equal("retry_after_ms=" in client.closed[1], True, f"the reason: {client.closed[1]}")
                other = await entered(gateway, "other", way)
                equal(other.closed, None, f"another user by {way}")
                await other.close()
            equal([client.closed for client in clients], [None] * 3, "those who were there")
            await clients[0].close()
            # The count is right after crashes too: a reset, and a client that only goes.
            for attempt in range(5):
                await comes_and_vanishes(gateway, "full")
            await gateway.until(lambda: gateway.metric('parley_connections_closed_total{cause="too_many_connections"}') >= 4, 5, "the cause")


async def comes_and_vanishes(gateway, user, patience=2):
    """Takes the one free place as soon as it is noticed to be free, and goes with a reset."""
    deadline = time.monotonic() + patience
    while True:
        async with Wire.open(gateway) as wire:
            wire.write(upgrade(f"Authorization: Bearer {token(user)}"))
            await wire.head()
            first, payload = await wire.frame()
            if first == 0x81:
                return
            equal(time.monotonic() < deadline, True, f"the place is free again: {payload}")


@case("what a client can meet is told in hello, as it is configured")
async def told():
    settings = dict(
        MAX_MESSAGE_BYTES=200_000, MAX_FRAGMENTS=7, MAX_IN_FLIGHT=9, MAX_SUBSCRIPTIONS=11, MAX_BATCH=3, OUTBOUND_BYTES=600_000, MAX_JSON_DEPTH=10,
        CONNECTIONS_PER_USER=4, OPERATIONS_PER_SECOND=0, OPERATIONS_BURST=5, MAX_HEAD_BYTES=4096, MAX_HEADER_FIELDS=30, AUTHENTICATION_MS=700,
        INFLATED_BYTES_PER_SECOND=70_000,
    )
    with Gateway(**{f"SERVER_LIMITS_{name}": value for name, value in settings.items()}) as gateway:
        async with connected(gateway, "reader") as client, await Client.connect(gateway.url) as late:
            limits = client.hello["limits"]
            expected = {
                "maxMessageBytes": 200_000, "maxFragments": 7, "maxInFlight": 9, "maxSubscriptions": 11, "maxBatch": 3, "outboundBytes": 600_000,
                "maxJSONDepth": 10, "connectionsPerUser": 4, "operationsPerSecond": 0, "operationsBurst": 5,
                "inflatedBytesPerSecond": 70_000,
            }
            equal({name: limits[name] for name in expected}, expected, "hello.limits")
            for depth, code in ((10, -32602), (11, -32700)):
                deep = "[" * (depth - 1) + "]" * (depth - 1)
                [reply] = await client.answers(f'{{"jsonrpc":"2.0","id":1,"method":"user.get","params":{deep}}}')
                equal(reply["error"]["code"], code, f"{depth} levels")
            equal(await late.close_code(3), 4000, "no session in time")
        for lines, status in (((f"X: {'a' * 4000}",), 431), ((*(f"X{n}: a" for n in range(31)),), 431), ((), 101)):
            async with Wire.open(gateway) as wire:
                wire.write(upgrade(*lines))
                equal((await wire.head())[0], status, f"{len(lines)} lines more")


@case("check-config names every mistake at once, files of keys and certificates included")
async def checked():
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder, name) for name in ("bad.pem", "bad.json", "parley.json5")}
        files["bad.pem"].write_text("-----BEGIN PUBLIC KEY-----\nnot base64\n-----END PUBLIC KEY-----\n")
        files["bad.json"].write_text("[]")
        keys = [str(files["bad.pem"]), f"{folder}/missing.pem"]
        files["parley.json5"].write_text(
            json.dumps(
                {
                    "auth": {"publicKeys": keys, "jwks": str(files["bad.json"])},
                    "server": {"limits": {"maxBatch": 0, "operationsPerSecond": -1, "maxBach": 1}, "heartbeatMs": "soon"},
                    "messages": {"maxTextLength": 0},
                }
            )
        )
        done = parley("check-config", str(files["parley.json5"]))
        equal(done.returncode, 1, "exit code")
        for word in (
            "auth.publicKeys[0]", "auth.publicKeys[1]", "auth.jwks", "server.limits.maxBatch", "server.limits.operationsPerSecond", "server.limits.maxBach",
            "server.heartbeatMs", "messages.maxTextLength",
        ):
            equal(word in done.stderr, True, f"{word} in {done.stderr}")
        equal(len(done.stderr.strip().splitlines()), 8, f"a line for each: {done.stderr}")
    slow = parley("check-config", AUTH_SECRET="x" * 32, SERVER_HEARTBEAT_MS=55_000)
    equal((slow.returncode, "server.heartbeatMs" in slow.stderr), (0, True), f"a heartbeat near a proxy's minute is warned of: {slow.stderr}")
    quick = parley("check-config", AUTH_SECRET="x" * 32, SERVER_HEARTBEAT_MS=54_999)
    equal("heartbeatMs" in quick.stderr, False, f"and a shorter one is not: {quick.stderr}")
    with Gateway(SERVER_HEARTBEAT_MS=60_000) as gateway:
        equal("server.heartbeatMs is 55 s or more" in gateway.log(), True, "serve warns too")
