"""Who gets in: tokens of every kind, by each of the ways in, and guests."""

import asyncio
import contextlib
import json
import time

import websockets
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

from checks import Checks, Text, case, equal, within
from client import Client, refused
from gateway import Gateway, parley
from snapshots import user
from tokens import SECRET, encode, token

RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem(key):
    return key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def rs256(key=RSA_KEY):
    return lambda text: key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())


def es256(text):
    r, s = utils.decode_dss_signature(EC_KEY.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def es256_der(text):
    return EC_KEY.sign(text.encode(), ec.ECDSA(hashes.SHA256()))


SETTINGS = dict(
    AUTH_PUBLIC_KEYS=f"{pem(RSA_KEY)},{pem(EC_KEY)}",
    AUTH_AUDIENCE="parley",
    AUTH_ISSUER="tests",
    ROLES='{default: {}, guarded: {send: "none"}}',
)


def made(user="ana", **params):
    """A token as this suite's gateway wants it."""
    return token(user, **{"aud": "parley", "iss": "tests", **params})


def bad_tokens():
    now = int(time.time())
    good = made()
    head, body, signature = good.split(".")
    return {
        "nothing": "",
        "garbage": "garbage",
        "three dots": "...",
        "two parts": f"{head}.{body}",
        "four parts": f"{good}.x",
        "no signature": f"{head}.{body}.",
        "alg none": made(header={"alg": "none"}, sign=lambda text: b""),
        "alg None": made(header={"alg": "None"}, sign=lambda text: b""),
        "alg missing": made(header={"alg": None}),
        "alg HS512": made(header={"alg": "HS512"}),
        "alg hs256": made(header={"alg": "hs256"}),
        "HS256 signed with the RSA public key": made(secret=pem(RSA_KEY)),
        "HS256 signed with the EC public key": made(secret=pem(EC_KEY)),
        "HS256 under the name of RS256": made(header={"alg": "RS256"}),
        "RS256 with another key": made(header={"alg": "RS256"}, sign=rs256(OTHER_KEY)),
        "RS256 under the name of ES256": made(header={"alg": "ES256"}, sign=rs256()),
        "ES256 in DER": made(header={"alg": "ES256"}, sign=es256_der),
        "ES256 of zeros": made(header={"alg": "ES256"}, sign=lambda text: bytes(64)),
        "another secret": made(secret="x" * 32),
        "an empty secret": made(secret=""),
        "crit": made(header={"crit": ["b64"], "b64": False}),
        "a changed body": ".".join([head, encode(json.dumps({"sub": "ben", "exp": now + 60}).encode()), signature]),
        "a changed signature": f"{head}.{body}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}",
        "padding": f"{good}=",
        "a percent sign": f"{head}%20.{body}.{signature}",
        "expired": made(exp=now - 40),
        "without exp": made(exp=None),
        "exp as text": made(exp=str(now + 60)),
        "exp as a truth value": made(exp=False),
        "exp too large": made(exp=10**400),
        "not yet valid": made(nbf=now + 60),
        "wrong audience": made(aud="other"),
        "no audience": made(aud=None),
        "audiences without ours": made(aud=["a", "b"]),
        "wrong issuer": made(iss="other"),
        "no issuer": made(iss=None),
        "subject of a guest": made("guest-x"),
        "no subject": made(None),
        "empty subject": made(""),
        "bad subject": made("a/b"),
        "long subject": made("x" * 93),
        "subject as number": made(7),
        "unknown role": made(role="nope"),
        "role as number": made(role=1),
        "unknown tokenType": made(tokenType="admin"),
        "a guest's tokenType": made(tokenType="guest"),
        "claims that are no object": f"{head}.{encode(b'[]')}.x",
    }


GOOD = {
    "HS256": lambda: made(),
    "RS256": lambda: made(header={"alg": "RS256"}, sign=rs256()),
    "ES256": lambda: made(header={"alg": "ES256"}, sign=es256),
    "within the leeway": lambda: made(exp=int(time.time()) - 3),
    "not before now, with leeway": lambda: made(nbf=int(time.time()) + 20),
    "an audience among others": lambda: made(aud=["a", "parley"]),
    "with a role": lambda: made(role="guarded"),
    "with kid": lambda: made(header={"kid": "x"}),
    "an expiry far away": lambda: made(exp=1e300),
    "with claims of others": lambda: made(azp="x", scope=["y"], deep={"a": [1]}),
}


async def status_of_upgrade(gateway, path="", **options):
    """The status of a refused upgrade; 101 when it was let in."""
    try:
        async with asyncio.timeout(10), websockets.connect(gateway.url + path, proxy=None, **options):
            return 101
    except websockets.InvalidStatus as error:
        return error.response.status_code


@case("bad tokens in the header: 401 before the upgrade")
async def by_header(gateway):
    with Checks() as check:
        for name, bad in bad_tokens().items():
            with check.row(name):
                equal(await status_of_upgrade(gateway, additional_headers={"Authorization": f"Bearer {bad}"}), 401)
        for value in ("Basic YTpi", "Bearer", f"Bearer {made()} x"):
            with check.row(value[:12]):
                equal(await status_of_upgrade(gateway, additional_headers={"Authorization": value}), 401)


@case("bad tokens as a sub-protocol: 101, then 4002")
async def by_subprotocol(gateway):
    with Checks() as check:
        for name, bad in bad_tokens().items():
            if not bad or not set(bad) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.%"):
                continue  # No token of HTTP.
            with check.row(name):
                async with websockets.connect(gateway.url, proxy=None, subprotocols=["parley.v1", f"bearer.{bad}"]) as socket:
                    equal(socket.subprotocol, "parley.v1", "sub-protocol")
                    with contextlib.suppress(websockets.ConnectionClosed):
                        while "hello" in await within(socket.recv(), 5):
                            pass
                    equal(socket.close_code, 4002, "close code")


@case("bad tokens in session.open: 100 with a sentence")
async def by_call(gateway):
    with Checks() as check:
        for name, bad in bad_tokens().items():
            with check.row(name):
                async with await Client.connect(gateway.url) as client:
                    error = await refused(client.call("session.open", token=bad), 100)
                    sentence = error.error["message"]
                    equal(len(sentence) > 10 and (not bad or bad[-20:] not in sentence), True, f"the sentence: {sentence}")
                    equal(error.error["data"]["key"], "unauthenticated", "key")


@case("good tokens by all three ways")
async def good_tokens(gateway):
    with Checks() as check:
        for name, make in GOOD.items():
            with check.row(name):
                async with await Client.connect(gateway.url, session={"token": make()}) as client:
                    equal(client.session["user"], user("ana"), "session.open")
                    equal(client.session["role"], "guarded" if name == "with a role" else "default", "role")
                async with await Client.connect(gateway.url, additional_headers={"Authorization": f"Bearer {make()}"}) as client:
                    equal(client.hello["session"]["user"], user("ana"), "header")
                async with await Client.connect(gateway.url, subprotocols=["parley.v1", f"bearer.{make()}"]) as client:
                    equal(client.hello["session"]["user"], user("ana"), "sub-protocol")
        with check.row("a role rules the session"):
            async with await Client.connect(gateway.url, session={"token": made(role="guarded")}) as client:
                await client.call("conversation.createIfNotExists", conversation="guarded")
                await refused(client.call("conversation.send", conversation="guarded", text="x"), 101)
        with check.row("a token in the query is refused"):
            status = await status_of_upgrade(gateway, path=f"?token={made()}")
            equal(status in range(400, 500), True, f"{status}")


@case("?token= where it is turned on; it never reaches the log")
async def query_token():
    with Gateway(AUTH_QUERY_TOKEN="true", LOG_LEVEL="debug") as gateway:
        good = token("query")
        async with await Client.connect(f"{gateway.url}?token={good}") as client:
            equal(client.hello["session"]["user"], user("query"), "hello.session")
        equal(good in gateway.log_path.read_text(), False, "the token is in the log")


@case("name and photo of a token fill the record on first sight only")
async def first_sight(gateway):
    async with await Client.connect(gateway.url, session={"token": made("new", name="New", photoUrl="https://x/y")}) as client:
        equal(client.session["user"], user("new", "New", photoUrl="https://x/y"), "first sight")
    async with await Client.connect(gateway.url, session={"token": made("new", name="Newer")}) as client:
        equal(client.session["user"], user("new", "New", photoUrl="https://x/y"), "later")


@case("guests with a key: ids are made here, a token brings the same guest back")
async def guests(gateway):
    async with await Client.connect(gateway.url) as client:
        equal(client.hello["auth"], "guest", "hello.auth")
        opened = await client.call("session.open", guest={"name": "Ana", "id": "ana"})
        id = opened["user"]["id"]
        expected = {"session": Text(), "user": user(id, "Ana"), "role": "default", "expiresAt": opened["expiresAt"], "token": Text()}
        equal(opened, expected, "session.open")
        equal(id.startswith("guest-"), True, f"the id {id}")
        await client.call("conversation.createIfNotExists", conversation="guests")
    async with await Client.connect(gateway.url, session={"token": opened["token"]}) as again:
        equal(again.session["user"], user(id, "Ana"), "the same guest")
        made_by_guest = await again.call("conversation.get", conversation="guests")
        equal(made_by_guest["conversation"]["id"], "guests", "the guest's conversation")
        # Guests read only users with whom they share a conversation.
        async with await Client.connect(gateway.url, session={"token": made("member")}) as member:
            equal(await again.call("user.get", user="member"), {"user": None}, "a stranger")
            equal(await member.call("user.get", user=id), {"user": user(id, "Ana")}, "members read any user")
            # Nor do they bring others in, who look like users who do not exist.
            for stranger in ("member", "nobody"):
                for bring in ("participant.set", "participant.createIfNotExists"):
                    await refused(again.call(bring, conversation="guests", user=stranger), 104)
                await refused(again.call("conversation.createIfNotExists", type="direct", **{"with": stranger}), 104)
            equal(await again.call("user.get", user="member"), {"user": None}, "a stranger still")
            await member.call("conversation.createIfNotExists", conversation="guests")
            equal(await again.call("user.get", user="member"), {"user": user("member")}, "no stranger any more")

    async def renewed():
        async with await Client.connect(gateway.url, session={"token": opened["token"]}) as later:
            return later.session["token"] != opened["token"] and later.session["user"]["id"] == id

    deadline = time.monotonic() + 5
    while not (isNew := await renewed()) and time.monotonic() < deadline:
        pass
    equal(isNew, True, "who comes back a second later gets a token that is good for longer")
    async with await Client.connect(gateway.url, session={"guest": {}}) as other:
        equal(other.session["user"]["id"] != id, True, "another guest")


@case("a guest sees a user as long as they share a conversation")
async def strangers(gateway):
    topics = {"user:known": user("known"), "online:known": {"user": user("known"), "isConnected": True}}
    async with (
        await Client.connect(gateway.url, session={"guest": {}}) as guest,
        await Client.connect(gateway.url, session={"token": made("known")}) as known,
    ):
        await guest.call("conversation.createIfNotExists", conversation="shared")
        for topic in topics:
            await guest.call("subscribe", topic=topic)
            await guest.shows(topic, None, what="of a stranger")
        with Checks() as check:
            await known.call("conversation.createIfNotExists", conversation="shared")
            for topic, snapshot in topics.items():
                with check.row("they share a conversation now"):
                    await guest.shows(topic, snapshot, seconds=3)
            for topic in topics:
                await guest.call("unsubscribe", topic=topic)
                await guest.call("subscribe", topic=topic)
            for topic, snapshot in topics.items():
                await guest.shows(topic, snapshot, what="subscribed while they share a conversation")
            await known.call("participant.delete", conversation="shared", user="known")
            await known.call("user.set", user="known", name="Renamed")
            equal((await guest.call("user.get", user="known"))["user"], None, "user.get of a stranger again")
            for topic in topics:
                with check.row("they share none any more"):
                    await guest.shows(topic, None, seconds=3)
            seen = json.dumps(guest.notifications)
            check.true("Renamed" not in seen, "the guest was told the new name of a user who is a stranger again")


@case("guests are refused behind a proxy and over a unix socket, where they are let in by default")
async def guests_from_afar():
    with Gateway() as gateway:
        socket_path = gateway.temporary / "socket"
        with Checks() as check:
            for name in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "Via"):
                with check.row(name):
                    async with await Client.connect(gateway.url, additional_headers={name: "1.2.3.4"}) as client:
                        equal(client.hello["auth"], "required", "hello.auth")
                        await refused(client.call("session.open", guest={}), 101)
                        await client.call("session.open", token=token("ana"))
        gateway.end()
        gateway.listen = [gateway.address, f"unix:{socket_path}"]
        gateway.start()
        async with websockets.unix_connect(str(socket_path), "ws://localhost/ws") as socket:
            equal(json.loads(await socket.recv())["params"]["auth"], "required", "hello.auth over a unix socket")
            await socket.send('{"jsonrpc":"2.0","id":1,"method":"session.open","params":{"guest":{}}}')
            equal(json.loads(await socket.recv())["error"]["code"], 101, "over a unix socket")
        async with await Client.connect(gateway.url) as client:
            await client.call("session.open", guest={})
    with Gateway(SERVER_PROXIES="10.0.0.1") as gateway:
        async with await Client.connect(gateway.url) as client:
            await refused(client.call("session.open", guest={}), 101)
    with Gateway(AUTH_GUESTS="true") as gateway:
        async with await Client.connect(gateway.url, additional_headers={"X-Forwarded-For": "1.2.3.4"}) as client:
            await client.call("session.open", guest={})
    with Gateway(AUTH_GUESTS="false") as gateway:
        async with await Client.connect(gateway.url) as client:
            equal(client.hello["auth"], "required", "hello.auth")
            await refused(client.call("session.open", guest={}), 101)


