"""Peers that are half gone: that close one side, never close, say nothing, take nothing, or vanish without a packet."""

import asyncio
import contextlib
import ctypes
import json
import os
import socket
import subprocess
import threading
import time

from checks import Skipped, case, equal
from client import Client, connected
from gateway import Gateway
from slow_test import TOPICS, prepare
from tokens import token
from wire import masked, upgrade

QUICK = dict(SERVER_HEARTBEAT_MS=1000, SERVER_GRACE_MS=500, SERVER_LIMITS_HANDSHAKE_MS=1000, SERVER_LIMITS_AUTHENTICATION_MS=1000, PRESENCE_GRACE_MS=0)


def closed(gateway, cause):
    return gateway.metric(f'parley_connections_closed_total{{cause="{cause}"}}')


class Peer:
    """A client that does only what it is told to."""

    def __init__(self, gateway, user=None, address=None):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(10)
        self.socket.connect(address or ("127.0.0.1", gateway.port))
        if user:
            self.socket.sendall(upgrade(f"Authorization: Bearer {token(user)}").encode())
            assert b"hello" in self.until(b'"limits"')

    def until(self, word):
        data = b""
        while word not in data:
            data += self.socket.recv(4096)
        return data

    def call(self, method, **params):
        self.number = getattr(self, "number", 0) + 1
        text = json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}).encode()
        self.socket.sendall(masked(0x81, text))

    def ask_for_much(self):
        """Until the socket is not read: pages that nobody takes."""
        for number in range(80):
            self.call("conversation.history", conversation=f"big{number % TOPICS}", limit=100)

    def ended(self):
        """Whether the server has closed or reset the socket, with nothing left to read."""
        self.socket.setblocking(False)
        try:
            while self.socket.recv(1 << 16):
                pass
        except BlockingIOError:
            return False
        except OSError:
            pass
        return True


async def gone(gateway, cause, count, seconds, what):
    """Waits until so many connections have ended for a cause."""
    await gateway.until(lambda: closed(gateway, cause) >= count, seconds, f"{what}: {count} ended as {cause}")
    equal(closed(gateway, cause), count, f"{what}: ended as {cause}")


@contextlib.asynccontextmanager
async def watched(gateway, user):
    """Sees that somebody is told once that a user is gone."""
    async with await Client.connect(gateway.url, "watcher") as watcher:
        await watcher.call("subscribe", topic=f"online:{user}")
        await watcher.wait_for(lambda: watcher.latest(f"online:{user}"), "online")
        yield
        states = lambda: [event["snapshot"] and event["snapshot"]["isConnected"] for event in watcher.events(f"online:{user}")]
        await watcher.wait_for(lambda: states()[-1] is False, "the end is told", 5)
        await asyncio.sleep(0.3)
        equal(states().count(False), 1 + (states()[0] is False), f"told once: {states()}")


@case("a peer that ends its side is freed at once, also while its messages are not read")
async def one_side():
    with Gateway(PRESENCE_GRACE_MS=0) as gateway:
        await prepare(gateway)
        reading, paused = Peer(gateway, "author"), Peer(gateway, "author")
        paused.ask_for_much()
        await gateway.until(lambda: gateway.metric("parley_blocked_connections") == 1, 10, "it reads nothing")
        async with watched(gateway, "author"):
            for peer in (reading, paused):
                peer.socket.shutdown(socket.SHUT_WR)
            start = time.monotonic()
            await gone(gateway, "peer_vanished", 2, 3, "half closed")
            equal(time.monotonic() - start < 3, True, "at once")


@case("a peer that never answers a close is freed, whether it reads or not", seconds=60)
async def never_closes():
    with Gateway(PRESENCE_GRACE_MS=0) as gateway:
        await prepare(gateway)
        async with await Client.connect(gateway.url, session={"token": token("app", tokenType="app")}) as app:
            reading, stuck = Peer(gateway, "victim"), Peer(gateway, "victim")
            stuck.call("conversation.createIfNotExists", conversation="big0")
            for number in range(TOPICS):
                stuck.call("conversation.createIfNotExists", conversation=f"big{number}")
            stuck.ask_for_much()
            await gateway.until(lambda: gateway.metric("parley_blocked_connections") == 1, 10, "it reads nothing")
            async with watched(gateway, "victim"):
                start = time.monotonic()
                equal(await app.call("session.revoke", user="victim"), {"revoked": 2}, "session.revoke")
                await gone(gateway, "revoked", 2, 8, "never closed")
                equal(time.monotonic() - start < 8, True, "after the farewell")
            equal((await app.call("session.list", user="victim"))["sessions"], [], "session.list")
            equal(b"\x0f\xa3" in reading.until(b"\x0f\xa3"), True, "who reads has got 4003")


@case("sockets that say nothing, or not enough, are closed in time", seconds=60)
async def says_nothing():
    with Gateway(**QUICK) as gateway:
        silent = [Peer(gateway) for _ in range(20)]
        begun = [Peer(gateway) for _ in range(20)]
        for peer in begun:
            peer.socket.sendall(b"GET /ws HTTP/1.1\r\nHost: a")
        strangers = [Peer(gateway) for _ in range(20)]
        for peer in strangers:
            peer.socket.sendall(upgrade().encode())
        start = time.monotonic()
        everybody = silent + begun + strangers
        while not all(peer.ended() for peer in everybody) and time.monotonic() < start + 10:
            await asyncio.sleep(0.05)
        took = time.monotonic() - start
        equal(all(peer.ended() for peer in everybody), True, "all are closed")
        equal(0.5 < took < 5, True, f"in time, not after {took:.1f} s")
        await gone(gateway, "handshake_timeout", 40, 3, "silent")
        await gone(gateway, "auth_timeout", 20, 3, "strangers")


