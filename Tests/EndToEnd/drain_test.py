"""Signals: a restart that nobody suffers from, an end at once, and a reload."""

import asyncio
import json
import re
import signal
import time

import websockets

from checks import case, equal
from client import Client, refused
from gateway import Gateway
from tokens import token
from wire import Wire, get, upgrade

CLIENTS, ROOMS = 200, 100


class Busy:
    """A client that reads, and sends and asks until it is told to go away."""

    def __init__(self, number):
        self.user, self.room = f"busy{number}", f"room{number % ROOMS}"
        self.sends = {}  # Text to the future of the reply.

    async def connect(self, gateway):
        self.client = await Client.connect(gateway.url, self.user)
        await self.client.call("conversation.createIfNotExists", conversation=self.room)
        await self.client.call("subscribe", topic=f"messages:{self.room}")
        self.asking = asyncio.create_task(self.ask())

    async def ask(self):
        while not self.client.told("goAway") and not self.client.closed:
            text = f"{self.user} {len(self.sends)}"
            self.sends[text] = await self.client.start("conversation.send", conversation=self.room, text=text)
            history = await self.client.start("conversation.history", conversation=self.room, limit=5)
            await asyncio.wait([self.sends[text], history])

    def answered(self):
        """The texts of the messages that were acknowledged."""
        return {text for text, reply in self.sends.items() if reply.done() and not reply.exception() and "result" in reply.result()}


async def texts_of(gateway, user, room):
    async with await Client.connect(gateway.url, user) as client:
        texts, before = [], {}
        while True:
            page = await client.call("conversation.history", conversation=room, limit=100, **before)
            texts += [item["plaintext"] for item in page["messages"]]
            if page["loadedAll"]:
                return texts
            before = {"before": page["messages"][-1]["id"]}


@case(f"SIGTERM with {CLIENTS} busy clients: goAway, then 1012, exit 0")
async def drain():
    with Gateway(SERVER_DRAIN_MS=3000) as gateway:
        people = [Busy(number) for number in range(CLIENTS)]
        await asyncio.gather(*(person.connect(gateway) for person in people))
        for person in people:
            await person.client.wait_for(lambda: len(person.answered()) > 5, "requests are answered", 20)
        start = time.monotonic()
        gateway.process.send_signal(signal.SIGTERM)
        await people[0].client.wait_for(lambda: people[0].client.told("goAway"), "goAway")
        equal(gateway.status("/readyz") in (None, 503), True, "readiness for a new connection")
        codes = await asyncio.gather(*(person.client.close_code(20) for person in people))
        equal(codes, [1012] * CLIENTS, "close codes")
        took = time.monotonic() - start
        delays = set()
        for person in people:
            await person.asking
            [away] = person.client.told("goAway")
            equal(away, {"reason": "restart", "reconnectAfterMs": away["reconnectAfterMs"], "deadlineMs": away["deadlineMs"]}, "goAway")
            delays.add(away["reconnectAfterMs"])
            told = re.fullmatch(r"[a-z; ]+; retry_after_ms=(\d+)", person.client.closed[1])
            equal(told and int(told[1]) <= away["reconnectAfterMs"], True, f"the reason: {person.client.closed[1]}")
        equal(len(delays) > CLIENTS / 4, True, f"random delays of the return, not {sorted(delays)[:9]}")
        equal(await gateway.ended(), 0, "exit code")
        equal(took < 6, True, f"within drainMs, not {took:.1f} s")
        # What was acknowledged is there; what was carried out was answered.
        gateway.start()
        stored = {}
        for person in people[:ROOMS]:
            stored[person.room] = set(await texts_of(gateway, person.user, person.room))
        lost = [text for person in people for text in person.answered() - stored[person.room]]
        equal(lost, [], "acknowledged messages that are gone")
        silent = [text for person in people for text in (set(person.sends) - person.answered()) & stored[person.room]]
        equal(silent, [], "messages that were stored and never answered")


@case("/readyz is 503 while draining, for those who are connected")
async def readiness():
    with Gateway(SERVER_DRAIN_MS=4000) as gateway:
        async with Wire.open(gateway) as kept, await Client.connect(gateway.url, "ana") as client:
            kept.write(get("/readyz"))
            equal((await kept.answer())[0], 200, "before")
            gateway.process.send_signal(signal.SIGTERM)
            await client.wait_for(lambda: client.told("goAway"), "goAway")
            kept.write(get("/readyz"))
            status, _, body = await kept.answer()
            equal((status, b"drain" in body), (503, True), "status, and the body names the check")


@case("drainMs 0: goAway and 1012 all the same")
async def no_time():
    with Gateway(SERVER_DRAIN_MS=0) as gateway:
        clients = [await Client.connect(gateway.url, f"u{number}") for number in range(20)]
        gateway.process.send_signal(signal.SIGTERM)
        equal([await client.close_code() for client in clients], [1012] * 20, "close codes")
        equal(await gateway.ended(), 0, "exit code")


