"""What takes the gateway's sockets, memory, disk or clock away; row by row of Tests/Attacks.md."""

import asyncio
import contextlib
import os
import resource
import shutil
import socket
import subprocess
import time
from pathlib import Path

from attack import Cost, Deaf, gives_back, opened, request, scaled, text_of
from checks import Skipped, case, equal
from client import Client, connected, refused
from flow import send, subscribe
from gateway import Gateway
from tokens import token
from wire import get


@contextlib.asynccontextmanager
async def all_given_back(gateway, connections):
    """After the block, waits until that many connections came and went, their descriptors with them."""
    opened = gateway.metric("parley_connections_opened_total")
    descriptors = gateway.descriptors()
    yield
    accepted = lambda: gateway.metric("parley_connections_opened_total") - opened >= connections
    await gateway.until(accepted, 20, f"{connections} connections were accepted")
    await gateway.until(lambda: gateway.descriptors() <= descriptors + 1, 20, f"no more than {descriptors} descriptors are open")


@case("resources: thousands of connections that say nothing are closed at their time, and leave nothing", seconds=300)
async def silent_connections():
    count = scaled(1500, 19_000)
    with Gateway(SERVER_LIMITS_HANDSHAKE_MS=3000) as gateway:
        async with connected(gateway, "ana") as ana:
            await ana.call("conversation.createIfNotExists", conversation="silence")

            async def silence(count):
                async with all_given_back(gateway, count):
                    sockets = [plain(gateway) for _ in range(count)]
                    start = time.monotonic()
                    await send(ana, "silence", "x")
                    equal(gateway.status("/livez"), 200, "/livez")
                    equal(time.monotonic() - start < 2, True, f"others are served at once, not in {time.monotonic() - start:.1f} s")
                for one in sockets:
                    one.close()

            await silence(count // 3)
            await gives_back(gateway, lambda: silence(count), 8 << 20)


def plain(gateway):
    return socket.create_connection(("127.0.0.1", gateway.port))


@case("resources: connect and reset, at once or behind a request", seconds=300)
async def resets():
    with Gateway() as gateway:

        def rounds(count):
            for number in range(count):
                one = plain(gateway)
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
                one.sendall((b"", b"G", get("/").encode(), get("/").encode() * 9)[number % 4])
                one.close()

        async def attack(count):
            async with all_given_back(gateway, count):
                await asyncio.to_thread(rounds, count)

        await attack(400)
        await gives_back(gateway, lambda: attack(scaled(2000, 20_000)), 8 << 20)
        async with connected(gateway, "ana") as ana:
            await ana.call("ping")


@case("resources: at the limit of descriptors health is answered, others hear 503, nothing spins, and it goes on", seconds=120)
async def no_descriptors():
    limit = 300
    with Gateway(
        before_start=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)), SERVER_LIMITS_HANDSHAKE_MS=4000
    ) as gateway:
        async with contextlib.AsyncExitStack() as stack:
            people = []
            with contextlib.suppress(AssertionError):
                for number in range(limit):
                    people.append(await stack.enter_async_context(opened(gateway, f"u{number}")))
            equal(limit - 64 - 60 < len(people) <= limit - 64, True, f"{len(people)} people are let in")
            equal(gateway.status("/livez"), 200, "/livez when it is full of people")
            equal(gateway.status("/readyz"), 200, "/readyz when it is full of people")
            status, headers, _ = gateway.get("/")
            equal((status, "Retry-After" in headers), (503, True), "the page when it is full of people")
            # Who says nothing takes the last descriptors, and more wait to be accepted.
            silent = [plain(gateway) for _ in range(150)]
            with Cost(gateway) as cost:
                await asyncio.sleep(1)
            equal(cost.seconds < 0.3, True, f"{cost.seconds:.2f} s of work in a second in which nothing happens")
            start = time.monotonic()
            await gateway.until(lambda: gateway.status("/livez") == 200, 15, "/livez is answered")
            equal(time.monotonic() - start < 3, True, f"soon, and not after {time.monotonic() - start:.1f} s")
            for one in people[::20]:
                one.write(request("ping"))
                equal("result" in await text_of(one), True, "people are served")
            for one in silent:
                one.close()
        async with connected(gateway, "later") as later:
            await later.call("ping")


@case("resources: hundreds who subscribe and read nothing cost at most their cap and delay nobody", seconds=300)
async def many_deaf():
    count, room, cap = scaled(60, 5000), "deaf", 524_288
    with Gateway(SERVER_LIMITS_OUTBOUND_BYTES=cap) as gateway:
        async with connected(gateway, "ana", "ben") as (ana, ben):
            for client in (ana, ben):
                await client.call("conversation.createIfNotExists", conversation=room)
            await subscribe(ben, f"messages:{room}")
            join = request("conversation.createIfNotExists", conversation=room) + request("subscribe", id=2, topic=f"messages:{room}")
            joined = lambda: gateway.metric('parley_subscriptions{kind="messages",state="active"}')
            deaf = []
            for number in range(count):
                deaf.append(Deaf(gateway, f"deaf{number}"))
                deaf[-1].send(join)
                # A conversation refuses calls when more than some hundreds of them wait.
                if number % 200 == 199 or number == count - 1:
                    await gateway.until(lambda: joined() > number, 20, "they are subscribed")
            with Cost(gateway) as cost:
                slowest = 0
                for number in range(scaled(60, 200)):
                    start = time.monotonic()
                    sent = await send(ana, room, f"{number} " + "€" * 9000)
                    await ben.wait_for(
                        lambda: (ben.latest(f"messages:{room}") or {"snapshot": []})["snapshot"][:1] == [sent], "ben sees it"
                    )
                    slowest = max(slowest, time.monotonic() - start)
            equal(slowest < 2, True, f"others are served at once, not in {slowest:.1f} s")
            # A newer snapshot takes the place of the one that waits, and all share it.
            equal(cost.bytes < count * cap / 4, True, f"{cost.bytes / 1e6:.1f} MB more for {count} who do not read")
            for one in deaf:
                one.reset()
            await gateway.until(lambda: gateway.metric("parley_connections") <= 3, 20, "they are gone")
            equal((ana.closed, ben.closed), (None, None), "the others' connections")


