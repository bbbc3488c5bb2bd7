"""A small JSON-RPC client over `websockets`."""

import asyncio
import contextlib
import itertools
import json

import websockets
from websockets.asyncio.client import connect

from checks import differences, equal, show, within
from tokens import token

PATIENCE = 10


class RPCError(Exception):
    """An error that the gateway answered."""

    def __init__(self, error):
        super().__init__(show(error))
        self.error = error
        self.code = error["code"]
        self.field = error.get("data", {}).get("field")


class Notifications:
    """What the gateway told unasked, in order, and ways to wait for more."""

    def __init__(self):
        self.notifications = []
        self.changed = asyncio.Event()

    def note(self, method, params):
        self.notifications.append((method, params))
        self.changed.set()

    async def wait_for(self, predicate, what="", seconds=PATIENCE):
        """Waits until the predicate holds; it is asked again after each notification, reply and close."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := predicate()):
                    self.changed.clear()
                    await self.changed.wait()
                return found
        except TimeoutError:
            raise AssertionError(f"not within {seconds} s: {what or predicate}") from None

    def told(self, method):
        return [params for name, params in self.notifications if name == method]

    def events(self, topic):
        """All `subscription` notifications of a topic."""
        return [params for params in self.told("subscription") if params["topic"] == topic]

    def latest(self, topic):
        events = self.events(topic)
        return events[-1] if events else None

    async def shows(self, topic, snapshot, loadedAll=None, what="", seconds=PATIENCE):
        """Waits until the newest event of a topic is this one, in all its fields."""
        expected = {"topic": topic, "state": "active", "snapshot": snapshot}
        if loadedAll is not None:
            expected["loadedAll"] = loadedAll
        matches = lambda: self.latest(topic) == expected
        try:
            await self.wait_for(matches, seconds=seconds)
        except AssertionError:
            event = self.latest(topic)
            lines = differences(event, expected) if event else ["  nothing came"]
            raise AssertionError("\n".join([f"{topic} {what}", *lines])) from None


class Client(Notifications):
    """A connection that matches replies by id and keeps every frame as it came."""

    def __init__(self, socket):
        super().__init__()
        self.socket = socket
        self.frames = []
        self.replies = {}
        self.ids = itertools.count(1)
        self.session = None
        self.closed = None
        self.reader = asyncio.create_task(self.read())

    @classmethod
    async def connect(cls, url, user=None, session=None, **options):
        """Connects; `user` opens a session with a token, `session` with those params."""
        options = {"proxy": None, "max_size": None, "ping_interval": None, "compression": None, **options}
        client = cls(await connect(url, **options))
        try:
            await client.wait_for(lambda: client.told("hello") or client.closed, "hello")
            if user is not None:
                session = {"token": token(user)}
            if session is not None:
                client.session = await client.call("session.open", **session)
        except BaseException:
            await client.close()
            raise
        return client

    @property
    def hello(self):
        return self.told("hello")[0]

    async def read(self):
        try:
            async for text in self.socket:
                self.take(text)
        except websockets.ConnectionClosedError:
            pass
        finally:
            self.closed = (self.socket.close_code, self.socket.close_reason)
            self.changed.set()
            for reply in self.replies.values():
                self.fail(reply)

    def take(self, text):
        frame = json.loads(text)
        self.frames.append(frame)
        if isinstance(frame, dict) and "method" in frame:
            self.note(frame["method"], frame["params"])
            return
        for reply in frame if isinstance(frame, list) else [frame]:
            self.settle(reply)
        self.changed.set()

    def settle(self, reply):
        future = self.replies.pop(reply.get("id"), None)
        if future and not future.done():
            future.set_result(reply)

    async def send(self, message):
        """Sends a text as it is, anything else as JSON."""
        await self.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    async def start(self, method, **params):
        """Sends a request and returns the future of its reply."""
        number = next(self.ids)
        future = self.replies[number] = asyncio.get_running_loop().create_future()
        with contextlib.suppress(websockets.ConnectionClosed):
            await self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        if self.closed:
            self.fail(future)
        return future

    def fail(self, reply):
        """Says that no reply comes any more; asyncio need not complain when nobody asks."""
        if not reply.done():
            reply.set_exception(ConnectionError(f"closed with {self.closed}"))
            reply.exception()

    async def reply(self, method, **params):
        """The whole reply, whatever it is."""
        return await within(await self.start(method, **params), PATIENCE * 3)

    async def call(self, method, **params):
        """The result; raises RPCError."""
        reply = await self.reply(method, **params)
        if "error" in reply:
            raise RPCError(reply["error"])
        return reply["result"]

    async def answers(self, message, count=1, seconds=PATIENCE):
        """Sends a text and returns the next frames that are no notifications."""
        seen = len(self.frames)
        await self.send(message)
        answered = lambda: [frame for frame in self.frames[seen:] if isinstance(frame, list) or "method" not in frame]
        await self.wait_for(lambda: len(answered()) >= count or self.closed, f"an answer to {show(message)}", seconds)
        if len(answered()) < count:
            raise AssertionError(f"closed with {self.closed} after {show(message)}")
        return answered()

    async def close_code(self, seconds=PATIENCE):
        """Waits until the connection is closed."""
        await self.wait_for(lambda: self.closed, "the connection is closed", seconds)
        return self.closed[0]

    async def close(self):
        await self.socket.close()
        await asyncio.wait([self.reader])

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.close()


@contextlib.asynccontextmanager
async def connected(gateway, *users, **options):
    """Clients with open sessions of these users."""
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(await Client.connect(gateway.url, user, **options)) for user in users]
        yield clients[0] if len(clients) == 1 else clients


async def refused(call, code, field=None):
    """Checks that a call fails with an error."""
    try:
        result = await call
    except RPCError as error:
        equal(error.code, code, str(error))
        if field:
            equal(error.field, field, str(error))
        return error
    raise AssertionError(f"expected error {code}, got {show(result)}")
