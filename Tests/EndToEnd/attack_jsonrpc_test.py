"""JSON that broke other servers, row by row of Tests/Attacks.md."""

import itertools
import json
import re
from pathlib import Path

from attack import Cost, linear, scaled
from calls_test import METHODS, NOT_CALLED
from checks import Checks, case, equal, show
from client import Client, connected, refused
from flow import send, subscribe
from gateway import Gateway
from snapshots import message, user
from tokens import token

PROTOCOL = Path(__file__).parents[2] / "docs" / "protocol.md"
HUGE = "x" * 100_000
# What peers.md has, and what else has stopped a decoder somewhere. Raw JSON, as 1e999 has no other form.
VALUES = [
    *("null", "true", "false", "-1", "0", "1", "1.5", "-0.0", "1e308", "-1e308", "1e999", "-1e999", "1e-400", "1e5"),
    *(str(number) for number in (2**31, 2**32, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), 10**40)),
    *("[]", "{}", '""', '" "', "[[]]", "[null]", "[{}]", '[""]', '{"":null}', '{"a":[]}', '{"type":"text"}', '{"name":1,"id":{}}'),
    *(json.dumps(text) for text in (HUGE, "\0", "\u202e", "e\u0301" * 50, "__proto__", "constructor", "%s%n", "' OR 1=1 --", "\x7f")),
    *('"\\ud800"', '"\\udc00x"', '"\\ud83d\\ude00"', '"messages:"', '"messages:\\u0000"', '"nope:x"', '"conversations#"', '"a:b:c"'),
    "[" * 60 + "]" * 60,
    '{"a":' * 60 + "1" + "}" * 60,
    "[" * 64 + "]" * 64,
    json.dumps(["x"] * 5000),
    json.dumps({f"k{number}": "v" for number in range(3000)}),
]
# Closed lists: what a client may be told. Never -32603, which would be our fault.
CODES = {-32700, -32600, -32602, *range(100, 112)}


def documented_methods():
    """The methods of docs/protocol.md with the names of their params."""
    table = PROTOCOL.read_text().split("## Methods")[1].split("### Params")[0]
    rows = re.findall(r"^\| `([\w.]+)` \|(.*?)\|", table, re.MULTILINE)
    return {method: [name.rstrip("?") for name in re.findall(r"[\w]+\??", params)] for method, params in rows}


def mistyped(message_id):
    """Requests of every method with every param, known or not, of every value; texts, as not every value has a Python form."""
    templates = {**METHODS, **NOT_CALLED, "session.open": {"token": "x"}}
    for method, names in documented_methods().items():
        fitting = {name: message_id if value == "there" else value for name, value in templates[method].items()}
        for name, value in itertools.product([*names, "actAs", "nope"], VALUES):
            params = {**fitting, name: "VALUE"}
            yield method, name, value, json.dumps({"method": method, "params": params}).replace('"VALUE"', value)


@case("CVE-2026-10080: every param of every method with values of every type", seconds=300)
async def every_param():
    with Gateway() as gateway:
        async with connected(gateway, "calls", "witness") as (client, witness):
            await client.call("conversation.createIfNotExists", conversation="calls")
            there = (await send(client, "calls", "there"))["id"]
            seen, faults = {}, []

            async def ask(rows):
                texts = [f'{{"jsonrpc":"2.0","id":{index},{text[1:]}' for index, (_, _, _, text) in enumerate(rows)]
                [reply] = await client.answers(texts[0] if len(texts) == 1 else f"[{','.join(texts)}]")
                for one in reply if isinstance(reply, list) else [reply]:
                    method, name, value, _ = rows[one["id"] or 0]
                    code = one.get("error", {}).get("code", 0)
                    seen[code] = seen.get(code, 0) + 1
                    if code and code not in CODES:
                        faults.append(f"{method} {name} = {value[:60]}: {show(one)[:200]}")
                    if code == -32602 and len(value) < 100 and not one["error"]["data"].get("field"):
                        faults.append(f"{method} {name} = {value[:60]}: no field is named in {show(one)[:200]}")

            batch = []
            for row in mistyped(there):
                method, name, value, text = row
                if method in NOT_CALLED and (name, value) == ("actAs", "null"):
                    continue  # It would be carried out.
                if (
                    value in ("1e999", "-1e999", str(2**64), str(10**40))
                    or "\\ud800" in value
                    or "\\udc00" in value
                    or value[:64] == "[" * 64
                ):
                    # These are no JSON of ours, and would spoil a whole batch.
                    await ask([row])
                    continue
                if sum(len(other[3]) for other in batch) + len(text) > 100_000 or len(batch) == 32:
                    await ask(batch)
                    batch = []
                batch.append(row)
            await ask(batch)
            equal(faults, [], "answers that should not be")
            equal(set(seen) >= {0, -32700, -32602, 107}, True, f"answers by code: {seen}")
            equal(sum(seen.values()) > 5000, True, f"answers by code: {seen}")
            equal((client.closed, witness.closed), (None, None), "the connections")
            equal("time" in await witness.call("ping"), True, "others are served")


