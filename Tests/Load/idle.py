"""What idle connections cost in memory: greeted and nothing else, and with a session and three topics."""

import argparse
import asyncio

from certificates import SecureGateway, client_context, tls_settings
from checks import within
from gateway import Gateway
from measure import KIB, Verdicts, settled
from peer import Peer, in_turn

AT_ONCE = 64
ROOMS = 250


async def greeted(gateway, tls, deflate, count):
    """Connections that have read hello."""

    async def make(number):
        peer = await Peer.open(gateway.place, tls=tls, deflate=deflate)
        await within(asyncio.shield(peer.hello), 60)
        return peer

    return await in_turn(count, AT_ONCE, make)


async def at_home(gateway, tls, deflate, count):
    """Connections with a session of their own and three topics each, twenty of them in a conversation."""

    async def make(number):
        room = f"room{number % ROOMS}"
        peer = await Peer.session(gateway.place, f"user{number}", tls=tls, deflate=deflate)
        await peer.call("conversation.createIfNotExists", conversation=room)
        for topic in (f"messages:{room}", f"conversation:{room}", f"typing:{room}"):
            await peer.call("subscribe", topic=topic)
        return peer

    return await in_turn(count, AT_ONCE, make)


async def cost(make, tls, deflate, count):
    """KiB of resident memory a connection, in a gateway of its own; every connection has what was asked for."""
    limits = dict(SERVER_HEARTBEAT_MS=3_600_000, SERVER_LIMITS_HANDSHAKE_MS=60_000, SERVER_LIMITS_AUTHENTICATION_MS=600_000)
    with (SecureGateway if tls else Gateway)(**limits, **(tls_settings() if tls else {})) as gateway:
        gateway.place = ("127.0.0.1", gateway.port)
        context = client_context() if tls else None
        # The first ones pay for what is there once.
        first = await make(gateway, context, deflate, AT_ONCE)
        before = await settled(gateway)
        peers = await make(gateway, context, deflate, count)
        after = await settled(gateway)
        for peer in first + peers:
            if peer.closed is not None or ("permessage-deflate" in peer.extensions) != deflate:
                raise AssertionError(f"a connection is not as asked for: closed {peer.closed}, extensions {peer.extensions!r}")
            peer.abort()
    return (after - before) / KIB / count


async def main(options):
    check = Verdicts()
    kinds = {"plain": (False, False), "deflate": (False, True), "TLS": (True, False), "TLS and deflate": (True, True)}
    chosen = [name for name, (tls, deflate) in kinds.items() if tls <= options.tls and deflate <= options.deflate]
    costs = {}
    for name in chosen:
        costs[name] = await cost(greeted, *kinds[name], options.connections)
        home = await cost(at_home, *kinds[name], options.connections)
        print(f"     {name}: {costs[name]:.2f} KiB each, {home:.2f} KiB with a session and three topics", flush=True)
    check("plain", costs["plain"], 4, "KiB")
    for name, limit in (("deflate", 1), ("TLS", 20), ("TLS and deflate", 21)):
        if name in costs:
            check(f"{name}, more than plain", costs[name] - costs["plain"], limit, "KiB")
    return check.exit_code()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="scripts/load idle", description=__doc__)
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--tls", action="store_true", help="also over TLS")
    parser.add_argument("--deflate", action="store_true", help="also with compression negotiated")
    raise SystemExit(asyncio.run(main(parser.parse_args())))
