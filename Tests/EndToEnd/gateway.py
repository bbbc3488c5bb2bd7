"""Starts a gateway with a data folder of its own, and stops it."""

import asyncio
import contextlib
import functools
import http.client
import os
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from pathlib import Path

from tokens import SECRET

START_SECONDS = 30
STOP_SECONDS = 30


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(settings):
    """The environment of a gateway: ours without its variables, and the given settings."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    return {**clean, **{f"PARLEY_{name}": str(value) for name, value in settings.items()}}


def trusting_all():
    """What a client speaks TLS with that believes anybody."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def get_from(port, path, method="GET", tls=None, source="127.0.0.1", **headers):
    """The status, the headers and the body of an answer; `tls` is a context to speak TLS with."""
    kind = functools.partial(http.client.HTTPSConnection, context=tls) if tls else http.client.HTTPConnection
    with contextlib.closing(kind("127.0.0.1", port, timeout=10, source_address=(source, 0))) as connection:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def parley(*arguments, **settings):
    """Runs the gateway's program to its end."""
    command = [os.environ["PARLEY_BINARY"], *arguments]
    return subprocess.run(command, env=environment(settings), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)


class Gateway:
    """A gateway that runs as a process of its own.

    `settings` are environment variables without PARLEY_, `secret` signs tokens (None: only guests are let in),
    `config` is the text of a configuration file, `before_start` runs in the new process.
    The same object can be started again on the same folder and port.
    """

    def __init__(self, secret=SECRET, folder=None, config=None, before_start=None, **settings):
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.listen = [self.address]
        self.temporary = Path(tempfile.mkdtemp(prefix="parley-e2e-"))
        self.folder = Path(folder or self.temporary / "data")
        self.log_path = self.temporary / "log"
        # Suites ask faster than people do; those about the limits of operations and sessions set them.
        unlimited = {"SERVER_LIMITS_OPERATIONS_PER_SECOND": 0, "SERVER_LIMITS_CONNECTIONS_PER_USER": 0}
        self.settings = {**unlimited, **({"AUTH_SECRET": secret} if secret else {}), **settings}
        self.before_start = before_start
        self.config_path = self.temporary / "parley.json5"
        if config is not None:
            self.config_path.write_text(config)
        self.process = None

    @property
    def url(self):
        return f"{'wss' if self.speaks_tls else 'ws'}://{self.address}/ws"

    @property
    def speaks_tls(self):
        return "SERVER_TLS_CERTIFICATE" in self.settings

    def command(self):
        listens = [part for address in self.listen for part in ("--listen", address)]
        config = ["--config", str(self.config_path)] if self.config_path.exists() else []
        return [os.environ["PARLEY_BINARY"], "serve", *config, *listens, "--data", str(self.folder)]

    def launch(self):
        """Starts the process without waiting until it is ready."""
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                env=environment(self.settings),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=self.before_start,
            )
        return self

    def start(self):
        self.launch()
        self.wait_until(lambda: self.status("/readyz") == 200, START_SECONDS, "it is ready")
        return self

    def wait_until(self, condition, seconds, what):
        """Asks again and again: nothing tells when a process of its own has come so far."""
        deadline = time.monotonic() + seconds
        while not condition():
            if self.process.poll() is not None:
                raise AssertionError(f"the gateway ended with {self.process.returncode}\n{self.log()}")
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {seconds} s: {what}\n{self.log()}")
            time.sleep(0.02)

    async def until(self, condition, seconds, what):
        """The same for cases, whose connections go on meanwhile."""
        await asyncio.to_thread(self.wait_until, condition, seconds, what)

    async def ended(self, seconds=10):
        """Waits for the exit code."""
        return await asyncio.to_thread(self.process.wait, seconds)

    def status(self, path):
        """The status of a GET; None while nothing answers."""
        try:
            return self.get(path)[0]
        except (OSError, http.client.HTTPException):
            return None

    def get(self, path, method="GET", **headers):
        """The status, the headers and the body of an answer."""
        return get_from(self.port, path, method, trusting_all() if self.speaks_tls else None, **headers)

    def end(self, number=signal.SIGTERM, seconds=STOP_SECONDS):
        """Sends a signal and waits for the exit code."""
        self.process.send_signal(number)
        return self.process.wait(seconds)

    def kill(self):
        """Ends the process without giving it a chance to do anything."""
        self.end(signal.SIGKILL)

    def stop(self):
        """Ends the process in any way and removes its folder."""
        if self.process and self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.temporary, ignore_errors=True)

    def refuses_to_start(self):
        """Starts a process that must end by itself with 1; returns what it says."""
        code = self.launch().process.wait(STOP_SECONDS)
        if code != 1:
            raise AssertionError(f"exit code {code}, expected 1\n{self.log()}")
        return self.log()

    def resident(self, field="VmRSS"):
        """The memory in use, in bytes; with `VmData` that which was asked of the system, used or not."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split(f"{field}:")[1].split()[0]) * 1024

    def processor_seconds(self):
        """The processor time that the process took until now, by its own clock (`clock_getcpuclockid`)."""
        return time.clock_gettime(~self.process.pid << 3 | 2)

    def descriptors(self):
        """How many files and sockets are open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def metric(self, name):
        """The sum over the labels of a metric."""
        # Suites list 127.0.0.1 as a proxy, and what comes from there is no reader of metrics then.
        tls = trusting_all() if self.speaks_tls else None
        status, _, page = get_from(self.port, "/metrics", tls=tls, source="127.0.0.2")
        if status != 200:
            raise AssertionError(f"/metrics answers {status}")
        lines = page.decode().splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith((f"{name} ", f"{name}{{")))

    def log(self):
        return self.log_path.read_text(errors="replace")[-4000:]

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self.stop()
            raise

    def __exit__(self, *_):
        self.stop()

    @classmethod
    @contextlib.contextmanager
    def unstarted(cls, **parameters):
        """A gateway that the block starts, or that must refuse to start; it ends with the block."""
        gateway = cls(**parameters)
        try:
            yield gateway
        finally:
            gateway.stop()
