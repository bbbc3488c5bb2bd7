"""The gateway behind nginx, HAProxy and Caddy, with the files in config/proxies. Called by scripts/proxies, which installs them.

PARLEY_PROXIES_IDLE is how many seconds a connection is left alone, PARLEY_PROXIES which proxies are tried.
"""

import asyncio
import contextlib
import json
import os
import shutil
import ssl
import subprocess
import tempfile
import time
from pathlib import Path

from checks import Checks, Skipped, case, equal
from client import Client
from gateway import Gateway, free_port
from wire import Wire, get, upgrade

FILES = Path(__file__).parents[2] / "config/proxies"
# More than a heartbeat, so that a ping goes through; scripts/proxies --idle 600 is more than any default time-out.
IDLE = float(os.environ.get("PARLEY_PROXIES_IDLE", 28))
# The client's address: not the one by which the proxy reaches the gateway.
CLIENT = "127.0.0.7"


class Proxy:
    """A proxy that runs with a file of config/proxies, its ports and names changed."""

    def __init__(self, kind, gateway, folder):
        self.kind, self.gateway, self.folder = kind, gateway, folder
        self.port, self.spare = free_port(), free_port()
        self.host = f"localhost:{self.port}"
        self.process = None

    def start(self):
        certify(self.folder)
        command = {"nginx": self.nginx, "haproxy": self.haproxy, "haproxy-tcp": self.haproxy, "caddy": self.caddy}[self.kind]()
        if shutil.which(command[0]) is None:
            raise Skipped(f"there is no {command[0]}")
        environment = {**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        with (self.folder / "log").open("wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)

    def changed(self, name, *changes):
        """The text of a file with other names in it; each must be there."""
        text = (FILES / name).read_text()
        for old, new in (("127.0.0.1:8080", self.gateway.address), ("/etc/parley/tls", str(self.folder)), *changes):
            assert old in text, f"{name} has no {old}"
            text = text.replace(old, new)
        return text

    def nginx(self):
        (self.folder / "parley.conf").write_text(
            self.changed("nginx.conf", ("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"), ("chat.example", "localhost"))
        )
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        folders = " ".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in kinds)
        user = "user root;" if os.geteuid() == 0 else ""
        main = f"{user} worker_processes 2; daemon off; pid {self.folder}/pid; error_log stderr info; events {{}}\n"
        (self.folder / "main.conf").write_text(f"{main} http {{ access_log off; {folders} include {self.folder}/parley.conf; }}")
        return ["/usr/sbin/nginx", "-p", str(self.folder), "-c", str(self.folder / "main.conf")]

    def haproxy(self):
        first, second = (self.spare, self.port) if self.kind == "haproxy-tcp" else (self.port, self.spare)
        text = self.changed("haproxy.cfg", ("bind :443", f"bind 127.0.0.1:{first}"), ("bind :8443", f"bind 127.0.0.1:{second}"))
        (self.folder / "haproxy.cfg").write_text(text)
        return ["/usr/sbin/haproxy", "-db", "-f", str(self.folder / "haproxy.cfg")]

    def caddy(self):
        head = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
        text = self.changed("Caddyfile", ("chat.example", f"https://localhost:{self.port}"))
        (self.folder / "Caddyfile").write_text(head + text)
        return ["caddy", "run", "--config", str(self.folder / "Caddyfile"), "--adapter", "caddyfile"]

    def log(self):
        return (self.folder / "log").read_text(errors="replace")[-3000:]

    @contextlib.asynccontextmanager
    async def wire(self):
        """A socket on which anything can be written, through the proxy."""
        streams = await asyncio.open_connection("127.0.0.1", self.port, ssl=trusting(), server_hostname="localhost", local_addr=(CLIENT, 0))
        try:
            yield Wire(*streams)
        finally:
            streams[1].transport.abort()

    async def status(self, request):
        async with self.wire() as wire:
            wire.write(request)
            return (await wire.head())[0]

    def client(self, user):
        return Client.connect(
            f"wss://{self.host}/ws", user, ssl=trusting(), local_addr=(CLIENT, 0), host="127.0.0.1", port=self.port, server_hostname="localhost"
        )

    async def until_ready(self):
        deadline = time.monotonic() + 20
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                if await self.status(get("/readyz", host=self.host)) == 200:
                    return
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise AssertionError(f"{self.kind} is not ready\n{self.log()}")
            await asyncio.sleep(0.1)


def trusting():
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def certify(folder):
    """A certificate for localhost, and the same with its key in one file."""
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "chain.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", *names, *files]
    subprocess.run(command, check=True, capture_output=True)
    (folder / "haproxy.pem").write_text((folder / "chain.pem").read_text() + (folder / "key.pem").read_text())