@case("new guests of one address are limited where a key is set: 20 a minute")
async def many_guests():
    with Gateway() as gateway:
        codes = []
        for _ in range(25):
            async with await Client.connect(gateway.url) as client:
                reply = await client.reply("session.open", guest={})
                codes.append(reply.get("error", {}).get("code", 0))
                last = reply.get("error", {}).get("data")
        equal(codes, [0] * 20 + [109] * 5, "20 guests are let in, the others are rate limited")
        equal((last["temporary"], 0 < last["retryAfterMs"] <= 60_000), (True, True), "when to come back")


@case("`parley token` signs tokens of users, bots and backends")
async def command():
    with Gateway() as gateway:
        for kind, origin in (("user", "web"), ("bot", "bot"), ("app", None)):
            done = parley("token", "--user", f"t-{kind}", "--type", kind, "--name", "Name", "--ttl", "5m", AUTH_SECRET=SECRET)
            equal((done.returncode, done.stderr), (0, ""), "parley token")
            async with await Client.connect(gateway.url, session={"token": done.stdout.strip()}) as client:
                equal(client.session["user"], user(f"t-{kind}", "Name"), "session.open")
                equal(abs(client.session["expiresAt"] / 1000 - time.time() - 300) < 5, True, "expiresAt")
                await client.call("conversation.createIfNotExists", conversation=f"c-{kind}")
                if origin:
                    sent = await client.call("conversation.send", conversation=f"c-{kind}", text="x")
                    equal(sent["message"]["origin"], origin, "origin")
                if kind == "app":
                    await client.call("user.set", user="made-by-app", name="Made")
    for arguments, settings, code in (
        (["--user", "x"], {}, 1),
        (["--user", "guest-x"], dict(AUTH_SECRET=SECRET), 1),
        (["--user", "a/b"], dict(AUTH_SECRET=SECRET), 1),
        (["--user", "x", "--role", "nope"], dict(AUTH_SECRET=SECRET), 1),
        ([], dict(AUTH_SECRET=SECRET), 2),
        (["--user", "x", "--type", "admin"], dict(AUTH_SECRET=SECRET), 2),
        (["--user", "x", "--ttl", "soon"], dict(AUTH_SECRET=SECRET), 2),
        (["--usr", "x"], dict(AUTH_SECRET=SECRET), 2),
        (["--user", "x"], dict(AUTH_SECRET="short"), 1),
    ):
        done = parley("token", *arguments, **settings)
        equal((done.returncode, done.stdout, done.stderr != ""), (code, "", True), f"parley token {arguments}")
