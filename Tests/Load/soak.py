"""Mixed load with faults for a long time, against two gateways that the address sanitizer watches: a plain one and one with TLS."""

import argparse
import asyncio
import http.client
import os
import random
import shutil
import signal
import tempfile
import time
from pathlib import Path

import certificates
import chatters
import faults
from gateway import Gateway
from measure import MIB, Verdicts, median
from world import ROOMS, Way, World

SENDERS, WITNESSES, PEOPLE = 12, 6, 8
# Not the address from which metrics are read: what comes from a proxy may not read them.
PROXY = "127.0.0.3"


def configuration(name, certificate, origins="", level="warn"):
    """The one with TLS lets compressed messages refer to those before them."""
    tls = f'tls: {{certificate: "{certificate[0]}", key: "{certificate[1]}"}},' if name == "TLS" else ""
    takeover = "true" if name == "TLS" else "false"
    return f"""{{
      server: {{
        {tls} origins: [{origins}], proxies: ["{PROXY}"], heartbeatMs: 8000, graceMs: 8000, drainMs: 2000,
        limits: {{handshakeMs: 5000, authenticationMs: 8000}}, compression: {{contextTakeover: {takeover}}},
      }},
      log: {{level: "{level}"}},
    }}"""


class Memory:
    """The memory in use over time, without what the store keeps of its files: that grows with them up to its bound."""

    def __init__(self):
        self.samples, self.start = [], time.monotonic()

    async def watch(self, world):
        last = 0
        while not world.ending.is_set():
            self.samples.append((time.monotonic() - self.start, world.gateway.resident() - await self.kept(world)))
            if time.monotonic() - last > 60:
                last = time.monotonic()
                self.tell(world)
            await world.pause(1, 1)

    async def kept(self, world):
        """What the store keeps. A page that is not there in time counts as nothing, which no verdict can be won by."""
        try:
            return await asyncio.to_thread(world.gateway.metric, "parley_store_memory_bytes")
        except (OSError, http.client.HTTPException, AssertionError):
            return 0

    def tell(self, world):
        descriptors = len(os.listdir(f"/proc/{world.gateway.process.pid}/fd"))
        did = sum(count for name, count in world.counts.items() if name != "wrong")
        print(
            f"     {world.name:5} {self.samples[-1][0]:5.0f} s: {self.samples[-1][1] / MIB:.0f} MiB, {descriptors} descriptors, "
            f"{did} things done, {world.counts['wrong']} wrong",
            flush=True,
        )

    def between(self, from_share, to_share):
        """The median between two parts of the time, in MiB."""
        whole = self.samples[-1][0]
        return median([used for at, used in self.samples if from_share * whole <= at <= to_share * whole]) / MIB


async def reload(world):
    """Another configuration or another certificate, now and then a bad one, with a signal or without."""
    chance = world.chance
    await world.pause(5, 15)
    if world.name == "TLS" and chance.random() < 0.6:
        good = chance.random() < 0.7
        for path, other in zip(world.certificate, certificates.make(f"other{chance.randrange(3)}")):
            replace(path, other.read_bytes() if good else chance.choice((b"", b"nothing", other.read_bytes()[:200])))
        if not good:
            await world.pause(2, 4)
            for path, other in zip(world.certificate, certificates.make("other3")):
                replace(path, other.read_bytes())
    else:
        origins = ", ".join(f'"https://{chance.randrange(1000)}.example"' for _ in range(chance.randrange(4)))
        good = configuration(world.name, world.certificate, origins, chance.choice(("info", "warn")))
        replace(world.gateway.config_path, (good if chance.random() < 0.8 else chance.choice(("{", "{roles: 7}", ""))).encode())
    if chance.random() < 0.8:
        world.gateway.process.send_signal(signal.SIGHUP)


def replace(path, content):
    """Writes a file as careful tools do, so that nobody reads half of it."""
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(content)
    beside.rename(path)


async def look_around(world):
    """What operators ask for."""
    for path in ("/livez", "/readyz", "/metrics", "/"):
        status = await asyncio.to_thread(world.gateway.status, path)
        world.counts["looks" if status == 200 else "looks in vain"] += 1
    await world.pause(1, 3)


async def quiet(world, gateway, seconds=30):
    """When everybody has gone no connection is left."""
    deadline = time.monotonic() + seconds
    while (left := await asyncio.to_thread(gateway.metric, "parley_connections")) > 1 and time.monotonic() < deadline:
        await asyncio.sleep(0.5)
    if left > 1:
        world.complain(f"{left:.0f} connections are left {seconds} s after everybody has gone")


