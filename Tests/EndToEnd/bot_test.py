"""The bot of the documentation, run as it stands there, with a token from `parley token`."""

import asyncio
import contextlib
import signal
import sys
from pathlib import Path

from checks import case, equal, within
from client import PATIENCE, connected
from flow import send, subscribe
from gateway import Gateway, environment, parley
from snapshots import message, user
from tokens import SECRET

PROGRAM = Path(__file__).parents[2] / "docs" / "bot.py"
ROOM, TOPIC = "room", "messages:room"


class Bot:
    """The program as a process."""

    def __init__(self, process):
        self.process = process

    @classmethod
    @contextlib.asynccontextmanager
    async def running(cls, gateway, id, others):
        """A bot that is subscribed to the messages of the room as `others` are; it is killed if it outlives the block."""
        made = parley("token", "--user", id, "--type", "bot", "--name", id.title(), AUTH_SECRET=SECRET)
        equal((made.returncode, made.stderr), (0, ""), "parley token")
        bot = cls(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-B", PROGRAM, ROOM),
                env={**environment({}), "CHAT_TOKEN": made.stdout.strip(), "CHAT_URL": gateway.url},
                stdin=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
            )
        )
        try:
            subscribed = lambda: bot.process.returncode is not None or subscriptions(gateway) > others
            await gateway.until(subscribed, PATIENCE, f"{id} is subscribed")
            if bot.process.returncode is not None:
                raise AssertionError(f"the bot ended: {await bot.ended()}")
            yield bot
        finally:
            if bot.process.returncode is None:
                bot.process.kill()
                await bot.ended()

    async def ended(self):
        """Waits for the end; the exit code and what the bot complained about."""
        _, complaints = await within(self.process.communicate(), PATIENCE)
        return self.process.returncode, complaints.decode()

    async def ends_on_sigterm(self):
        """SIGTERM ends it with 0. It may complain that the reply to its last answer did not reach it any more."""
        self.process.terminate()
        code, complaints = await self.ended()
        equal(code, 0, f"exit code; the bot complained: {complaints}")


def subscriptions(gateway):
    """How many subscriptions to messages are active. A bot takes for history what was there before its own is."""
    return gateway.metric('parley_subscriptions{kind="messages",state="active"}')


@contextlib.asynccontextmanager
async def person_in_room(gateway):
    async with connected(gateway, "person") as person:
        await person.call("conversation.createIfNotExists", conversation=ROOM)
        await subscribe(person, TOPIC)
        await person.shows(TOPIC, [], loadedAll=True)
        yield person


def answers(person, text):
    """The senders of the answers to a text that the person is shown."""
    return sorted(item["sender"]["id"] for item in person.latest(TOPIC)["snapshot"] if item["plaintext"] == f"You said: {text}")


@case("it answers what people say, not what was said before it came, and SIGTERM ends it with 0")
async def one_bot():
    with Gateway() as gateway:
        async with person_in_room(gateway) as person:
            shown = [await send(person, ROOM, "Is nobody here?")]
            await person.shows(TOPIC, shown, loadedAll=True)
            async with Bot.running(gateway, "echo", others=1) as bot:
                for text in ("Hello", "How are you?"):
                    shown.insert(0, await send(person, ROOM, text))
                    await person.wait_for(lambda: answers(person, text), f"an answer to {text}")
                    answer = person.latest(TOPIC)["snapshot"][0]
                    equal(answer, message(ROOM, user("echo", "Echo"), f"You said: {text}", origin="bot"), "the answer")
                    shown.insert(0, answer)
                    await person.shows(TOPIC, shown, loadedAll=True)
                await bot.ends_on_sigterm()
            history = await person.call("conversation.history", conversation=ROOM)
            equal(history, {"messages": shown, "loadedAll": True}, "what is left of it")


@case("two bots answer people and not each other")
async def two_bots():
    texts, bots = ("Hello", "How are you?", "Goodbye"), ["echo", "parrot"]
    with Gateway() as gateway:
        async with (
            person_in_room(gateway) as person,
            Bot.running(gateway, "echo", others=1) as echo,
            Bot.running(gateway, "parrot", others=2) as parrot,
        ):
            # A bot handles messages in their order: an answer to a bot would be there before both have answered the next text.
            for text in texts:
                await send(person, ROOM, text)
                await person.wait_for(lambda: answers(person, text) == bots, f"two answers to {text}")
            for bot in (echo, parrot):
                await bot.ends_on_sigterm()
            messages = (await person.call("conversation.history", conversation=ROOM))["messages"]
            said = sorted((item["sender"]["id"], item["origin"], item["plaintext"]) for item in messages)
            expected = [("person", "web", text) for text in texts] + [(bot, "bot", f"You said: {text}") for text in texts for bot in bots]
            equal(said, sorted(expected), "all that was said")


@case("it ends with 1 and says why when the gateway stops")
async def gateway_stops():
    with Gateway(SERVER_DRAIN_MS=0) as gateway:
        async with Bot.running(gateway, "echo", others=0) as bot:
            gateway.process.send_signal(signal.SIGTERM)
            code, complaints = await bot.ended()
            equal((code, complaints.strip()), (1, "The gateway closed the connection."), "exit code and complaints")
