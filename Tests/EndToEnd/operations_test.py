"""What docs/operations.md promises an operator: backups, reloads that say what they did, a log that cannot be flooded, figures."""

import asyncio
import contextlib
import json
import os
import re
import signal
import sqlite3
import tempfile
from pathlib import Path

from checks import Checks, case, equal
from client import Client
from gateway import Gateway, parley
from tokens import SECRET


def events(gateway, name):
    """The lines of the log with this event."""
    lines = map(json.loads, gateway.log_path.read_text().splitlines())
    return [line for line in lines if line["event"] == name]


@case("a backup that is made while people write restores what was acknowledged before it", seconds=60)
async def backup():
    with contextlib.ExitStack() as stack:
        gateway = stack.enter_context(Gateway())
        copy = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "data"
        copy.mkdir(mode=0o700)
        acknowledged = []

        async def write(client):
            while True:
                sent = await client.call("conversation.send", conversation="room", text=f"{len(acknowledged)}")
                acknowledged.append(sent["message"])

        async with await Client.connect(gateway.url, "ana") as client:
            await client.call("conversation.createIfNotExists", conversation="room")
            writing = asyncio.create_task(write(client))
            while len(acknowledged) < 50:
                await asyncio.sleep(0.01)
            before = list(acknowledged)
            with contextlib.closing(sqlite3.connect(gateway.folder / "parley.db")) as database:
                database.execute("VACUUM INTO ?", [str(copy / "parley.db")])
            while len(acknowledged) < len(before) + 20:
                await asyncio.sleep(0.01)
            writing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writing
        with Gateway(folder=copy) as restored:
            async with await Client.connect(restored.url, "ana") as client:
                newest = (await client.call("conversation.history", conversation="room", limit=1))["messages"][0]
                kept = await client.call("conversation.history", conversation="room", limit=100, before=newest["id"])
                everything = [newest, *kept["messages"]][::-1]
                equal(everything[: len(before)], before, "what was acknowledged before the backup")
                await client.call("conversation.send", conversation="room", text="it goes on")


@case("SIGHUP says which keys changed and which need a restart")
async def reload():
    with Gateway(config="{}") as gateway:
        gateway.config_path.write_text('{log: {level: "debug"}, server: {origins: ["https://a.example"], limits: {maxBatch: 7}}}')
        gateway.process.send_signal(signal.SIGHUP)
        await gateway.until(lambda: events(gateway, "reloaded"), 5, "it reloads")
        [line] = events(gateway, "reloaded")
        shown = {key: line[key] for key in ("level", "changed", "needs_restart")}
        equal(shown, {"level": "warn", "changed": "server.origins,log.level", "needs_restart": "server.limits.maxBatch"}, "the line")


@case("SIGHUP refuses what is no regular file, and signals go on working")
async def reload_of_a_pipe():
    with tempfile.TemporaryDirectory() as folder:
        secret = Path(folder) / "secret"
        for name in ("the configuration", "the secret", "a key", "the set of keys"):
            secret.unlink(missing_ok=True)
            secret.write_text(SECRET)
            with Gateway(secret=None, config="{}", AUTH_SECRET_FILE=secret) as gateway:
                pipe = gateway.config_path.with_name("pipe")
                os.mkfifo(pipe)
                match name:
                    case "the configuration":
                        pipe.rename(gateway.config_path)
                    case "the secret":
                        pipe.rename(secret)
                    case "a key":
                        gateway.config_path.write_text(json.dumps({"auth": {"publicKeys": [str(pipe)]}}))
                    case _:
                        gateway.config_path.write_text(json.dumps({"auth": {"jwks": str(pipe)}}))
                gateway.process.send_signal(signal.SIGHUP)
                await gateway.until(lambda: events(gateway, "reload refused"), 5, f"{name} is refused")
                equal("regular files only" in str(events(gateway, "reload refused")), True, f"{name}: the sentence")
                equal(gateway.end(), 0, f"{name}: exit code")


@case("a flood of one kind of line is cut at 50 a second, counted and told", seconds=60)
async def flood():
    with Gateway() as gateway:
        sent = 300
        for _ in range(sent):
            status, _, _ = gateway.get(
                "/ws",
                Authorization="Bearer a.b.c",
                Connection="Upgrade",
                Upgrade="websocket",
                **{"Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==", "Sec-WebSocket-Version": "13"},
            )
            equal(status, 401, "a bad token")

        def told():
            dropped = sum(line["count"] for line in events(gateway, "log lines dropped") if line["of"] == "token refused")
            return len(events(gateway, "token refused")), dropped

        await gateway.until(lambda: sum(told()) == sent, 10, "every line is written or counted")
        equal(told()[1] > 0, True, f"some are dropped: {told()}")
        await gateway.until(lambda: gateway.metric("parley_log_lines_dropped_total") == told()[1], 5, "and on the page")
        await gateway.until(lambda: gateway.metric("parley_tokens_refused_total") == sent, 5, "the metric counts them all")


@case("the page tells which program runs and what it uses")
async def figures(gateway):
    shown = dict(line.split(maxsplit=1) for line in parley("version").stdout.splitlines())
    with Checks() as check:
        page = gateway.get("/metrics")[2].decode()
        labels = dict(re.findall(r'(\w+)="([^"]*)"', re.search(r"parley_build_info\{.*", page)[0]))
        check.equal(labels, {"version": shown["parley"], "commit": shown["commit"], "swift": shown["swift"]}, "build")
        check.equal(gateway.metric("parley_ready"), 1, "ready")
        descriptors = len(os.listdir(f"/proc/{gateway.process.pid}/fd"))
        check.true(abs(gateway.metric("process_open_fds") - descriptors) < 20, f"descriptors: {descriptors}")
        check.true(0.3 < gateway.metric("process_resident_memory_bytes") / gateway.resident() < 3, "memory")
        check.true(gateway.metric("parley_store_bytes") > 4096, "the store's size")
        check.true(4096 < gateway.metric("parley_store_memory_bytes") < 40 << 20, "the store's memory")
