"""The data folder: locked, full, read-only, of another program."""

import contextlib
import os
import resource
import signal
import sqlite3
import subprocess
import tempfile
from pathlib import Path

from checks import Checks, Skipped, case, equal
from client import Client, RPCError
from gateway import Gateway


def mentions(text, *words):
    missing = [word for word in words if word.lower() not in text.lower()]
    equal(missing, [], f"words that are missing in: {text}")


def database(gateway):
    [file] = [path for path in gateway.folder.iterdir() if path.is_file() and path.read_bytes()[:15] == b"SQLite format 3"]
    return file


class SmallDisk:
    """A file system of its own, which only root can make."""

    def __init__(self, folder):
        self.folder = folder
        self.filler = folder / "filler"

    def fill(self, gateway):
        """Takes all the room that is left."""
        with self.filler.open("wb", buffering=0) as file:
            for size in (1 << 20, 1 << 12, 1):
                with contextlib.suppress(OSError):
                    while file.write(bytes(size)):
                        pass

    def free(self, gateway):
        self.filler.unlink()

    def remount(self, option):
        subprocess.run(["mount", "-o", f"remount,{option}", self.folder], check=True, timeout=10)


class LimitedFiles:
    """Files that may not grow, where no file system can be made."""

    def __init__(self, folder):
        self.folder = folder

    def fill(self, gateway):
        resource.prlimit(gateway.process.pid, resource.RLIMIT_FSIZE, (1 << 16, resource.RLIM_INFINITY))

    def free(self, gateway):
        resource.prlimit(gateway.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def remount(self, option):
        self.folder.chmod(0o500 if option == "ro" else 0o700)
        for path in self.folder.rglob("*"):
            path.chmod((0o500 if path.is_dir() else 0o400) if option == "ro" else 0o700)


@contextlib.contextmanager
def disk(megabytes):
    with tempfile.TemporaryDirectory(prefix="parley-disk-") as name:
        wanted = os.geteuid() == 0 and "PARLEY_E2E_NO_MOUNT" not in os.environ
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "parley-e2e", name]
        if wanted and subprocess.run(mount, capture_output=True, timeout=10).returncode == 0:
            try:
                yield SmallDisk(Path(name))
            finally:
                subprocess.run(["umount", name], check=True, timeout=10)
        else:
            yield LimitedFiles(Path(name))


