"""Devices that want to be told by push: whose they are, how many, and what is refused."""

import contextlib
import sqlite3

from checks import Checks, case, equal
from client import Client, RPCError, connected, refused
from flow import subscribe
from gateway import Gateway
from snapshots import user
from tokens import token

NO_TOKEN = "Device Token has to be defined in Chat pushNotifications config."
NO_TOPIC = "apnsTopic has to be defined when deviceGateway is set to apns2"


def devices(gateway):
    """All that is kept, the one that registered longest ago first."""
    with contextlib.closing(sqlite3.connect(f"file:{gateway.folder}/parley.db?mode=ro", uri=True)) as database:
        return list(database.execute("SELECT user, token, gateway, topic, environment FROM devices ORDER BY key"))


@case("push: devices are kept for their user, move to who registers them last, and survive a restart")
async def kept():
    with Gateway() as gateway:
        async with connected(gateway, "ana", "ben") as (ana, ben):
            await subscribe(ben, "user:ana")
            await ben.shows("user:ana", user("ana"))
            apple = dict(device="b", gateway="apns2", topic="com.example.app", environment="production")
            for client, params in ((ana, dict(device="a", gateway="fcm")), (ana, apple), (ana, dict(device="c", gateway="apns"))):
                equal(await client.call("push.register", **params), {}, f"{params}")
            expected = [("ana", "a", 1, None, None), ("ana", "b", 3, "com.example.app", 2), ("ana", "c", 2, None, 1)]
            equal(devices(gateway), expected, "what is kept")
            equal(await ben.call("push.register", **apple), {}, "the device has another user now")
            equal(await ana.call("push.unregister", device="b"), {}, "which is not hers any more")
            expected = [expected[0], expected[2], ("ben", *expected[1][1:])]
            equal(devices(gateway), expected, "it moved")
            equal(await ana.call("push.register", device="a", gateway="fcm"), {}, "again")
            expected = [*expected[1:], expected[0]]
            equal(devices(gateway), expected, "as the last")
            equal(await ben.call("push.unregister", device="b"), {}, "taken back")
            equal(await ben.call("push.unregister", device="b"), {}, "taken back again")
            equal((await ben.call("user.get", user="ana"))["user"], user("ana"), "others see nothing of it")
            equal(len(ben.events("user:ana")), 1, "nor are they told")
        gateway.end()
        gateway.start()
        equal(devices(gateway), [row for row in expected if row[0] == "ana"], "after a restart")


@case("push: twenty devices; with one more the one that registered longest ago goes")
async def bound(gateway):
    async with connected(gateway, "many") as client:
        for number in range(21):
            await client.call("push.register", device=f"many{number}", gateway="fcm")
            if number == 19:
                await client.call("push.register", device="many0", gateway="fcm")
        found = [row[1] for row in devices(gateway) if row[0] == "many"]
        equal(found, [f"many{number}" for number in (*range(2, 20), 0, 20)], "the devices")


@case("push: what is refused, and in which words")
async def refusals(gateway):
    async with connected(gateway, "refused") as client:
        with Checks() as check:
            for params, code, field, sentence in (
                (dict(gateway="fcm"), -32602, "device", NO_TOKEN),
                (dict(device=" ", gateway="fcm"), -32602, "device", NO_TOKEN),
                (dict(device="t" * 1001, gateway="fcm"), 107, "device", None),
                (dict(device="t"), -32602, "gateway", None),
                (dict(device="t", gateway="gcm"), -32602, "gateway", None),
                (dict(device="t", gateway="apns2"), -32602, "topic", NO_TOPIC),
                (dict(device="t", gateway="apns2", topic="t" * 256), 107, "topic", None),
                (dict(device="t", gateway="fcm", topic="t"), -32602, "topic", None),
                (dict(device="t", gateway="apns", environment="test"), -32602, "environment", None),
            ):
                try:
                    await client.call("push.register", **params)
                    check.equal("registered", "refused", f"{params}")
                except RPCError as error:
                    check.equal((error.code, error.field), (code, field), f"{params}")
                    check.equal(error.error["message"], sentence or error.error["message"], f"{params}")
        equal([row for row in devices(gateway) if row[0] == "refused"], [], "nothing is kept")


@case("push: a backend registers for others, a guest for themselves")
async def for_others(gateway):
    async with connected(gateway, "owner"):
        pass
    async with await Client.connect(gateway.url, session={"token": token("backend", tokenType="app")}) as app:
        await app.call("push.register", device="other", gateway="fcm", actAs="owner")
        await refused(app.call("push.register", device="nobody", gateway="fcm", actAs="nobody"), 104, "actAs")
        equal([row[0] for row in devices(gateway) if row[1] in ("other", "nobody")], ["owner"], "whose they are")
    async with await Client.connect(gateway.url, session={"guest": {"name": "Guest"}}) as guest:
        await guest.call("push.register", device="guest", gateway="fcm")
        equal([row[0] for row in devices(gateway) if row[1] == "guest"], [guest.session["user"]["id"]], "the guest's")