@case("SIGINT drains as well; clients without a session see 1012 too")
async def interrupt():
    with Gateway(SERVER_DRAIN_MS=200) as gateway:
        async with await Client.connect(gateway.url) as stranger, await Client.connect(gateway.url, "ana") as ana:
            gateway.process.send_signal(signal.SIGINT)
            equal([await client.close_code() for client in (stranger, ana)], [1012, 1012], "close codes")
            equal(await gateway.ended(), 0, "exit code")


@case("a client that does not answer the close does not hold up the end")
async def deaf():
    with Gateway(SERVER_DRAIN_MS=500) as gateway:
        async with Wire.open(gateway) as mute, Wire.open(gateway) as half:
            half.write("GET /livez HT")
            mute.write(upgrade())
            await mute.head()
            await mute.frame()
            start = time.monotonic()
            gateway.process.send_signal(signal.SIGTERM)
            equal(await gateway.ended(15), 0, "exit code")
            equal(time.monotonic() - start < 5, True, f"{time.monotonic() - start:.1f} s")


@case("a second SIGTERM ends at once")
async def twice():
    with Gateway(SERVER_DRAIN_MS=60_000) as gateway:
        clients = [await Client.connect(gateway.url, f"u{number}") for number in range(20)]
        gateway.process.send_signal(signal.SIGTERM)
        await clients[0].wait_for(lambda: clients[0].told("goAway"), "goAway")
        equal(gateway.process.poll(), None, "it drains")
        start = time.monotonic()
        gateway.process.send_signal(signal.SIGTERM)
        await gateway.ended()
        equal(time.monotonic() - start < 1.5, True, "at once")
        for client in clients:
            await client.close()


async def reload(gateway, config, word):
    """Writes the file, sends SIGHUP and waits until the log says so."""
    gateway.config_path.write_text(config)
    seen = gateway.log_path.read_text().count(word)
    gateway.process.send_signal(signal.SIGHUP)
    await gateway.until(lambda: gateway.log_path.read_text().count(word) > seen, 5, f"the log says {word}")


async def may_come(gateway, origin):
    try:
        async with websockets.connect(gateway.url, proxy=None, additional_headers={"Origin": origin}):
            return True
    except websockets.InvalidStatus as error:
        equal(error.response.status_code, 403, "status")
        return False


@case("SIGHUP reloads roles, origins, keys and the log level, and refuses a bad file")
async def hangup():
    with Gateway(config="{roles: {default: {}, mute: {send: 'none'}}}") as gateway:
        async with await Client.connect(gateway.url, session={"token": token("muted", role="mute")}) as old:
            await old.call("conversation.createIfNotExists", conversation="room")
            await refused(old.call("conversation.send", conversation="room", text="x"), 101)
            equal(await may_come(gateway, "https://new.example"), False, "an origin that is not listed yet")
            await reload(
                gateway,
                """{
                roles: {default: {}, mute: {send: "all"}, fresh: {}}, server: {origins: ["https://new.example"], drainMs: 1},
                log: {level: "debug"}}""",
                "reloaded",
            )
            equal(await may_come(gateway, "https://new.example"), True, "an origin after the reload")
            app = {"token": token("app", tokenType="app")}
            async with await Client.connect(gateway.url, session=app) as backend:
                # Of a user whose record is in memory, and of one whose is not.
                for user in ("muted", "unseen"):
                    made = await backend.call("user.set", user=user, name=user, role="fresh")
                    equal(made["user"]["role"], "fresh", "a role of the new configuration")
                    await refused(backend.call("user.set", user=user, role="nope"), -32602)
            for role in ("mute", "fresh"):
                async with await Client.connect(gateway.url, session={"token": token(role, role=role)}) as new:
                    await new.call("conversation.createIfNotExists", conversation="room")
                    await new.call("conversation.send", conversation="room", text="x")
            equal('"debug"' in gateway.log_path.read_text(), True, "debug lines in the log")
            await old.call("ping")
            await reload(gateway, "{roles: 7}", "reload refused")
            equal(await may_come(gateway, "https://new.example"), True, "a bad file changes nothing")
            await reload(gateway, "{}", "reloaded")
            async with await Client.connect(gateway.url) as client:
                await refused(client.call("session.open", token=token("fresh", role="fresh")), 100)
            equal(await may_come(gateway, "https://new.example"), False, "an origin that is taken away")


@case("the log of a run is JSON, a line per event, without tokens")
async def log():
    with Gateway(LOG_LEVEL="debug") as gateway:
        secret_token = token("logged", name="A name of somebody")
        async with await Client.connect(gateway.url, session={"token": secret_token}) as client:
            await client.call("conversation.createIfNotExists", conversation="c")
            await client.call("conversation.send", conversation="c", text="a secret text")
        equal(gateway.end(), 0, "exit code")
        text = gateway.log_path.read_text()
        for line in text.splitlines():
            equal(isinstance(json.loads(line), dict), True, f"JSON: {line}")
        for secret in (secret_token, "a secret text", "A name of somebody"):
            equal(secret in text, False, f"the log holds {secret}")