@case("CVE-2026-10080: the params of session.open before there is a session, and the members of a request")
async def opening_and_envelope(gateway):
    faults = []

    async def ask(client, text, what, others=frozenset()):
        [reply] = await client.answers(text)
        code = reply.get("error", {}).get("code", 0)
        if code and code not in CODES | others:
            faults.append(f"{what}: {show(reply)[:200]}")
        return code

    values = [value for value in VALUES if len(value) < 7000]
    for template in ('{"token":V}', '{"guest":V}', '{"guest":{"name":V}}', '{"guest":{"id":V}}', '{"token":"x","guest":V}', '{"nope":V}'):
        client = await Client.connect(gateway.url)
        for value in values:
            if client.closed or "result" in client.frames[-1]:
                await client.close()
                client = await Client.connect(gateway.url)
            text = '{"jsonrpc":"2.0","id":1,"method":"session.open","params":%s}' % template.replace("V", value)
            code = await ask(client, text, text)
            # A refused token counts: five of them end the connection, which is no fault here.
            if code == 100:
                await client.close()
                client = await Client.connect(gateway.url)
            if client.closed:
                faults.append(f"closed with {client.closed} by {text}")
        await client.close()
    async with connected(gateway, "envelope") as client:
        for member, value in itertools.product(("jsonrpc", "id", "method", "params", "nope", "result", "error"), VALUES):
            members = {"jsonrpc": '"2.0"', "id": "1", "method": '"ping"', member: value}
            if member in ("id", "result", "error") and value != "null":
                members["id"] = value if member == "id" else "1"
            text = "{" + ",".join(f'"{name}":{value}' for name, value in members.items()) + "}"
            await ask(client, text, text[:200], {-32601} if member == "method" else set())
        equal(client.closed, None, "the connection")
    equal(faults, [], "answers that should not be")


