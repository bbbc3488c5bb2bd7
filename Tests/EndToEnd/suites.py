"""Runs the cases of the suites one after the other, a line for each. Called by `run`."""

import asyncio
import importlib
import inspect
import os
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

from checks import Skipped
from gateway import Gateway

# Two lanes run beside each other: one waits for time-outs most of its time, the other one works.
LANES = [
    "slow tls halfopen sessions presence push threads limiter mute limits drain compression proxy storage upgrade http tokens files".split(),
    """flow flow_jsonrpc lists bot calls permissions content reactions moderation jsonrpc edges interop kill operations property
    attack_framing attack_handshake attack_jsonrpc attack_chat attack_resources attack_deflate complaints page""".split(),
]
SUITES = [name for lane in LANES for name in lane]
# Suites that run only where they are named: they need more than this machine may have.
ON_REQUEST = ["proxies"]
CASE_SECONDS = 120


class Suite:
    """One file of cases. Cases that take a `gateway` share one, which is started with the file's SETTINGS.

    With a beginning only the cases are run whose sentence begins so.
    """

    def __init__(self, name, beginning=""):
        self.name = name
        self.beginning = beginning
        self.module = importlib.import_module(f"{name}_test")
        self.gateway = None

    def run(self, report):
        try:
            for function in list(vars(self.module).values()):
                if getattr(function, "sentence", None) and function.sentence.startswith(self.beginning):
                    report(self.name, function.sentence, lambda: self.run_case(function))
        finally:
            if self.gateway:
                self.gateway.stop()

    def run_case(self, function):
        arguments = [self.running_gateway()] if "gateway" in inspect.signature(function).parameters else []
        asyncio.run(in_time(function(*arguments), function.seconds or CASE_SECONDS))
        if arguments and self.gateway.process.poll() is not None:
            raise AssertionError(f"the gateway ended\n{self.gateway.log()}")

    def running_gateway(self):
        if self.gateway and self.gateway.process.poll() is not None:
            self.gateway.stop()
            self.gateway = None
        if self.gateway is None:
            self.gateway = Gateway(**getattr(self.module, "SETTINGS", {})).__enter__()
        return self.gateway


async def in_time(work, seconds):
    """Runs a case. One that hangs fails with the place where it waits, also if it takes no notice of being cancelled."""
    task = asyncio.create_task(work)
    await asyncio.wait([task], timeout=seconds)
    if task.done():
        return task.result()
    [frame] = task.get_stack(limit=1) or [None]
    task.cancel()
    await asyncio.wait([task], timeout=10)
    raise AssertionError(f"hangs: not done within {seconds} s" + (f", at line {frame.f_lineno} of {frame.f_code.co_filename}" if frame else ""))


class Report:
    """Counts the cases and prints a line for each."""

    def __init__(self):
        self.passed = self.failed = 0

    def __call__(self, suite, sentence, action):
        start = time.monotonic()
        outcome, complaint = outcome_of(action)
        self.passed += outcome == "ok"
        self.failed += outcome == "FAIL"
        print(f"{outcome:4} {suite}: {sentence} ({time.monotonic() - start:.1f} s)", flush=True)
        for line in complaint.splitlines():
            print("       " + line, flush=True)


def outcome_of(action):
    """Runs a case; what became of it, and what there is to say about that."""
    try:
        action()
        return "ok", ""
    except Skipped as reason:
        return "SKIPPED", str(reason)
    except AssertionError as error:
        return "FAIL", f"{error}\n{place(error)}"
    except (Exception, asyncio.CancelledError):
        return "FAIL", "\n".join(traceback.format_exc().splitlines()[-20:])


def place(error):
    """Where in the suites an assertion failed."""
    here = os.path.dirname(__file__)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(here)]
    return " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[1:])


def run_page_test():
    """The page's test is a program of its own, which wants the address of a gateway that lets guests in."""
    with Gateway(secret=None) as gateway:
        program = Path(__file__).with_name("page_test.py")
        command = [sys.executable, "-B", program, f"http://{gateway.address}"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=CASE_SECONDS)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)


def main(names):
    """Runs suites, or of a suite the cases that begin with what stands behind its name and a colon."""
    wanted = [name.partition(":")[::2] for name in names]
    unknown = [name for name, _ in wanted if name not in SUITES + ON_REQUEST]
    if unknown:
        sys.exit(f"There is no suite {', '.join(unknown)}; there are {', '.join(SUITES + ON_REQUEST)}.")
    # Whoever ends this run with SIGTERM gets what Ctrl+C does: every gateway is stopped and its folder removed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return run_suites(wanted) if names else run_lanes()


def run_suites(wanted):
    report = Report()
    for name, beginning in wanted:
        if name == "page":
            report(name, "the chat page in a browser", run_page_test)
        else:
            Suite(name, beginning).run(report)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed or not report.passed else 0


def run_lanes():
    """All suites, each lane in a process of its own."""
    lanes = [subprocess.Popen([sys.executable, "-B", __file__, *lane]) for lane in LANES]
    try:
        return max([lane.wait() for lane in lanes])
    finally:
        for lane in lanes:
            if lane.poll() is None:
                lane.terminate()
                lane.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