@contextlib.asynccontextmanager
async def behind(kind):
    """A gateway behind a proxy."""
    folder = Path(tempfile.mkdtemp(prefix="parley-proxies-"))
    gateway = Gateway(SERVER_PROXIES="127.0.0.1", METRICS_ALLOW="127.0.0.1", SERVER_DRAIN_MS=2000)
    proxy = Proxy(kind, gateway, folder)
    try:
        proxy.start()
        await asyncio.to_thread(gateway.start)
        await proxy.until_ready()
        yield proxy, gateway
    except AssertionError as error:
        raise AssertionError(f"behind {kind}: {error}") from error
    finally:
        if proxy.process and proxy.process.poll() is None:
            proxy.process.terminate()
            proxy.process.wait(10)
        gateway.stop()
        shutil.rmtree(folder, ignore_errors=True)


@case("the chat behind each proxy: upgrades, addresses, origins, idle connections, a drain", seconds=IDLE + 90)
async def proxies():
    kinds = os.environ.get("PARLEY_PROXIES", "nginx haproxy haproxy-tcp caddy").split()
    outcomes = await asyncio.gather(*(whole_life(kind) for kind in kinds), return_exceptions=True)
    for kind, outcome in zip(kinds, outcomes):
        print(f"     {kind}: {outcome}", flush=True)
    failures = [outcome for outcome in outcomes if isinstance(outcome, Exception) and not isinstance(outcome, Skipped)]
    if failures:
        raise failures[0]
    if all(isinstance(outcome, Skipped) for outcome in outcomes):
        raise Skipped("there is no proxy")


async def whole_life(kind):
    """What is checked behind one proxy; a line that says what was seen."""
    async with behind(kind) as (proxy, gateway):
        with Checks() as check:
            await requests(proxy, check)
            await addresses(proxy, gateway, check)
        async with await proxy.client("ann") as ann, await proxy.client("bea") as bea:
            return f"{await idle(ann, bea)}, {await drain(gateway, ann, bea)}"


async def requests(proxy, check):
    own = f"Origin: https://{proxy.host}"
    rows = {
        "the page": (get("/", host=proxy.host), 200),
        "health": (get("/livez", host=proxy.host), 200),
        "an upgrade": (upgrade(host=proxy.host), 101),
        "its own origin": (upgrade(own, host=proxy.host), 101),
        "its own origin, though the client says another": (upgrade(own, "X-Forwarded-Proto: http", "X-Forwarded-Host: x", host=proxy.host), 101),
        "its own origin as http": (upgrade(own.replace("https", "http"), host=proxy.host), 403),
        "a foreign origin": (upgrade("Origin: https://evil.example", host=proxy.host), 403),
        "an origin that the client says is ours": (upgrade("Origin: https://evil.example", "X-Forwarded-Host: evil.example", host=proxy.host), 403),
        "metrics": (get("/metrics", host=proxy.host), 404),
    }
    for name, (request, status) in rows.items():
        check.equal(await proxy.status(request), status, name)


async def addresses(proxy, gateway, check):
    """The log names the client; what the client says itself changes nothing."""
    spoofs = (["X-Forwarded-For: 6.6.6.6"], ["Forwarded: for=6.6.6.6"], ["X-Forwarded-For: 6.6.6.6", "Forwarded: for=6.6.6.6"], ["X-Real-IP: 6.6.6.6"])
    for number, fields in enumerate(([], *spoofs)):
        name = f"https://{number}.evil.example"
        check.equal(await proxy.status(upgrade(f"Origin: {name}", *fields, host=proxy.host)), 403, f"refused with {fields}")
        entries = lambda: [entry for entry in told(gateway) if entry.get("origin") == name]
        await gateway.until(entries, 10, "a line of the log")
        check.equal([entry["client"] for entry in entries()], [CLIENT], f"the client with {fields}")


def told(gateway):
    for text in gateway.log_path.read_text().splitlines():
        with contextlib.suppress(ValueError):
            yield json.loads(text)


async def idle(ann, bea):
    """Two connections on which nothing is said."""
    start = time.monotonic()
    await asyncio.wait([ann.reader, bea.reader], timeout=IDLE, return_when=asyncio.FIRST_COMPLETED)
    seconds = time.monotonic() - start
    equal((ann.closed, bea.closed), (None, None), f"closed after {seconds:.0f} s of silence")
    await ann.call("conversation.createIfNotExists", conversation="general")
    await ann.call("conversation.send", conversation="general", text="still here")
    await bea.call("ping")
    return f"idle for {seconds:.0f} s and alive"


async def drain(gateway, *clients):
    """Everybody is told and closed by the gateway, and nobody sees a connection break."""
    gateway.process.terminate()
    codes = [await client.close_code(20) for client in clients]
    equal(codes, [1012] * len(clients), "the close codes of a drain")
    equal([len(client.told("goAway")) for client in clients], [1] * len(clients), "goAway came")
    equal(await gateway.ended(20), 0, "a clean end")
    return f"drained with {codes}"
