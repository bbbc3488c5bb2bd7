"""Memory, percentiles, and how long /livez takes meanwhile."""

import asyncio
import contextlib
import http.client
import multiprocessing
import statistics
import time

KIB = 1024
MIB = 1024 * KIB


def percentile(values, share):
    """The value that `share` of all are not above; not a number for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")


def median(values):
    return statistics.median(values) if values else float("nan")


async def settled(gateway, seconds=15, still=1.0):
    """The memory in use when it has not moved by 64 KiB for a while."""
    deadline = time.monotonic() + seconds
    value, since = gateway.resident(), time.monotonic()
    while time.monotonic() < min(deadline, since + still):
        await asyncio.sleep(0.1)
        if abs((now := gateway.resident()) - value) > 64 * KIB:
            value, since = now, time.monotonic()
    return gateway.resident()


async def back_at(gateway, allowed, seconds=30):
    """Waits until the memory in use is at most `allowed` bytes; returns what it is then, or at the end of the time."""
    deadline = time.monotonic() + seconds
    while gateway.resident() > allowed and time.monotonic() < deadline:
        await asyncio.sleep(0.2)
    return gateway.resident()


def connection_to(port, context):
    if context is None:
        return http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    return http.client.HTTPSConnection("127.0.0.1", port, timeout=10, context=context)


def ask_livez(port, context, period, pipe):
    """Asks /livez over new connections until told to end; sends the times, and how often nobody answered."""
    times, unanswered = [], []
    while not pipe.poll():
        start = time.monotonic()
        try:
            with contextlib.closing(connection_to(port, context)) as connection:
                connection.request("GET", "/livez")
                answer = connection.getresponse()
                answer.read()
                if answer.status == 200:
                    times.append((start, time.monotonic() - start))
                else:
                    unanswered.append((start, answer.status))
        except TimeoutError:
            times.append((start, time.monotonic() - start))
        except (OSError, http.client.HTTPException) as error:
            unanswered.append((start, type(error).__name__))
        time.sleep(max(0, start + period - time.monotonic()))
    pipe.send((times, unanswered))


class Livez:
    """A process that asks /livez all the time; what it saw is there after the block."""

    def __init__(self, port, context=None, period=0.02):
        self.port, self.context, self.period = port, context, period
        self.times, self.unanswered = [], []

    def __enter__(self):
        self.pipe, other = multiprocessing.Pipe()
        # Forked, as a context of TLS cannot be handed over.
        self.process = multiprocessing.get_context("fork").Process(target=ask_livez, args=(self.port, self.context, self.period, other), daemon=True)
        self.process.start()
        return self

    def __exit__(self, *_):
        self.pipe.send("end")
        if self.pipe.poll(15):
            self.times, self.unanswered = self.pipe.recv()
        self.process.join(5)
        self.process.kill()

    def p99(self):
        """The 99th percentile in milliseconds."""
        return percentile([took for _, took in self.times], 0.99) * 1000


class Verdicts:
    """Prints a line for each figure and remembers whether one was missed."""

    def __init__(self):
        self.missed = 0

    def __call__(self, what, value, limit, unit=""):
        good = value <= limit
        self.missed += not good
        print(f"{'ok  ' if good else 'MISS'} {what}: {value:.2f} {unit} (at most {limit:g})", flush=True)

    def true(self, what, good):
        self.missed += not good
        print(f"{'ok  ' if good else 'MISS'} {what}", flush=True)

    def exit_code(self):
        return 1 if self.missed else 0
