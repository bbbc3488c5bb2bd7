"""What cases are made of: the mark of a case, comparisons that say what differs, and values that are not known before."""

import asyncio
import contextlib
import json
import time

STARTED = time.time() * 1000


class Skipped(Exception):
    """A case that cannot run here; the text says what it would need."""


def case(sentence, seconds=None):
    """Marks a function as a case; `seconds` is the time after which it counts as hanging."""

    def mark(function):
        function.sentence, function.seconds = sentence, seconds
        return function

    return mark


async def within(awaitable, seconds):
    """What it gives, or TimeoutError. Not `asyncio.wait_for`: before Python 3.12 that loses a cancellation that comes with the result."""
    async with asyncio.timeout(seconds):
        return await awaitable


def equal(actual, expected, what=""):
    """Fails with the paths at which two values differ."""
    if not (actual == expected):
        raise AssertionError("\n".join([what or "differs", *differences(actual, expected)]))


def differences(actual, expected, path="$"):
    if isinstance(actual, dict) and isinstance(expected, dict):
        found = []
        for key in [*expected, *(key for key in actual if key not in expected)]:
            if key not in actual:
                found.append(f"  {path}.{key}: missing, expected {show(expected[key])}")
            elif key not in expected:
                found.append(f"  {path}.{key}: unexpected {show(actual[key])}")
            else:
                found += differences(actual[key], expected[key], f"{path}.{key}")
        return found
    if isinstance(actual, list) and isinstance(expected, list) and len(actual) == len(expected):
        pairs = enumerate(zip(actual, expected))
        return [line for index, pair in pairs for line in differences(*pair, f"{path}[{index}]")]
    return [] if actual == expected else [f"  {path}: got {show(actual)}, expected {show(expected)}"]


def show(value):
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 600 else f"{text[:600]}… ({len(text)} characters)"


class Checks:
    """Collects what differs in a table of cases, so that one run shows all of it."""

    def __init__(self):
        self.faults = []

    def __enter__(self):
        return self

    def equal(self, actual, expected, what):
        with self.row(what):
            equal(actual, expected)

    def true(self, condition, what):
        if not condition:
            self.faults.append(what)

    @contextlib.contextmanager
    def row(self, what):
        """A row of a table that may fail while the others go on."""
        try:
            yield
        except Exception as error:
            kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__} "
            self.faults.append(f"{what}: {kind}{error}")

    def __exit__(self, kind, error, trace):
        if self.faults:
            raise AssertionError("\n".join(self.faults)) from error


class Time:
    """Equals a time on the wire from when the suites started until now, or from another time on."""

    def __init__(self, since=None):
        self.since = STARTED if since is None else since

    def __eq__(self, other):
        return type(other) is int and self.since - 5 <= other <= time.time() * 1000 + 5

    def __repr__(self):
        return f"a time from {self.since:.0f} on"


class Text:
    """Equals any string that is not empty."""

    def __eq__(self, other):
        return isinstance(other, str) and other != ""

    def __repr__(self):
        return "a text"