@case("peers of all these kinds at once are each freed in time, told once and for their own cause", seconds=90)
async def all_at_once():
    # The times leave a slow machine enough to bring all of them into their states.
    with Gateway(SERVER_HEARTBEAT_MS=4000, SERVER_GRACE_MS=2000, PRESENCE_GRACE_MS=0) as gateway:
        await prepare(gateway)
        count = 8
        groups = {name: [Peer(gateway, f"{name}{n}") for n in range(count)] for name in ("deaf", "half", "reset", "closing", "stalled")}
        for peer in groups["stalled"]:
            for number in range(TOPICS):
                peer.call("conversation.createIfNotExists", conversation=f"big{number}")
            peer.ask_for_much()
        async with connected(gateway, "watcher", "alive") as (watcher, alive):
            users = [f"{name}{n}" for name in groups for n in range(count)]
            for user in users:
                await watcher.call("subscribe", topic=f"online:{user}")
            for peer in groups["half"]:
                peer.socket.shutdown(socket.SHUT_WR)
            for peer in groups["reset"]:
                peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                peer.socket.close()
            for peer in groups["closing"]:
                peer.socket.sendall(masked(0x88, (1000).to_bytes(2, "big")))
            state = lambda user: [event["snapshot"] and event["snapshot"]["isConnected"] for event in watcher.events(f"online:{user}")]

            async def talk():
                while True:
                    for peer in groups["stalled"]:
                        with contextlib.suppress(OSError):
                            peer.socket.setblocking(False)
                            peer.socket.send(masked(0x89, b"x"))
                    await asyncio.sleep(0.1)

            talking = asyncio.create_task(talk())
            await watcher.wait_for(lambda: all(state(user)[-1:] == [False] for user in users), "all are gone", 40)
            talking.cancel()
            await asyncio.sleep(0.3)
            equal({user: state(user).count(False) for user in users}, dict.fromkeys(users, 1), "each is told once")
            await gone(gateway, "keep_alive_expired", count, 3, "deaf")
            await gone(gateway, "slow_reader", count, 3, "stalled")
            await gone(gateway, "peer_vanished", 2 * count, 3, "half closed and reset")
            await gateway.until(lambda: closed(gateway, "client_closed") >= count, 3, "those who closed")
            equal(alive.closed, None, "who answers")
            await alive.call("ping")


NAMESPACE, VETH, ADDRESS = f"parley{os.getpid() % 10_000}", f"pv{os.getpid() % 10_000}", "10.213.7"


def command(line):
    done = subprocess.run(line.split(), capture_output=True, text=True)
    if done.returncode != 0:
        raise Skipped(f"{line}: {done.stderr.strip() or 'failed'}")


@contextlib.contextmanager
def wire():
    """A network of two ends, of which the far one can be cut without a word."""
    if os.geteuid() != 0:
        raise Skipped("only root makes a network that can be cut")
    try:
        command(f"ip netns add {NAMESPACE}")
        command(f"ip link add {VETH}a type veth peer name {VETH}b")
        command(f"ip link set {VETH}b netns {NAMESPACE}")
        command(f"ip addr add {ADDRESS}.1/30 dev {VETH}a")
        command(f"ip link set {VETH}a up")
        command(f"ip netns exec {NAMESPACE} ip addr add {ADDRESS}.2/30 dev {VETH}b")
        command(f"ip netns exec {NAMESPACE} ip link set {VETH}b up")
        yield
    except FileNotFoundError:
        raise Skipped("there is no ip command") from None
    finally:
        for line in (f"ip netns del {NAMESPACE}", f"ip link del {VETH}a"):
            with contextlib.suppress(OSError):
                subprocess.run(line.split(), capture_output=True)


def at_the_far_end(action):
    """Runs something on a thread that is in the other network; sockets that it makes stay there."""
    results = []

    def run():
        descriptor = os.open(f"/var/run/netns/{NAMESPACE}", os.O_RDONLY)
        if ctypes.CDLL(None, use_errno=True).setns(descriptor, 0x40000000) == 0:
            results.append(action())
        os.close(descriptor)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if not results:
        raise Skipped("a thread cannot enter the other network")
    return results[0]


@case("a network that drops every packet: freed within heartbeatMs and graceMs, told once", seconds=60)
async def dropped():
    with wire(), Gateway.unstarted(**QUICK) as gateway:
        far = f"{ADDRESS}.1:{gateway.port}"
        gateway.listen.append(far)
        gateway.start()
        await prepare(gateway)
        address = (f"{ADDRESS}.1", gateway.port)
        quiet = at_the_far_end(lambda: Peer(gateway, "quiet", address))
        stuck = at_the_far_end(lambda: Peer(gateway, "stuck", address))
        for number in range(TOPICS):
            stuck.call("conversation.createIfNotExists", conversation=f"big{number}")
        stuck.ask_for_much()
        await gateway.until(lambda: gateway.metric("parley_blocked_connections") == 1, 10, "it reads nothing")
        async with watched(gateway, "quiet"), watched(gateway, "stuck"):
            command(f"ip netns exec {NAMESPACE} ip link set {VETH}b down")
            start = time.monotonic()
            ends = lambda: closed(gateway, "keep_alive_expired") + closed(gateway, "slow_reader")
            await gateway.until(lambda: ends() == 2, 6, "both are freed")
            took = time.monotonic() - start
            equal(took < 4.5, True, f"within heartbeatMs + graceMs and a second for the figures, not {took:.1f} s")
        equal((closed(gateway, "keep_alive_expired"), closed(gateway, "slow_reader")), (1, 1), "causes")
        del quiet
