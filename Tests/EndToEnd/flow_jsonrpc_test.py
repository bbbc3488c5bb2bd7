"""The flows over `jsonrpc-websocket`, an off-the-shelf client."""

import contextlib

import jsonrpc_base
from jsonrpc_websocket import Server

import flow
from checks import case
from client import Notifications, RPCError
from gateway import Gateway
from tokens import token


class Library(Notifications):
    """The library's client with the words of the flows."""

    def __init__(self, url):
        super().__init__()
        self.server = Server(url)
        self.server.hello = lambda **params: self.note("hello", params)
        self.server.subscription = lambda **params: self.note("subscription", params)
        self.server.goAway = lambda **params: self.note("goAway", params)

    @classmethod
    async def connect(cls, url, session):
        client = cls(url)
        await client.server.ws_connect(max_msg_size=0)
        client.session = await client.call("session.open", **session)
        return client

    async def call(self, method, **params):
        called = self.server
        for part in method.split("."):
            called = getattr(called, part)
        try:
            return await called(**params)
        except jsonrpc_base.ProtocolError as error:
            code, message, data = error.args[0], error.args[1], error.args[2] if len(error.args) > 2 else None
            raise RPCError({"code": code, "message": message, "data": data or {}}) from None

    async def close(self):
        await self.server.close()


@contextlib.asynccontextmanager
async def connecting(gateway):
    async with contextlib.AsyncExitStack() as stack:

        async def connect(user, **claims):
            client = await Library.connect(gateway.url, {"token": token(user, **claims)})
            stack.push_async_callback(client.close)
            return client

        yield connect


@case("two people and a bot, from the first message to the last")
async def whole_life(gateway):
    async with connecting(gateway) as connect:
        await flow.whole_life(connect, "")


@case("pages of the history and windows of messages")
async def long_history(gateway):
    async with connecting(gateway) as connect:
        await flow.long_history(connect, "")


@case("windows of participants and conversations")
async def many_participants(gateway):
    async with connecting(gateway) as connect:
        await flow.many_participants(connect, "")


@case("direct conversations")
async def two_people(gateway):
    async with connecting(gateway) as connect:
        await flow.two_people(connect, "")


@case("sync off")
async def nothing_synced():
    with Gateway(SYNC_CONVERSATIONS="false", SYNC_USERS="false") as gateway:
        async with connecting(gateway) as connect:
            await flow.nothing_synced(connect, "", lambda: connect("backend", tokenType="app"))