class MovedClock(Gateway):
    """A gateway whose wall clock can be moved while it runs."""

    def __init__(self, **settings):
        super().__init__(**settings)
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if not compiler:
            raise Skipped("needs a C compiler")
        self.library = self.temporary / "clock.so"
        self.file = self.temporary / "clock"
        self.file.write_text("0")
        source = Path(__file__).with_name("clock.c")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", self.library, source, "-ldl"], check=True, timeout=60)

    def command(self):
        return ["/usr/bin/env", f"LD_PRELOAD={self.library}", f"CLOCK_SHIFT_FILE={self.file}", *super().command()]

    def move(self, seconds):
        # In one step: the library reads it at any time.
        fresh = self.file.with_name("clock.new")
        fresh.write_text(str(seconds))
        os.replace(fresh, self.file)


@case("resources: the clock jumps an hour forth and back: timers go on, order stays, tokens go by the new time", seconds=60)
async def clock_jumps():
    with MovedClock(SERVER_HEARTBEAT_MS=1000, SERVER_GRACE_MS=500, CHAT_TYPING_TIMEOUT=2) as gateway:
        session = lambda name: {"token": token(name, exp=int(time.time()) + 4 * 3600)}
        async with (
            await Client.connect(gateway.url, session=session("ana")) as ana,
            await Client.connect(gateway.url, session=session("ben")) as ben,
        ):
            for client in (ana, ben):
                await client.call("conversation.createIfNotExists", conversation="clock")
            await subscribe(ben, "messages:clock", "typing:clock")
            now = (await ana.call("ping"))["time"]
            sent = [await send(ana, "clock", "before")]
            for hours in (1, -1, 0):
                gateway.move(hours * 3600)
                moved = (await ana.call("ping"))["time"] - now
                equal(abs(moved / 1000 - hours * 3600) < 30, True, f"the gateway's clock moved by {moved / 1000:.0f} s")
                sent.insert(0, await send(ana, "clock", f"{hours}"))
                await ana.call("conversation.startTyping", conversation="clock")
                await ben.wait_for(lambda: (ben.latest("messages:clock") or {"snapshot": None})["snapshot"] == sent, "pushed in order")
                times = [message["createdAt"] for message in sent]
                equal(times, sorted(times, reverse=True), "createdAt never decreases")
                ids = [message["id"] for message in sent]
                equal(ids, sorted(ids, reverse=True), "ids are in order")
                # Pings and their grace go by a steady clock: nobody is dropped, and who is silent is.
                start = time.monotonic()
                async with opened(gateway) as silent:
                    await silent.end()
                took = time.monotonic() - start
                equal(1.2 < took < 5, True, f"who is silent is freed in their time, not after {took:.1f} s")
                equal((ana.closed, ben.closed), (None, None), "who answers stays")
                # A token is good by the clock of the moment.
                wall = int(time.time()) + hours * 3600
                async with await Client.connect(gateway.url) as late:
                    await refused(late.call("session.open", token=token("ana", iat=wall - 4000, exp=wall - 60)), 100)
                    await late.call("session.open", token=token("ana", iat=wall, exp=wall + 60))
            await ben.wait_for(lambda: ben.latest("typing:clock")["snapshot"]["users"] == [], "typing ends", 15)
        equal(gateway.end(), 0, "exit code")


@case("resources: a gateway that starts again with its clock an hour back keeps the order of what it stored", seconds=60)
async def clock_back_at_start():
    with MovedClock() as gateway:
        gateway.move(3600)
        async with connected(gateway, "ana") as ana:
            await ana.call("conversation.createIfNotExists", conversation="back")
            first = await send(ana, "back", "first")
        equal(gateway.end(), 0, "exit code")
        gateway.move(0)
        gateway.start()
        async with connected(gateway, "ana") as ana:
            second = await send(ana, "back", "second")
            history = (await ana.call("conversation.history", conversation="back"))["messages"]
            equal([message["id"] for message in history], [second["id"], first["id"]], "the order of the history")
            equal((second["id"] > first["id"], second["createdAt"] >= first["createdAt"]), (True, True), "ids and times go on")


@case("resources: hundreds of requests of which no answer is read cost at most the cap of what waits", seconds=60)
async def unread_answers():
    with Gateway() as gateway:
        flood = get("/").encode() * 300
        with Cost(gateway) as cost:
            deaf = [Deaf(gateway, data=flood) for _ in range(20)]
            gone = lambda: gateway.metric('parley_connections_closed_total{cause="slow_reader"}')
            await gateway.until(lambda: gone() == len(deaf), 20, "all are cut off")
        equal(cost.bytes < 40e6, True, f"{cost.bytes / 1e6:.1f} MB more for 20 who read no answer")
        for one in deaf:
            one.reset()
