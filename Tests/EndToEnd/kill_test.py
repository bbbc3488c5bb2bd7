"""kill -9 under load: what was acknowledged is there, once and in order."""

import asyncio
import random

from checks import case, equal
from client import Client
from gateway import Gateway

SENDERS, CONVERSATIONS, KILLS, IN_FLIGHT = 32, 4, 20, 4


class Sender:
    """Sends numbered messages to one conversation, and sends again what was not acknowledged."""

    def __init__(self, number):
        self.user = f"sender{number}"
        self.conversation = f"room{number % CONVERSATIONS}"
        self.next = 0
        self.unanswered = []  # Texts, in the order in which they were first sent.
        self.acknowledged = {}  # Text to message.

    async def run(self, gateway, acknowledged):
        """Sends until the connection ends, and puts what was acknowledged into the queue."""
        client = await Client.connect(gateway.url, self.user)
        try:
            await client.call("conversation.createIfNotExists", conversation=self.conversation)
            calls = [(text, await self.start(client, text)) for text in self.unanswered]
            while True:
                while len(calls) < IN_FLIGHT:
                    text = f"{self.user} {self.next}"
                    self.next += 1
                    self.unanswered.append(text)
                    calls.append((text, await self.start(client, text)))
                text, call = calls.pop(0)
                reply = await call
                equal("result" in reply, True, f"{reply}")
                self.acknowledged[text] = reply["result"]["message"]
                self.unanswered.remove(text)
                acknowledged.put_nowait(text)
        except ConnectionError:
            pass
        finally:
            await client.close()

    async def start(self, client, text):
        return await client.start("conversation.send", conversation=self.conversation, text=text, clientMessageId=text)


async def take(queue, count):
    for _ in range(count):
        await queue.get()


async def whole_history(client, conversation):
    """All messages, the oldest first."""
    messages, params = [], {}
    while True:
        page = await client.call("conversation.history", conversation=conversation, limit=100, **params)
        messages += page["messages"]
        if page["loadedAll"]:
            return messages[::-1]
        params = {"before": messages[-1]["id"]}


@case(f"kill -9 under {SENDERS} senders, {KILLS} times", seconds=180)
async def killed():
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    senders = [Sender(number) for number in range(SENDERS)]
    with Gateway() as gateway:
        for _ in range(KILLS):
            acknowledged = asyncio.Queue()
            ended = asyncio.gather(*(sender.run(gateway, acknowledged) for sender in senders))
            enough = asyncio.create_task(take(acknowledged, chance.randint(20, 600)))
            await asyncio.wait([enough, ended], timeout=60, return_when=asyncio.FIRST_COMPLETED)
            equal(enough.done(), True, f"messages are sent (seed {seed})\n{gateway.log()}")
            gateway.kill()
            await ended
            gateway.start()
        await check(gateway, senders, f"seed {seed}")


async def check(gateway, senders, seed):
    # What was in flight at the last kill is sent once more, by a connection that sends nothing else.
    for sender in senders:
        async with await Client.connect(gateway.url, sender.user) as client:
            await client.call("conversation.createIfNotExists", conversation=sender.conversation)
            for text in sender.unanswered:
                reply = await (await sender.start(client, text))
                sender.acknowledged[text] = reply["result"]["message"]
            # A retry of what was acknowledged long ago is the same message.
            first = f"{sender.user} 0"
            again = (await (await sender.start(client, first)))["result"]
            equal(again, {"message": sender.acknowledged[first], "duplicate": True}, f"a retry after a kill ({seed})")
    total = 0
    for number in range(CONVERSATIONS):
        members = senders[number::CONVERSATIONS]
        async with await Client.connect(gateway.url, members[0].user) as client:
            history = await whole_history(client, members[0].conversation)
        total += len(history)
        ids, texts = [item["id"] for item in history], [item["plaintext"] for item in history]
        equal(ids, sorted(set(ids)), f"ids sort and come once ({seed})")
        times = [item["createdAt"] for item in history]
        equal(times, sorted(times), f"times never decrease ({seed})")
        by_text = {item["plaintext"]: item for item in history}
        for sender in members:
            sent = [f"{sender.user} {number}" for number in range(sender.next)]
            equal(
                [text for text in texts if text.startswith(sender.user + " ")], sent, f"each message once, in the sender's order ({seed})"
            )
            for text, acknowledged in sender.acknowledged.items():
                equal(by_text[text], acknowledged, f"an acknowledged message ({seed})")
        equal(len(texts), sum(sender.next for sender in members), f"nothing else ({seed})")
    equal(total > KILLS * 20, True, "messages were sent")