def ignore_file_limit():
    """A write beyond the limit fails instead of ending the process."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


@case("a second gateway on the folder does not start and says so")
async def same_folder():
    with Gateway() as first, Gateway.unstarted(folder=first.folder) as second:
        mentions(second.refuses_to_start(), str(first.folder), "another")
        equal(first.status("/readyz"), 200, "the first goes on")
        async with await Client.connect(first.url, "ana") as client:
            await client.call("conversation.createIfNotExists", conversation="c")
        equal(first.end(), 0, "exit code")
        second.start()


@case("a second gateway on the port does not start and says so")
async def same_port():
    with Gateway() as first, Gateway.unstarted() as second:
        second.listen = [first.address]
        mentions(second.refuses_to_start(), str(first.port), "in use")
        equal(first.status("/readyz"), 200, "the first goes on")


@case("a full disk: 110 and 503, nothing acknowledged is lost, and it goes on", seconds=60)
async def full_disk():
    with disk(24) as small, Gateway(folder=small.folder / "data", before_start=ignore_file_limit) as gateway:
        acknowledged, refused = [], []

        async def send(client, text):
            try:
                message = (await client.call("conversation.send", conversation="room", text=text))["message"]
                acknowledged.append(message)
            except RPCError as error:
                equal((error.code, error.error["data"]["key"], error.error["data"]["temporary"]), (110, "unavailable", True), str(error))
                refused.append(text)

        async with await Client.connect(gateway.url, "ana") as client, await Client.connect(gateway.url, "ben") as reader:
            await client.call("conversation.createIfNotExists", conversation="room")
            await reader.call("conversation.createIfNotExists", conversation="room")
            await reader.call("subscribe", topic="messages:room")
            await send(client, "before")
            small.fill(gateway)
            for number in range(500):
                await send(client, f"{number} " + "x" * 9000)
                if len(refused) > 20:
                    break
            equal(len(refused) > 20, True, "sending is refused when the disk is full")
            # What needs no room is answered.
            history = (await client.call("conversation.history", conversation="room", limit=1))["messages"]
            equal(history, acknowledged[-1:], "the newest message")
            await gateway.until(lambda: gateway.status("/readyz") == 503, 10, "/readyz is 503")
            status, _, body = gateway.get("/readyz")
            equal((status, b"store" in body), (503, True), f"/readyz names the store: {body}")
            equal(gateway.status("/livez"), 200, "/livez")
            small.free(gateway)
            await gateway.until(lambda: gateway.status("/readyz") == 200, 15, "/readyz is 200 again")
            count = len(acknowledged)
            for number in range(5):
                await send(client, f"after {number}")
            equal(len(acknowledged) - count, 5, "sending goes on")
            await reader.wait_for(lambda: reader.latest("messages:room")["snapshot"][0] == acknowledged[-1], "the reader sees it")
            equal(reader.closed, None, "the reader's connection")
        gateway.kill()
        gateway.start()
        async with await Client.connect(gateway.url, "ana") as client:
            messages, before = [], {}
            while True:
                page = await client.call("conversation.history", conversation="room", limit=100, **before)
                messages += page["messages"]
                if page["loadedAll"]:
                    break
                before = {"before": messages[-1]["id"]}
            equal(messages[::-1], acknowledged, "all that was acknowledged, and nothing that was refused")


@case("a read-only folder")
async def read_only():
    with disk(8) as small, Gateway(folder=small.folder / "data") as used, Gateway.unstarted(folder=small.folder / "other") as fresh:
        equal(used.end(), 0, "exit code")
        small.remount("ro")
        try:
            if os.access(small.folder, os.W_OK):
                raise Skipped("root may write everywhere but on a read-only file system, and this one must not mount any")
            for gateway in (used, fresh):
                mentions(gateway.refuses_to_start(), str(gateway.folder))
        finally:
            small.remount("rw")
        used.start()


@case("a newer version, another program's database, and what is no database: refused and left as they are")
async def foreign_files():
    with Gateway() as gateway:
        equal(gateway.end(), 0, "exit code")
        refuses_foreign_files(gateway)


def refuses_foreign_files(gateway):
    file = database(gateway)
    original = file.read_bytes()

    def change(script):
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.executescript(script)

    def replace(content):
        for path in gateway.folder.glob(file.name + "-*"):
            path.unlink()
        file.write_bytes(content)

    with Checks() as check:
        for name, prepare, words in (
            ("a newer version", lambda: change("PRAGMA user_version = 999"), ["newer"]),
            ("another program's", lambda: change("PRAGMA application_id = 7"), []),
            ("no database", lambda: file.write_bytes(b"nothing of the kind " * 1000), []),
            ("a damaged one", lambda: file.write_bytes(original[:100] + bytes(len(original) - 100)), []),
            ("a damaged header", lambda: file.write_bytes(bytes(100) + original[100:]), []),
            ("one cut short", lambda: file.write_bytes(original[: len(original) // 2 + 7]), []),
        ):
            with check.row(name):
                replace(original)
                prepare()
                before = file.read_bytes()
                mentions(gateway.refuses_to_start(), str(gateway.folder), *words)
                equal(file.read_bytes() == before, True, "the file is left as it is")
        with check.row("the original"):
            replace(original)
            gateway.start()


@case("a folder that is a file, or has no parent")
async def bad_folders():
    with Gateway.unstarted() as gateway:
        gateway.folder.write_text("a file")
        mentions(gateway.refuses_to_start(), str(gateway.folder))
        gateway.folder.unlink()
        gateway.folder = gateway.temporary / "a" / "b" / "c"
        gateway.start()
        equal(oct(gateway.folder.stat().st_mode & 0o077), oct(0), "nobody else may read the folder")
