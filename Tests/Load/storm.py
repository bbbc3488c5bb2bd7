"""A reconnect storm: clients with sessions lose their connections all at once and come back, and nothing acknowledged is lost.

Four ways: the clients reset their sockets, the gateway is told to stop (SIGTERM), it is killed, and it is killed while messages are sent.
"""

import argparse
import asyncio
import random
import signal
import time

from certificates import SecureGateway, client_context, tls_settings
from checks import within
from gateway import Gateway
from measure import Livez, Verdicts
from peer import Peer, Refused, in_turn

AT_ONCE = 64
ROOMS, SENDERS = 250, 20
BACK_OFF, LONGEST = 2.0, 30.0
BACK_WITHIN = 60
LIVEZ_MS = 250


def take(peer, text):
    """Snapshots are let go: going through them would cost the clients more than the gateway."""
    if b'"method":"subscription"' not in text[:60]:
        Peer.settle(peer, text)


class Client:
    """A client as docs/protocol.md wants it: it comes back after a random time that doubles, or after the time that goAway named."""

    def __init__(self, gateway, number, chance):
        self.gateway, self.number, self.chance = gateway, number, chance
        self.user, self.room = f"user{number}", f"room{number % ROOMS}"
        self.peer = None
        self.attempts = 0
        self.back = asyncio.Event()
        self.running = None

    async def run(self):
        """Connects again and again, until it is cancelled."""
        failures = 0
        while True:
            wait = None
            try:
                self.attempts += 1
                self.peer = peer = await self.connect()
                self.back.set()
                failures = 0
                await peer.ended
                wait = next((note["params"]["reconnectAfterMs"] / 1000 for note in peer.noted if note["method"] == "goAway"), None)
            except (OSError, Refused, TimeoutError):
                pass
            self.back.clear()
            if wait is None:
                wait = self.chance.uniform(0, min(LONGEST, BACK_OFF * 2**failures))
                failures += 1
            await asyncio.sleep(wait)

    async def connect(self):
        peer = await Peer.session(self.gateway.place, self.user, tls=self.gateway.context, take=take)
        peer.noted = []
        try:
            await peer.call("conversation.createIfNotExists", conversation=self.room)
            await peer.call("subscribe", topic=f"messages:{self.room}")
        except BaseException:
            peer.abort()
            raise
        return peer


class Sender:
    """Sends numbered messages whenever its client is connected, and keeps what was acknowledged."""

    def __init__(self, client):
        self.client, self.acknowledged, self.number = client, [], 0

    async def run(self):
        while True:
            await self.client.back.wait()
            text = f"{self.client.user} {self.number}"
            try:
                sent = self.client.peer.start("conversation.send", conversation=self.client.room, text=text, clientMessageId=text)
                reply = await within(sent, 60)
                if "error" in reply:
                    raise AssertionError(f"a message was refused: {reply['error']}")
                self.acknowledged.append(reply["result"]["message"]["id"])
                self.number += 1
            except ConnectionError:
                pass
            await asyncio.sleep(0.05)


async def all_back(clients, seconds):
    """Waits until every client is connected; how many are."""
    try:
        async with asyncio.timeout(seconds):
            for client in clients:
                await client.back.wait()
    except TimeoutError:
        pass
    return sum(client.back.is_set() for client in clients)


async def storm(name, gateway, clients, check, drop):
    """Drops everybody and waits until they are back; tells how long that took and what /livez said meanwhile."""
    for client in clients:
        client.attempts = 0
    await asyncio.sleep(1)
    with Livez(gateway.port, gateway.context) as livez:
        start = time.monotonic()
        await drop()
        lost = time.monotonic()
        while all(client.back.is_set() for client in clients) and time.monotonic() < lost + 15:
            await asyncio.sleep(0.01)
        back = await all_back(clients, BACK_WITHIN * 2)
        took = time.monotonic() - start
        await asyncio.sleep(0.5)
    attempts = sum(client.attempts for client in clients)
    print(f"     {name}: {back} of {len(clients)} back after {attempts} attempts; /livez asked {len(livez.times)} times", flush=True)
    check(f"{name}: all are back", took if back == len(clients) else float("inf"), BACK_WITHIN, "s")
    check(f"{name}: p99 of /livez", livez.p99(), LIVEZ_MS, "ms")


async def history(peer, room):
    """The ids of all messages, the oldest first."""
    ids, more = [], {}
    while True:
        page = await peer.call("conversation.history", conversation=room, limit=100, **more)
        ids += [message["id"] for message in page["messages"]]
        if page["loadedAll"]:
            return ids[::-1]
        more = {"before": ids[-1]}


async def check_messages(senders, check):
    """What was acknowledged is there once, in the order in which it was acknowledged."""
    lost = unordered = 0
    for sender in senders:
        kept = await history(sender.client.peer, sender.client.room)
        mine = set(sender.acknowledged)
        lost += len(mine - set(kept))
        unordered += [id for id in kept if id in mine] != sender.acknowledged
    check.true(f"none of {sum(len(sender.acknowledged) for sender in senders)} acknowledged messages is lost ({lost})", lost == 0)
    check.true(f"they are once and in order for every sender ({unordered} are not)", unordered == 0)


async def main(options):
    seed = options.seed if options.seed is not None else random.randrange(2**32)
    print(f"     seed {seed}")
    chance, check = random.Random(seed), Verdicts()
    with SecureGateway(**tls_settings()) if options.tls else Gateway() as gateway:
        gateway.place, gateway.context = ("127.0.0.1", gateway.port), client_context() if options.tls else None
        clients = [Client(gateway, number, chance) for number in range(options.clients)]

        async def begin(number):
            client = clients[number]
            client.running = asyncio.create_task(client.run())
            await client.back.wait()

        await in_turn(len(clients), AT_ONCE, begin)
        senders = [Sender(client) for client in clients[:SENDERS]]
        sending = [asyncio.create_task(sender.run()) for sender in senders]

        async def reset():
            for client in clients:
                client.peer.abort(reset=True)

        async def restart(number):
            gateway.process.send_signal(number)
            await asyncio.to_thread(gateway.process.wait, 60)
            await asyncio.to_thread(gateway.start)

        for _ in range(options.rounds):
            await storm("clients reset", gateway, clients, check, reset)
            await storm("SIGTERM and restart", gateway, clients, check, lambda: restart(signal.SIGTERM))
            await storm("SIGKILL and restart", gateway, clients, check, lambda: restart(signal.SIGKILL))
        for task in sending:
            task.cancel()
        for outcome in await asyncio.gather(*sending, return_exceptions=True):
            if not isinstance(outcome, asyncio.CancelledError):
                raise outcome
        await check_messages(senders, check)
        for client in clients:
            client.running.cancel()
    return check.exit_code()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="scripts/load storm", description=__doc__)
    parser.add_argument("--clients", type=int, default=5000)
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int)
    raise SystemExit(asyncio.run(main(parser.parse_args())))
