"""What a message costs in a conversation of very many participants, beside one of few, where equally many of both are online.

The same people watch both conversations, so that nothing differs but the participants who are away. Messages to both alternate in rounds.
"""

import argparse
import asyncio
import time

from checks import within
from gateway import Gateway
from measure import MIB, Verdicts, median, settled
from peer import PATIENCE, Peer, bearer, in_turn

ROOMS = ("few", "many")
TOPICS = [f"{kind}:{room}" for room in ROOMS for kind in ("messages", "conversation")]
MARK = b"@@"
BACKENDS = 8
LIMITS = dict(SERVER_HEARTBEAT_MS=3_600_000, SERVER_LIMITS_OPERATIONS_PER_SECOND=0, SERVER_LIMITS_CONNECTIONS_PER_USER=0)


class Reader(Peer):
    """A connection that knows of each topic the newest message that it was shown."""

    def __init__(self, request, take):
        super().__init__(request, take)
        self.newest, self.waiting = {}, []

    def note(self, text):
        if not self.hello.done() or b'"id":' in text[:30]:
            return Peer.settle(self, text)
        topic = text[text.index(b'"topic":"') + 9 :]
        topic = topic[: topic.index(b'"')].decode()
        at = text.find(MARK)
        self.newest[topic] = int(text[at + 2 : at + 12]) if at >= 0 else 0
        self.waiting = [wish for wish in self.waiting if not self.settles(*wish)]

    def settles(self, topics, number, future):
        """Ends a wish that came true."""
        if any(self.newest.get(topic, -1) < number for topic in topics):
            return False
        if not future.done():
            future.set_result(None)
        return True

    async def sees(self, topics, number):
        wish = (topics, number, asyncio.get_running_loop().create_future())
        if not self.settles(*wish):
            self.waiting.append(wish)
            await within(wish[2], 60)


async def backend(gateway):
    """A connection that may do what a backend may."""
    peer = await Peer.open(gateway.place, bearer("backend", tokenType="app"))
    await within(asyncio.shield(peer.hello), PATIENCE)
    return peer


async def fill(backends, options):
    """The participants who are away; everybody else joins by themselves."""

    async def member(number):
        peer, user = backends[number % BACKENDS], f"away{number}"
        await peer.call("user.createIfNotExists", user=user, name=user)
        await peer.call("participant.createIfNotExists", conversation="many", user=user)

    await in_turn(options.participants - options.online, BACKENDS * 32, member)


async def reader(gateway, number):
    peer = await Reader.session(gateway.place, f"reader{number}", take=Reader.note)
    for room in ROOMS:
        await peer.call("conversation.createIfNotExists", conversation=room)
    for topic in TOPICS:
        await peer.call("subscribe", topic=topic)
    await peer.sees(TOPICS, 0)
    return peer


async def messages(gateway, readers, room, count, number):
    """Sends messages, each of which everybody sees before the next; processor seconds and bytes written for one."""
    used, written = gateway.processor_seconds(), bytes_written(gateway)
    topics = [topic for topic in TOPICS if topic.endswith(f":{room}")]
    for newest in range(number, number + count):
        await readers[0].call("conversation.send", conversation=room, text=f"@@{newest:010d} {'x' * 100}")
        await asyncio.gather(*(peer.sees(topics, newest) for peer in readers))
    return (gateway.processor_seconds() - used) / count, (bytes_written(gateway) - written) / count


def bytes_written(gateway):
    """What went to files; sockets are written to as well, but equally much for both."""
    with open(f"/proc/{gateway.process.pid}/io") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes"))


async def main(options):
    check = Verdicts()
    with Gateway(**LIMITS) as gateway:
        gateway.place = ("127.0.0.1", gateway.port)
        backends = [await backend(gateway) for _ in range(BACKENDS)]
        for room in ROOMS:
            await backends[0].call("conversation.createIfNotExists", conversation=room, type="group")
        start, before = time.monotonic(), await settled(gateway)
        await fill(backends, options)
        print(
            f"     {options.participants - options.online} users made and added in {time.monotonic() - start:.0f} s; "
            f"memory {before / MIB:.1f}, then {await settled(gateway) / MIB:.1f} MiB",
            flush=True,
        )
        readers = await in_turn(options.online, 32, lambda number: reader(gateway, number))
        costs, written, number = {room: [] for room in ROOMS}, {room: [] for room in ROOMS}, 1
        for turn in range(options.rounds + 1):
            for room in ROOMS if turn % 2 else ROOMS[::-1]:
                cost, size = await messages(gateway, readers, room, options.messages, number)
                number += options.messages
                # Whatever is made once is made in a round that does not count.
                if turn:
                    costs[room].append(cost)
                    written[room].append(size)
        few, many = (median(costs[room]) for room in ROOMS)
        print(f"     processor, a message to {options.online} readers: {few * 1e3:.1f} and {many * 1e3:.1f} ms", flush=True)
        check("a message among many, as a multiple of one among few", many / few, 1.3)
        few, many = (median(written[room]) for room in ROOMS)
        check(f"bytes written to the disk ({few:.0f} and {many:.0f}), the same way", many / max(1, few), 1.3)
    return check.exit_code()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="scripts/load crowd", description=__doc__)
    parser.add_argument("--participants", type=int, default=100_000, help="of the large conversation")
    parser.add_argument("--online", type=int, default=1_000, help="who take part in both and watch both")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--messages", type=int, default=10, help="to each conversation in a round")
    raise SystemExit(asyncio.run(main(parser.parse_args())))