async def check_messages(world, senders, witnesses):
    """Every witness saw all messages of its room, in order, and all acknowledged ones are among them, in the sender's order."""
    for room in ROOMS:
        reader = await world.session("reader")
        await world.call(reader, "conversation.createIfNotExists", conversation=room)
        kept = await chatters.history(world, reader, room)
        reader.abort()
        for witness in (one for one in witnesses if one.room == room):
            if witness.seen != kept[: len(witness.seen)] or len(witness.seen) < len(kept) * 0.9 - 20:
                world.complain(f"{witness.user} saw {len(witness.seen)} messages, which are not the first of the {len(kept)} in {room}")
        place = {id: number for number, id in enumerate(kept)}
        for sender in (one for one in senders if one.room == room):
            places = [place.get(id, -1) for id in sender.acknowledged]
            if places != sorted(set(places)) or -1 in places:
                world.complain(f"{sender.user}: {places.count(-1)} of {len(places)} acknowledged messages are lost, or the order is wrong")


def reports(gateway):
    """What the sanitizer or the run time wrote."""
    signs = ("Sanitizer", "Fatal error", "runtime error", "Crash", "💣")
    return [line for line in gateway.log_path.read_text(errors="replace").splitlines() if any(sign in line for sign in signs)]


async def soak(gateway, world, memory, minutes):
    """All of it at once, until the time is over or the gateway is; then what must be true."""
    senders = [chatters.Sender(number) for number in range(SENDERS)]
    witnesses = [chatters.Witness(number) for number in range(WITNESSES)]
    acts = [sender.send_some for sender in senders] + [witness.watch for witness in witnesses]
    acts += [chatters.person] * PEOPLE + faults.ALL + [reload, look_around]
    tasks = [asyncio.create_task(world.again_and_again(act)) for act in acts] + [asyncio.create_task(memory.watch(world))]
    deadline = time.monotonic() + minutes * 60
    try:
        while time.monotonic() < deadline and gateway.process.poll() is None:
            await asyncio.sleep(0.5)
    finally:
        # Also when the soak is told to end: what goes on again and again would else take no notice.
        world.ending.set()
    await asyncio.wait(tasks, timeout=150)
    if gateway.process.poll() is not None:
        return world.complain(f"the gateway ended with {gateway.process.returncode}")
    await quiet(world, gateway)
    await check_messages(world, senders, witnesses)
    world.counts["messages"] = sum(len(sender.acknowledged) for sender in senders)
    world.counts["messages seen"] = sum(len(witness.seen) for witness in witnesses)


async def run(name, options, chance, check):
    """A gateway of its own, its load, and the verdicts on it."""
    folder = Path(tempfile.mkdtemp(prefix="parley-soak-"))
    certificate = [folder / "certificate.pem", folder / "key.pem"]
    for path, made in zip(certificate, certificates.make()):
        replace(path, made.read_bytes())
    with (certificates.SecureGateway if name == "TLS" else Gateway).unstarted(config=configuration(name, certificate)) as gateway:
        await asyncio.to_thread(gateway.start)
        place, contexts = ("127.0.0.1", gateway.port), certificates.careless_contexts() if name == "TLS" else (None,)
        world = World(name, gateway, [Way(place, contexts), Way(place, contexts), Way(place, contexts, source=PROXY)], chance)
        world.certificate, memory = certificate, Memory()
        await soak(gateway, world, memory, options.minutes)
        code = gateway.process.poll()
        if code is None:
            code = await asyncio.to_thread(gateway.end, signal.SIGTERM, 180)
        for done, count in sorted(world.counts.items()):
            print(f"     {name:5} {count:7} {done}")
        check.true(f"{name}: it ends with {code}", code == 0)
        check.true(f"{name}: nothing went wrong ({world.counts['wrong']} did)", not world.counts["wrong"])
        looks = world.counts["looks"], world.counts["looks in vain"]
        check.true(f"{name}: of {sum(looks)} requests of operators {looks[1]} had no 200, at most 2 %", looks[1] * 50 <= sum(looks))
        acts = (*faults.ALL, chatters.person, reload)
        check.true(f"{name}: every kind of load was done", all(world.counts[act.__name__] for act in acts))
        found = reports(gateway)
        check.true(f"{name}: no report: {' | '.join(found[:5])}", not found)
        early, late = memory.between(0.3, 0.55), memory.between(0.75, 1)
        check(f"{name}: memory after the warm-up is flat: {early:.0f} MiB, then {late:.0f}", late, early * 1.05 + 8, "MiB")
        if options.keep_logs:
            Path(options.keep_logs, f"{name}.log").write_bytes(gateway.log_path.read_bytes())
    shutil.rmtree(folder)


async def main(options):
    seed = options.seed if options.seed is not None else random.randrange(2**32)
    print(f"     seed {seed}", flush=True)
    check = Verdicts()
    names = ("plain", "TLS")
    await asyncio.gather(*(run(name, options, random.Random(f"{seed} {name}"), check) for name in names))
    return check.exit_code()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--keep-logs", metavar="FOLDER", help="where to put the gateways' logs")
    # Whoever ends this run with SIGTERM gets what Ctrl+C does: the gateways are stopped and their folders removed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    raise SystemExit(asyncio.run(main(parser.parse_args())))
