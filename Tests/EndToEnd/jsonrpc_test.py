"""What JSON-RPC 2.0 asks for, and where the protocol is stricter."""

import asyncio

from checks import Checks, case, equal, within
from client import connected


def error(code, id=None):
    return {"id": id, "code": code}


def summary(reply):
    """What a table compares of a reply."""
    if isinstance(reply, list):
        return sorted((summary(item) for item in reply), key=str)
    return error(reply["error"]["code"], reply["id"]) if "error" in reply else {"id": reply["id"], "result": True}


@case("JSON-RPC by table")
async def envelope(gateway):
    fine = lambda id: {"id": id, "result": True}
    ping = '{"jsonrpc":"2.0","id":%s,"method":"ping"}'
    rows = [
        (ping % 1, fine(1)),
        (ping % '"a"', fine("a")),
        (ping % "1.5", fine(1.5)),
        (ping % "-7", fine(-7)),
        (ping % '""', fine("")),
        (ping % "null", error(-32600)),
        (ping % "true", error(-32600)),
        (ping % "[]", error(-32600)),
        (ping % "{}", error(-32600)),
        (ping % ('"' + "x" * 126 + '"'), fine("x" * 126)),
        (ping % ('"' + "x" * 127 + '"'), error(-32600)),
        (ping % "1e400", error(-32700)),
        (ping % "-1e400", error(-32700)),
        (ping % "123456789012345678901234567890", error(-32700)),
        ("", error(-32700)),
        ("{", error(-32700)),
        ("nope", error(-32700)),
        ("\ufeff{}", error(-32700)),
        ('{"a":1,}', error(-32700)),
        ("[" * 65 + "]" * 65, error(-32700)),
        ("NaN", error(-32700)),
        ("'a'", error(-32700)),
        ("1", error(-32600)),
        ('"x"', error(-32600)),
        ("null", error(-32600)),
        ("true", error(-32600)),
        ("{}", error(-32600)),
        ("[]", error(-32600)),
        ('{"jsonrpc":"1.0","id":1,"method":"ping"}', error(-32600, 1)),
        ('{"id":1,"method":"ping"}', error(-32600, 1)),
        ('{"jsonrpc":2.0,"id":1,"method":"ping"}', error(-32600, 1)),
        ('{"jsonrpc":"2.0","id":1,"method":7}', error(-32600, 1)),
        ('{"jsonrpc":"2.0","id":1}', error(-32600, 1)),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', error(-32602, 1)),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', error(-32600, 1)),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":1}', error(-32600, 1)),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', error(-32600, 1)),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}', fine(1)),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","more":1}', error(-32600, 1)),
        ('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', error(-32600)),
        ('{"jsonrpc":"2.0","id":1,"method":"nope"}', error(-32601, 1)),
        (' \t\r\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n', fine(1)),
        ('{"\\u006asonrpc":"2.0","id":1,"method":"p\\u0069ng"}', fine(1)),
        ("[1]", [error(-32600)]),
        ("[1," + ping % 5 + ",[]]", [error(-32600), error(-32600), fine(5)]),
        ("[" + ",".join(ping % n for n in range(32)) + "]", [fine(n) for n in range(32)]),
        ("[" + ",".join(ping % n for n in range(33)) + "]", error(-32600)),
        ("[" + ping % 1 + "," + ping % 1 + "]", [error(-32600), fine(1)]),
    ]
    async with connected(gateway, "rpc") as client:
        with Checks() as check:
            for text, expected in rows:
                with check.row(text[:100]):
                    [reply] = await client.answers(text, seconds=3)
                    expected = sorted(expected, key=str) if isinstance(expected, list) else expected
                    equal(summary(reply), expected)


@case("what is not answered: notifications, responses, $/…")
async def unanswered(gateway):
    async with connected(gateway, "silent") as client:
        await client.call("conversation.createIfNotExists", conversation="silent")
        seen = len(client.frames)
        for text in (
            '{"jsonrpc":"2.0","method":"ping"}',
            '{"jsonrpc":"2.0","method":"nope"}',
            '{"jsonrpc":"2.0","method":"ping","params":{"nope":1}}',
            '{"jsonrpc":"2.0","id":1,"result":{}}',
            '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
            '{"jsonrpc":"2.0","method":"$/nope"}',
            '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}',
            '[{"jsonrpc":"2.0","method":"ping"}]',
            '{"jsonrpc":"2.0","method":"conversation.send","params":{"conversation":"silent","text":"heard"}}',
        ):
            await client.send(text)
        result = await client.call("conversation.get", conversation="silent")
        equal(result["conversation"]["lastMessage"]["plaintext"], "heard", "a notification is carried out")
        equal(len(client.frames) - seen, 1, f"answers {client.frames[seen:]}")


@case("ids come back byte for byte")
async def ids_as_written(gateway):
    async with connected(gateway, "bytes") as client:
        socket = client.socket
        client.reader.cancel()
        await asyncio.wait([client.reader])
        with Checks() as check:
            for id in (
                "1.0",
                "1e2",
                "-0",
                "0.10",
                "1234567890123456789",
                "-1234567890123456789",
                '"\\u0041"',
                '"a\\/b"',
                '"é"',
                '"\\ud83d\\ude00"',
                "1E+2",
            ):
                await socket.send('{"jsonrpc":"2.0","id":%s,"method":"ping"}' % id)
                reply = await within(socket.recv(), 5)
                check.true(f'"id":{id},' in reply or reply.endswith(f'"id":{id}}}'), f"{id}: {reply}")


@case("an id in flight is refused, a request can be cancelled")
async def in_flight(gateway):
    async with connected(gateway, "flight") as client:
        await client.call("conversation.createIfNotExists", conversation="flight")
        send_one = '{"jsonrpc":"2.0","id":%s,"method":"conversation.send","params":{"conversation":"flight","text":"x"}}'
        # The second has the id of one that waits behind it or is running; in one batch it is in flight for certain.
        [array] = await client.answers("[" + send_one % '"a"' + "," + send_one % '"a"' + "]")
        equal(summary(array), sorted([error(-32600), {"id": "a", "result": True}], key=str), "in a batch")
        [again] = await client.answers(send_one % '"a"')
        equal(summary(again), {"id": "a", "result": True}, "after its reply an id is free")
        # Of many sends one after another the last ones wait: the cancelled one is answered and not carried out.
        batch = [
            {"jsonrpc": "2.0", "id": f"s{n}", "method": "conversation.send", "params": {"conversation": "flight", "text": f"s{n}"}}
            for n in range(30)
        ]
        batch.append({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "s29"}})
        [array] = await client.answers(batch)
        outcome = next(reply for reply in array if reply["id"] == "s29")
        history = await client.call("conversation.history", conversation="flight", limit=1)
        last = history["messages"][0]["plaintext"]
        if "error" in outcome:
            equal((outcome["error"]["code"], outcome["error"]["data"]["key"], last), (-32800, "requestCancelled", "s28"), "cancelled")
        else:
            equal(last, "s29", "carried out")
