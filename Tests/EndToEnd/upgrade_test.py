"""A store that an older gateway wrote: this one opens it, shows what is in it, and goes on writing."""

import contextlib
import json
import shutil
from pathlib import Path

from checks import Checks, case, equal
from client import Client, refused
from flow import send
from gateway import Gateway
from stores.write import seen_by, sessions
from tokens import token

STORES = Path(__file__).parent / "stores"


def as_far_as(then, now):
    """What is seen now, without the members that nobody knew of then: clients ignore what they do not know."""
    if isinstance(then, dict) and isinstance(now, dict):
        return {key: as_far_as(then[key], now[key]) for key in then if key in now}
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        return [as_far_as(*pair) for pair in zip(then, now)]
    return now


@contextlib.contextmanager
def old_gateways():
    """A gateway for each store, on a copy of it, and what is known of the store."""
    with contextlib.ExitStack() as stack:
        found = []
        for file in sorted(STORES.glob("*.sqlite")):
            facts = json.loads(file.with_suffix(".json").read_text())
            gateway = stack.enter_context(Gateway.unstarted())
            gateway.folder.mkdir(mode=0o700)
            shutil.copy(file, gateway.folder / facts["file"])
            facts["tokens"] = sessions(facts, file)
            found.append((file.stem, gateway.start(), facts))
        equal(len(found) > 0, True, "there are old stores")
        yield found


@case("users, conversations, unread counts, participants and history are what they were")
async def same():
    with old_gateways() as found, Checks() as check:
        for name, gateway, facts in found:
            for user, session in facts["tokens"].items():
                now = await seen_by(gateway, session)
                check.equal(as_far_as(facts["seen"][user], now), facts["seen"][user], f"{name}: what {user} sees")


@case("tokens of guests open sessions, revoked ones do not, and a retry is known")
async def tokens_and_retries():
    with old_gateways() as found:
        for name, gateway, facts in found:
            async with await Client.connect(gateway.url) as client:
                revoked = facts["revoked"]
                await refused(client.call("session.open", token=token(revoked["user"], iat=revoked["at"])), 100)
            for retry in facts["retries"]:
                async with await Client.connect(gateway.url, session={"token": facts["tokens"][retry["user"]]}) as client:
                    result = await client.call("conversation.send", **retry["params"])
                    equal((result["duplicate"], result["message"]["id"]), (True, retry["message"]), f"{name}: a retry")


@case("it goes on: order, unread counts and a restart")
async def goes_on():
    with old_gateways() as found:
        for name, gateway, facts in found:
            before = {item["id"]: item for item in facts["seen"]["ben"]["conversations"]}
            async with await Client.connect(gateway.url, session={"token": facts["tokens"]["ana"]}) as ana:
                newer = [await send(ana, "long", f"after the upgrade {number}") for number in range(3)]
                history = (await ana.call("conversation.history", conversation="long", limit=4))["messages"]
                equal([item["id"] for item in history][:3], [item["id"] for item in newer[::-1]], f"{name}: the newest messages")
                equal(history[3]["id"], facts["seen"]["ana"]["messages"]["long"][0]["id"], f"{name}: the one before")
                old = {"conversation": "long", "message": facts["seen"]["ana"]["messages"]["long"][-1]["id"]}
                await ana.call("message.addReaction", **old, emoji="\N{THUMBS UP SIGN}")
                await ana.call("conversation.pin", **old)
                await ana.call("conversation.createIfNotExists", conversation="gone")
                equal((await ana.call("conversation.history", conversation="gone"))["messages"], [], f"{name}: what was deleted")
            for _ in range(2):
                async with await Client.connect(gateway.url, session={"token": facts["tokens"]["ben"]}) as ben:
                    long = (await ben.call("conversation.get", conversation="long"))["conversation"]
                    equal(long["unreadMessageCount"], before["long"]["unreadMessageCount"] + 3, f"{name}: unread messages")
                    equal(long["lastMessage"]["id"], newer[-1]["id"], f"{name}: the last message")
                    reaction = {"emoji": "\N{THUMBS UP SIGN}", "count": 1, "currentUserReacted": False}
                    equal(long["pinnedMessage"]["reactions"], [reaction], f"{name}: a reaction to what is pinned")
                equal(gateway.end(), 0, "exit code")
                gateway.start()
