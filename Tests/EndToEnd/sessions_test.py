"""How connections and sessions begin and end: by what closes them, by time, by being revoked."""

import asyncio
import contextlib
import json
import os
import time

import websockets

from calls_test import METHODS, outcome
from checks import Checks, Time, case, equal
from client import Client, connected, refused
from flow import send
from gateway import Gateway
from tokens import token


@case("before the session: 100 for all but ping, and 8 KiB")
async def before_session(gateway):
    async with await Client.connect(gateway.url) as client:
        equal("time" in await client.call("ping"), True, "ping")
        with Checks() as check:
            for method, params in METHODS.items():
                if method != "ping":
                    check.equal((await outcome(client, method, params))[0], 100, method)
            check.equal((await outcome(client, "nope", {}))[0], -32601, "an unknown method")
        for params in ({}, {"token": token("x"), "guest": {}}, {"nope": 1}, {"token": 1}, {"guest": 1}, {"guest": {"name": ""}}):
            equal((await outcome(client, "session.open", params))[0], -32602, f"session.open {params}")
        text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        [reply] = await client.answers(text + " " * (8192 - len(text)))
        equal("result" in reply, True, "8 KiB")
        await client.send(text + " " * (8193 - len(text)))
        equal(await client.close_code(), 1009, "more than 8 KiB")
        equal("8192" in client.closed[1], True, f"the limit is in the reason: {client.closed[1]}")


@case("five bad tokens close with 4002, no session in time with 4000", seconds=30)
async def bad_tokens_and_time(gateway):
    async with await Client.connect(gateway.url) as late, await Client.connect(gateway.url) as client:
        start = time.monotonic()
        for attempt in range(5):
            error = await refused(client.call("session.open", token="bad"), 100)
            equal(error.error["data"]["key"], "unauthenticated", "key")
        equal(await client.close_code(), 4002, "after five bad tokens")
        async with await Client.connect(gateway.url) as patient:
            for attempt in range(4):
                await refused(patient.call("session.open", token="bad"), 100)
            equal((await patient.call("session.open", token=token("patient")))["role"], "default", "a good token after four bad ones")
        pings = asyncio.create_task(ping_for(late, 8))
        equal(await late.close_code(seconds=15), 4000, "without a session")
        equal(8 < time.monotonic() - start < 12, True, f"after 10 s, not {time.monotonic() - start:.1f}")
        await pings


@case("five bad tokens in one batch close with 4002, and no other of it is looked at")
async def bad_tokens_in_batch():
    with Gateway() as gateway:
        async with await Client.connect(gateway.url) as hasty:
            tokens = ["bad"] * 7 + [token("hasty")]
            batch = [{"jsonrpc": "2.0", "id": n, "method": "session.open", "params": {"token": text}} for n, text in enumerate(tokens)]
            array = (await hasty.answers(batch))[0]
            equal([reply["error"]["code"] for reply in array], [100] * 8, "also the good one behind five bad ones")
            equal(await hasty.close_code(), 4002, "the connection")
        await gateway.until(lambda: gateway.metric("parley_tokens_refused_total") >= 5, 5, "refused tokens are counted")
        equal(gateway.metric("parley_tokens_refused_total"), 5, "tokens that were looked at")