@case("CVE-2022-31019: JSON nested 100,000 deep is -32700, before and after session.open")
async def nested(gateway):
    async with await Client.connect(gateway.url) as stranger, connected(gateway, "nested") as client:
        with Checks() as check:
            for one, most in ((stranger, 8_000), (client, 130_000)):
                for name, text in {
                    "arrays": "[" * most,
                    "arrays, closed": "[" * (most // 2) + "]" * (most // 2),
                    "objects": '{"a":' * (most // 5),
                    "objects, closed": '{"a":' * (most // 7) + "1" + "}" * (most // 7),
                    "both": '[{"a":' * (most // 6),
                    "65 arrays": "[" * 65 + "]" * 65,
                    "in params": '{"jsonrpc":"2.0","id":1,"method":"ping","params":'
                    + '{"a":' * (most // 7)
                    + "1"
                    + "}" * (most // 7)
                    + "}",
                    "in an id": '{"jsonrpc":"2.0","method":"ping","id":' + "[" * (most // 3) + "]" * (most // 3) + "}",
                }.items():
                    with check.row(f"{name}, at most {most} bytes"):
                        [reply] = await one.answers(text)
                        equal((reply["id"], reply["error"]["code"]), (None, -32700))
                with check.row("64 arrays are no request"):
                    [reply] = await one.answers("[" * 64 + "]" * 64)
                    equal(reply[0]["error"]["code"], -32600)
                equal("time" in await one.call("ping"), True, "the connection lives")


@case("CVE-2022-31019 and like: wide, deep and repeated JSON costs what it weighs")
async def wide(gateway):
    makers = {
        "members": lambda size: "{" + ",".join(f'"k{number}":0' for number in range(size // 10)) + "}",
        "members of one name": lambda size: "{" + ",".join(['"k":0'] * (size // 6)) + "}",
        "elements": lambda size: "[" + ",".join(["0"] * (size // 2)) + "]",
        "params": lambda size: '{"jsonrpc":"2.0","id":1,"method":"ping","params":{'
        + ",".join(f'"k{number}":[]' for number in range(size // 12))
        + "}}",
        "custom": lambda size: '{"jsonrpc":"2.0","id":1,"method":"conversation.send","params":{"conversation":"x","text":"x","custom":{'
        + ",".join(f'"k{number}":""' for number in range(size // 12))
        + "}}}",
        "escapes": lambda size: '{"jsonrpc":"2.0","id":1,"method":"' + "\\u0041" * (size // 6) + '"}',
        "numbers": lambda size: "[" + "1" * (size - 2) + "]",
        "blanks": lambda size: " " * (size - 1) + "1",
        "a method": lambda size: '{"jsonrpc":"2.0","id":1,"method":"' + "m" * (size - 60) + '"}',
        "combining characters": lambda size: '{"jsonrpc":"2.0","id":1,"method":"conversation.get","params":{"conversation":"a%s"}}'
        % ("\u0301" * (size // 3)),
        "marks out of order": lambda size: '{"jsonrpc":"2.0","id":1,"method":"conversation.get","params":{"conversation":"a%s"}}'
        % ("\u0315\u0300" * (size // 5)),
        "an id": lambda size: '{"jsonrpc":"2.0","method":"ping","id":"' + "i" * (size - 60) + '"}',
    }
    async with connected(gateway, "wide") as client:
        with Checks() as check:
            for name, make in makers.items():

                async def attack(size):
                    text = make(size)
                    for _ in range(5):
                        [reply] = await client.answers(text)
                        equal(reply["error"]["code"] in CODES | {-32601}, True, show(reply))

                with check.row(name):
                    await linear(gateway, attack, 60_000, name)


@case("more JSON: batches, other encodings, odd names, numbers that a double cannot hold")
async def odd_json(gateway):
    ping = '{"jsonrpc":"2.0","id":%s,"method":"ping"}'
    batch = lambda count: "[" + ",".join(ping % number for number in range(count)) + "]"
    request = '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}'
    rows = {
        "10,000 entries": ("[" + ",".join(["1"] * 10_000) + "]", (None, -32600)),
        "3,000 pings": (batch(3000), (None, -32600)),
        "33 notifications": ("[" + ",".join(['{"jsonrpc":"2.0","method":"ping"}'] * 33) + "]", (None, -32600)),
        "no entry": ("[]", (None, -32600)),
        "1": ("[1]", [(None, -32600)]),
        "a batch in a batch": ("[" + batch(2) + "]", [(None, -32600)]),
        "the same id twice": ("[" + ping % 1 + "," + ping % 1 + "]", [(1, 0), (None, -32600)]),
        "ids that are one number, written twice": ("[" + ping % 1 + "," + ping % "1.0" + "]", [(1, 0), (1.0, 0)]),
        "the id 1e400": (ping % "1e400", (None, -32700)),
        "an id beyond 2^53": (ping % (2**53 + 1), (2**53 + 1, 0)),
        "a method of 120,000 letters": (request % ("m" * 120_000, "{}"), (1, -32601)),
        "__proto__ as a method": (request % ("__proto__", "{}"), (1, -32601)),
        "__proto__ as a param": (request % ("ping", '{"__proto__":{}}'), (1, -32602)),
        "__proto__ as a member": ('{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}', (1, -32600)),
        "constructor as a topic": (request % ("subscribe", '{"topic":"constructor:x"}'), (1, -32602)),
        "a member twice, once by an escape": ('{"jsonrpc":"2.0","id":1,"method":"ping","\\u0069d":2}', (None, -32600)),
        "a param twice": (request % ("user.get", '{"user":"a","user":"b"}'), (1, -32600)),
        "a byte order mark": ("\ufeff" + ping % 1, (None, -32700)),
        "UTF-16 of ASCII": ((ping % 1).encode("utf-16-le").decode("latin-1"), (None, -32700)),
        "two documents": (ping % 1 + ping % 2, (None, -32700)),
        "a document and NUL": (ping % 1 + "\0", (None, -32700)),
        "a comment": ("/**/" + ping % 1, (None, -32700)),
        "NaN": (request % ("conversation.history", '{"conversation":"x","limit":NaN}'), (None, -32700)),
        "Infinity": (request % ("conversation.history", '{"conversation":"x","limit":-Infinity}'), (None, -32700)),
        "a control character in a string": (request % ("user.get", '{"user":"a\nb"}'), (None, -32700)),
        "2^53 + 1 as a limit": (request % ("conversation.history", '{"conversation":"odd","limit":9007199254740993}'), (1, -32602)),
        "30.0 as a limit": (request % ("conversation.history", '{"conversation":"odd","limit":30.0}'), (1, (0, -32602))),
    }
    async with connected(gateway, "odd") as client:
        await client.call("conversation.createIfNotExists", conversation="odd")
        summary = lambda reply: (reply["id"], reply.get("error", {}).get("code", 0))
        with Checks() as check:
            for name, (text, expected) in rows.items():
                with check.row(name):
                    [reply] = await client.answers(text, seconds=3)
                    if isinstance(expected, list):
                        equal(sorted((summary(one) for one in reply), key=str), sorted(expected, key=str))
                    elif isinstance(expected[1], tuple):
                        equal(summary(reply)[1] in expected[1], True, show(reply))
                    else:
                        equal(summary(reply), expected)
            with check.row("__proto__ and constructor as custom fields are data"):
                custom = {"__proto__": "a", "constructor": "b", "toString": "c"}
                equal(await send(client, "odd", "x", custom=custom), message("odd", user("odd"), "x", custom=custom))
        equal(client.closed, None, "the connection")
    for name, data, code in (
        ("UTF-16 with its mark", (ping % 1).encode("utf-16"), 1007),
        ("UTF-32", (ping % 1).encode("utf-32"), 1007),
        ("a method of 1 MB", (request % ("m" * 1_000_000, "{}")).encode(), 1009),
    ):
        async with connected(gateway, "odd") as client:
            await client.socket.send(data, text=True)
            equal(await client.close_code(), code, name)


@case("more JSON: cancels of what is finished, foreign or never was, and a flood of notifications", seconds=600)
async def cancels_and_floods(gateway):
    async with connected(gateway, "canceller", "other") as (canceller, other):
        for client in (canceller, other):
            await client.call("conversation.createIfNotExists", conversation="cancel")
        await canceller.answers('{"jsonrpc":"2.0","id":"done","method":"ping"}')
        seen = len(canceller.frames)
        for id in ('"done"', '"never"', "1e3", "0"):
            await canceller.send('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%s}}' % id)
        for params in ('{"id":null}', '{"id":[]}', "{}", '{"nope":1}', "[]"):
            await canceller.send('{"jsonrpc":"2.0","method":"$/cancelRequest","params":%s}' % params)
        # Another's request of the same id goes on.
        calls = [await other.start("conversation.send", conversation="cancel", text=f"{number}") for number in range(30)]
        for number in range(100):
            await canceller.send('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}' % number)
        equal([reply for reply in [await call for call in calls] if "result" not in reply], [], "another's requests")
        await canceller.call("ping")
        equal(len(canceller.frames) - seen, 1, f"cancels are not answered: {canceller.frames[seen:]}")

        async def flood(count):
            names = ("$/nope", "nope", "conversation.nope", "$/cancelRequest", "rpc.x", "ping")
            for number in range(count):
                await canceller.send('{"jsonrpc":"2.0","method":"%s"}' % names[number % len(names)])
            await canceller.call("ping")

        await flood(2_000)
        seen = len(canceller.frames)
        with Cost(gateway) as cost:
            await flood(scaled(20_000, 1_000_000))
        equal(len(canceller.frames) - seen, 1, "notifications are not answered")
        equal(cost.bytes < 4e6, True, f"{cost.bytes / 1e6:.1f} MB more after the flood")


@case("CVE-2018-1270: ids, names, labels, cursors and texts are data: wildcards, quotes, SQL, format strings")
async def data_only(gateway):
    odd = ["%", "_", "%%%", "' OR '1'='1", '" OR ""="', "x'); DROP TABLE messages; --", "MATCH NEAR(a b)", "#{7-7}", "${7-7}", "{{7-7}}",
           "T(java.lang.Runtime)", "%s%n%x", "$(id)", "`id`", "a%b", "a_b", "axb", "NULL", "rowid", "a;b", "?1", "@x", "$x"]  # fmt: skip
    async with connected(gateway, "data", "secret") as (client, secret):
        await secret.call("conversation.createIfNotExists", conversation="hidden")
        await send(secret, "hidden", "hidden")
        with Checks() as check:
            for id in odd:
                with check.row(id):
                    equal(await client.call("conversation.get", conversation=id), {"conversation": None}, "not there yet")
                    made = await client.call("conversation.createIfNotExists", conversation=id, subject=id, custom={id: id})
                    equal((made["created"], made["conversation"]["id"], made["conversation"]["custom"]), (True, id, {id: id}), "made")
                    # As content, in which nothing is markup.
                    content = [{"type": "text", "children": [id]}]
                    params = {"conversation": id, "content": content, "clientMessageId": id}
                    sent = (await client.call("conversation.send", **params))["message"]
                    equal(sent["plaintext"], id, "a text")
                    history = await client.call("conversation.history", conversation=id)
                    equal(history, {"messages": [sent], "loadedAll": True}, "its own messages only")
                    await refused(client.call("conversation.history", conversation=id, before=id), 104)
                    await refused(client.call("user.set", user=id, name=id), 101)
                    equal(await client.call("user.get", user=id), {"user": None}, "no user")
                    equal(await client.call("participant.get", conversation=id, user=id), {"participant": None}, "no participant")
                    await subscribe(client, f"conversations#{id}", f"messages:{id}", f"user:{id}")
                    await client.shows(f"messages:{id}", [sent], loadedAll=True)
                    await client.shows(f"user:{id}", None)
            listed = await client.wait_for(lambda: client.latest("conversations#%"), "a list")
            check.true("hidden" not in show(listed), "a conversation of others is in the list")
            for id in odd:
                await client.call("conversation.createIfNotExists", conversation=id)
            texts = {id: (await client.call("conversation.get", conversation=id))["conversation"]["subject"] for id in odd}
            check.equal(texts, {id: id for id in odd}, "all stand as they were made")


@case("more JSON: what a client is told of its own text stays text: no echo breaks the JSON around it")
async def echoes(gateway):
    async with connected(gateway, "echo") as client:
        for text in ('"', "\\", '","id":9,"x":"', "\u2028", "</script>", "\x00", "\x1f", "\x7f", "\ud7ff\ue000\U0010ffff"):
            for method, params in (
                ("no" + text, {}),
                ("ping", {text: 1}),
                ("user.get", {"user": text + "/"}),
                ("subscribe", {"topic": text}),
            ):
                reply = await client.reply(method, **params)
                equal(reply["error"]["code"] in (-32601, -32602), True, show(reply))
            [reply] = await client.answers(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", text: 1}))
            equal((reply["id"], reply["error"]["code"]), (1, -32600), show(reply))
        async with await Client.connect(gateway.url, session={"token": token("app", tokenType="app")}) as app:
            await refused(app.call("ping", actAs='"/'), -32602)