async def ping_for(client, seconds):
    """Pings do not prolong the time in which a session must be opened."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await client.call("ping")
        await asyncio.sleep(1)


@case("binary, bad UTF-8 and too much: 1003, 1007, 1009")
async def closed(gateway):
    limit = 131_072
    fitting = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    async with connected(gateway, "sizes") as client:
        [reply] = await client.answers(fitting + " " * (limit - len(fitting)))
        equal("result" in reply, True, "a message of exactly the limit")
        await client.send(fitting + " " * (limit + 1 - len(fitting)))
        equal(await client.close_code(), 1009, "a message over the limit")
        equal(str(limit) in client.closed[1], True, f"the limit is in the reason: {client.closed[1]}")
    async with connected(gateway, "sizes") as client:
        await client.socket.send(fitting[i : i + 1] if i < len(fitting) else " " for i in range(1025))
        equal(await client.close_code(), 1009, "1025 fragments")
        equal("1024" in client.closed[1], True, f"the limit is in the reason: {client.closed[1]}")
    async with connected(gateway, "sizes") as client:
        await client.send(b"{}")
        equal(await client.close_code(), 1003, "binary")
    async with connected(gateway, "sizes") as client:
        await client.socket.send(b'{"a":"\xff"}', text=True)
        equal(await client.close_code(), 1007, "bad UTF-8")
    async with connected(gateway, "sizes") as client:
        equal(await client.call("session.close"), {}, "session.close")
        equal(await client.close_code(), 1000, "session.close")


@case("compression is taken where it is offered, and nobody notices but the wire")
async def compression_taken(gateway):
    async with connected(gateway, "plain", compression="deflate") as client:
        request, response = client.socket.request.headers, client.socket.response.headers
        equal(request["Sec-WebSocket-Extensions"].startswith("permessage-deflate"), True, "what the client offers")
        equal(response["Sec-WebSocket-Extensions"].startswith("permessage-deflate"), True, "what the gateway takes")
        await client.call("conversation.createIfNotExists", conversation="plain")
        sent = [await send(client, "plain", "é" * 9000 + str(number)) for number in range(5)]
        equal((await client.call("conversation.history", conversation="plain"))["messages"], sent[::-1], "history")


@case("sessions are listed and revoked")
async def sessions(gateway):
    async with connected(gateway, "lister", "lister", "other") as (one, two, other):
        listed = (await one.call("session.list", user="lister"))["sessions"]
        expected = [
            {
                "session": client.session["session"],
                "kind": "user",
                "role": "default",
                "openedAt": Time(),
                "expiresAt": client.session["expiresAt"],
                "isCurrent": client is one,
            }
            for client in (one, two)
        ]
        equal(sorted(listed, key=lambda s: s["session"]), sorted(expected, key=lambda s: s["session"]), "session.list")
        await refused(other.call("session.list", user="lister"), 101)
        await refused(other.call("session.revoke", user="lister"), 101)
        old = token("lister")
        async with await Client.connect(gateway.url, session={"token": token("app", tokenType="app")}) as app:
            start = time.monotonic()
            equal(await app.call("session.revoke", user="lister"), {"revoked": 2}, "session.revoke")
            equal([await one.close_code(), await two.close_code()], [4003, 4003], "the sessions that were revoked")
            equal(time.monotonic() - start < 1.2, True, "within a second")
            equal((await app.call("session.list", user="lister"))["sessions"], [], "session.list after revoking")
        equal(other.closed, None, "the session of another user")
        async with await Client.connect(gateway.url) as client:
            await refused(client.call("session.open", token=old), 100)
            await refused(client.call("session.open", token=token("lister", iat=None)), 100)
            await client.call("session.open", token=token("lister", iat=int(time.time()) + 2))
        await other.start("session.revoke", user="other")
        equal(await other.close_code(), 4003, "revoking oneself")


@case("100 sockets of a user are closed with 4003 within a second, and their tokens are worth nothing, also after a restart", seconds=90)
async def revoked():
    with Gateway() as gateway:
        old = token("victim")
        app = {"token": token("app", tokenType="app")}
        async with contextlib.AsyncExitStack() as stack:
            clients = await asyncio.gather(*(Client.connect(gateway.url, session={"token": old}) for _ in range(100)))
            for client in clients:
                await stack.enter_async_context(client)
            other = await stack.enter_async_context(await Client.connect(gateway.url, "bystander"))
            backend = await stack.enter_async_context(await Client.connect(gateway.url, session=app))
            equal(len({client.hello["connection"].split(".")[0] for client in clients}) > 1, os.cpu_count() > 1, "on all loops")
            await clients[0].call("conversation.createIfNotExists", conversation="room")
            await clients[0].call("subscribe", topic="messages:room")
            start = time.monotonic()
            equal(await backend.call("session.revoke", user="victim"), {"revoked": 100}, "session.revoke")
            codes = [await client.close_code() for client in clients]
            took = time.monotonic() - start
            equal(codes, [4003] * 100, "codes")
            equal(took < 1.2, True, f"within a second, not {took:.2f} s")
            equal(clients[0].closed[1], "the session was revoked", "the reason, which tells nobody to come back")
            equal(other.closed, None, "another user")

        async def refused_everywhere(what):
            for bad in (old, token("victim", iat=None), token("victim", iat=int(time.time()) - 60)):
                async with await Client.connect(gateway.url) as client:
                    await refused(client.call("session.open", token=bad), 100)
                    # Nor does it come back by recovery: without a session there is no subscription.
                    await refused(client.call("subscribe", topic="messages:room"), 100)
                try:
                    header = {"Authorization": f"Bearer {bad}"}
                    await websockets.connect(gateway.url, proxy=None, additional_headers=header)
                    raise AssertionError(f"{what}: let in by a header")
                except websockets.InvalidStatus as error:
                    equal(error.response.status_code, 401, what)

        await refused_everywhere("while it runs")
        gateway.end()
        gateway.start()
        await refused_everywhere("after a restart")
        gateway.kill()
        gateway.start()
        await refused_everywhere("after a crash")
        async with await Client.connect(gateway.url, session={"token": token("victim", iat=int(time.time()) + 2)}) as client:
            equal(client.session["user"]["id"], "victim", "a token that was issued later")


@case("a session that expires: session.expiring, refresh, 4001", seconds=60)
async def expiry(gateway):
    # session.expiring, which is due 60 s ahead, comes at once; the connection is closed 5 s after the expiry.
    async def opened(seconds):
        return await Client.connect(gateway.url, session={"token": token("expiring", exp=int(time.time()) + seconds)})

    async with await opened(3) as client, await opened(3) as refreshed:
        expiry = client.session["expiresAt"]
        equal(expiry % 1000 == 0 and abs(expiry / 1000 - time.time() - 3) < 1.5, True, f"expiresAt in milliseconds: {expiry}")
        for one in (client, refreshed):
            await one.wait_for(lambda: one.told("session.expiring"), "session.expiring", 3)
            # The two were opened by tokens of their own, perhaps in two seconds.
            equal(one.told("session.expiring"), [{"expiresAt": one.session["expiresAt"]}], "session.expiring")
        later = int(time.time()) + 600
        equal(await refreshed.call("session.refresh", token=token("expiring", exp=later)), {"expiresAt": later * 1000}, "session.refresh")
        equal(await client.close_code(15), 4001, "after the expiry")
        late = time.time() - expiry / 1000
        equal(4.5 < late < 7, True, f"5 s after the expiry, not {late:.1f}")
        await refreshed.call("ping")
