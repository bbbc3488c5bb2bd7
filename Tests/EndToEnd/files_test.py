"""Files: upload, what a message shows of them, who may fetch them, and what attackers try."""

import asyncio
import contextlib
import http.client
import json
import os
import re
import socket
import time
from urllib.parse import quote, urlencode

from checks import Checks, case, equal
from client import Client, connected, refused
from gateway import Gateway, trusting_all
from secure import SecureGateway
from storage_test import disk, ignore_file_limit
from tokens import token

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 300
SETTINGS = {
    "SERVER_ORIGINS": "https://chat.example",
    "FILES_MAX_BYTES": 2_000_000,
    "FILES_UPLOADS_PER_MINUTE": 0,
    "config": "{roles: {silent: {files: false}}}",
}


def ask(gateway, method, path, body=None, **headers):
    """The status, the headers and the body of an answer."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=20)) as connection:
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def bearer(user, **claims):
    return {"Authorization": f"Bearer {token(user, **claims)}"}


def upload(gateway, user, content=PNG, type="image/png", filename="a.png", status=201, headers=None, **query):
    """Uploads a file; the answer's object, or its sentence where it is a refusal."""
    path = "/files?" + urlencode({"filename": filename, **query})
    got, _, body = ask(gateway, "POST", path, content, **{"Content_Type": type, **(bearer(user) if headers is None else headers)})
    equal(got, status, body.decode())
    return json.loads(body) if status == 201 else body.decode()


def kept(gateway):
    """The files in the data folder, apart from those that are on their way."""
    return sorted(path.name for path in (gateway.folder / "files").glob("[0-9a-f][0-9a-f]/*"))


def incoming(gateway):
    return list((gateway.folder / "files" / "incoming").iterdir())


async def share(client, room, file):
    content = [{"type": "file", "fileToken": file["fileToken"]}]
    return (await client.call("conversation.send", conversation=room, content=content))["message"]


@case("a file is uploaded, sent, seen by everybody in the conversation, and fetched by them only")
async def round_trip(gateway):
    async with connected(gateway, "rt-ann", "rt-bob") as (ann, bob):
        for client in (ann, bob):
            await client.call("conversation.createIfNotExists", conversation="rt")
        await bob.call("subscribe", topic="messages:rt")
        file = await asyncio.to_thread(upload, gateway, "rt-ann", width=640, height=480)
        id = file["fileToken"]
        equal(
            file,
            {"fileToken": id, "filename": "a.png", "size": len(PNG), "contentType": "image/png", "subtype": "image", "width": 640, "height": 480},
            "the answer to the upload",
        )
        url = f"/files/{id}"
        equal(ask(gateway, "GET", url, **bearer("rt-bob"))[0], 404, "nobody sent it yet")
        message = await share(ann, "rt", file)
        block = {
            "type": "file", "subtype": "image", "url": url, "size": len(PNG), "filename": "a.png", "fileToken": id, "width": 640, "height": 480,
        }
        equal((message["content"], message["plaintext"]), ([block], ""), "the message")
        await bob.wait_for(lambda: (bob.latest("messages:rt") or {}).get("snapshot"), "the message")
        equal(bob.latest("messages:rt")["snapshot"][0]["content"], [block], "what the other one sees")
        for user, status in {"rt-ann": 200, "rt-bob": 200, "rt-eve": 404}.items():
            got, headers, body = await asyncio.to_thread(ask, gateway, "GET", url, **bearer(user))
            equal((got, body == PNG), (status, status == 200), user)
        got, headers, body = ask(gateway, "GET", url, **bearer("rt-bob"))
        expected = {
            "Content-Type": "image/png", "Content-Length": str(len(PNG)), "X-Content-Type-Options": "nosniff", "Accept-Ranges": "bytes",
            "Content-Disposition": "inline; filename=\"a.png\"; filename*=UTF-8''a.png", "Cache-Control": "private, no-cache",
            "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
        }
        equal({name: headers[name] for name in expected}, expected, "the headers")
        equal(ask(gateway, "HEAD", url, **bearer("rt-bob"))[::2], (200, b""), "HEAD")
        equal(ask(gateway, "GET", url, **bearer("rt-bob"), If_None_Match=headers["ETag"])[::2], (304, b""), "known already")
        for range, status, part in [("bytes=0-9", 206, PNG[:10]), ("bytes=-5", 206, PNG[-5:]), ("bytes=99999999-", 416, None)]:
            got, headers, body = ask(gateway, "GET", url, **bearer("rt-bob"), Range=range)
            equal((got, body if part else None), (status, part), range)
        # What came may be sent on as it came, by whoever sees it.
        await bob.call("conversation.createIfNotExists", conversation="rt-2")
        again = await bob.call("conversation.send", conversation="rt-2", content=[block])
        equal(again["message"]["content"], [block], "sent on")
        await bob.call("conversation.send", conversation="rt-2", text="and so on")
        # Who was removed is out at once.
        await ann.call("participant.delete", conversation="rt", user="rt-bob")
        await bob.call("message.delete", conversation="rt-2", message=again["message"]["id"])
        equal(ask(gateway, "GET", url, **bearer("rt-bob"))[0], 404, "removed")
        equal(ask(gateway, "GET", url, **bearer("rt-ann"))[0], 200, "still there")


@case("a page gets a token for files in its session, good for nothing else")
async def page_token(gateway):
    async with connected(gateway, "pt-ann") as ann:
        reply = await ann.call("file.token")
        equal(800_000 < reply["expiresAt"] - time.time() * 1000 <= 900_000, True, f"a quarter of an hour: {reply['expiresAt']}")
        access = {"Authorization": f"Bearer {reply['token']}"}
        file = await asyncio.to_thread(upload, gateway, None, headers=access)
        url = f"/files/{file['fileToken']}"
        equal(ask(gateway, "GET", f"{url}?access={quote(reply['token'])}")[0], 200, "in the address of an image")
        equal(ask(gateway, "GET", url)[0], 401, "without")
        equal(ask(gateway, "GET", f"{url}?access={quote(token('pt-ann'))}")[0], 401, "a session's token in an address")
        equal(ask(gateway, "GET", url, **bearer("pt-ann", exp=int(time.time()) - 60))[0], 401, "one that is over")
        error = await refused(Client.connect(gateway.url, session={"token": reply["token"]}), 100)
        equal(error.field, "token", "it opens no session")
        await ann.call("session.revoke", user="pt-ann")
    equal(ask(gateway, "GET", url, **access)[0], 401, "revoked")


@case("guests upload and see files too")
async def guests():
    with Gateway(secret=None) as gateway:
        async with await Client.connect(gateway.url, session={"guest": {"name": "Gus"}}) as gus:
            access = (await gus.call("file.token"))["token"]
            headers = {"Authorization": f"Bearer {access}"}
            file = await asyncio.to_thread(upload, gateway, None, b"text", "text/plain", "ä \"1\".txt", headers=headers)
            await gus.call("conversation.createIfNotExists", conversation="g")
            message = await share(gus, "g", file)
            url = f"{message['content'][0]['url']}?access={quote(access)}"
            status, answer, body = ask(gateway, "GET", url)
            equal((status, body, answer["Content-Type"]), (200, b"text", "application/octet-stream"), "the text")
            equal(answer["Content-Disposition"].startswith("attachment;"), True, answer["Content-Disposition"])


@case("the role decides who may send files, and a file is nobody's to send who cannot see it")
async def permissions(gateway):
    upload(gateway, None, headers=bearer("pm-mute", role="silent"), status=403)
    mine = upload(gateway, "pm-ann")
    async with connected(gateway, "pm-ann", "pm-eve") as (ann, eve):
        async with await Client.connect(gateway.url, session={"token": token("pm-mute", role="silent")}) as mute:
            for client in (ann, eve, mute):
                await client.call("conversation.createIfNotExists", conversation="pm")
            error = await refused(share(eve, "pm", mine), 104)
            equal(error.field, "content[0].fileToken", "another's file")
            message = await share(ann, "pm", mine)
            error = await refused(share(mute, "pm", mine), 101)
            equal(error.field, "content[0]", "the role")
            await share(eve, "pm", mine)
            with Checks() as check:
                for value, code in (("A" * 22, 104), ("../" * 7 + "a", -32602), ("", -32602), (7, -32602), (None, -32602)):
                    with check.row(str(value)):
                        error = await refused(share(ann, "pm", {"fileToken": value}), code)
                        equal(error.field, "content[0].fileToken", "the field")
            edited = await ann.call("message.edit", conversation="pm", message=message["id"], text="no file any more")
            equal(edited["message"]["plaintext"], "no file any more", "edited")


@case("a content is kept once, and removed with the last message that has it")
async def removal():
    with Gateway() as gateway:
        files = [await asyncio.to_thread(upload, gateway, user) for user in ("ann", "ann", "bob")]
        equal(len(kept(gateway)), 1, "one content")
        async with connected(gateway, "ann", "bob") as (ann, bob):
            for client in (ann, bob):
                await client.call("conversation.createIfNotExists", conversation="r")
            messages = [await share(client, "r", file) for client, file in zip((ann, ann, bob), files)]
            twice = await share(ann, "r", files[0])
            for client, message in zip((ann, ann, bob), messages):
                equal(len(kept(gateway)), 1, "still needed")
                await client.call("message.delete", conversation="r", message=message["id"])
            equal(ask(gateway, "GET", f"/files/{files[1]['fileToken']}", **bearer("ann"))[0], 404, "gone with its message")
            equal(ask(gateway, "GET", f"/files/{files[0]['fileToken']}", **bearer("ann"))[0], 200, "another message has it")
            await ann.call("message.delete", conversation="r", message=twice["id"])
            await gateway.until(lambda: kept(gateway) == [], 10, "the content is removed")
            # A whole conversation takes its files along.
            file = await asyncio.to_thread(upload, gateway, "ann")
            await share(ann, "r", file)
            async with await Client.connect(gateway.url, session={"token": token("boss", tokenType="app")}) as boss:
                await boss.call("conversation.delete", conversation="r")
            await gateway.until(lambda: kept(gateway) == [], 10, "the content is removed with the conversation")
        await gateway.until(lambda: gateway.metric("parley_file_bytes") == 0, 10, "the metric")
        await gateway.until(lambda: gateway.metric("parley_file_transfers_total") >= 6, 10, "transfers are counted")


class Raw:
    """A connection that says what it likes."""

    def __init__(self, gateway, user, length, type="text/plain", filename="raw", extra=""):
        self.socket = socket.create_connection(("127.0.0.1", gateway.port), timeout=40)
        head = f"POST /files?filename={filename} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token(user)}\r\n"
        self.socket.sendall(f"{head}Content-Type: {type}\r\n{length}\r\n{extra}\r\n".encode())

    def send(self, data):
        self.socket.sendall(data)

    def answer(self):
        """The status, or None where the connection ended without one."""
        data = b""
        with contextlib.suppress(ConnectionError):
            while b"\r\n\r\n" not in data and (piece := self.socket.recv(65536)):
                data += piece
        return int(data.split()[1]) if data else None

    def close(self):
        self.socket.close()


@case("what is wrong with an upload is said before its body comes")
async def wrong_uploads(gateway):
    with Checks() as check:
        for name, row in {
            "no token": dict(headers={}, status=401),
            "a bad token": dict(headers={"Authorization": "Bearer x.y.z"}, status=401),
            "no name": dict(filename="", status=400),
            "a path": dict(filename="../../etc/passwd", status=400),
            "a path of Windows": dict(filename="..\\x", status=400),
            "NUL": dict(filename="a\0b", status=400),
            "a name that turns around": dict(filename="a\u202egpj.exe", status=400),
            "a form": dict(type="multipart/form-data; boundary=x", status=415),
            "no type": dict(type="nonsense", status=400),
            "an unknown parameter": dict(path="x", status=400),
            "too much": dict(content=bytes(2_000_001), status=413),
            "nothing": dict(content=b"", status=400),
            "another origin": dict(headers={**bearer("wu"), "Origin": "https://evil.example"}, status=403),
            "another host": dict(headers={**bearer("wu"), "Host": "evil.example"}, status=400),
            "an origin that is let in": dict(headers={**bearer("wu"), "Origin": "https://chat.example"}, status=201),
        }.items():
            with check.row(name):
                await asyncio.to_thread(lambda: upload(gateway, "wu", **row))
        for name, length, status in (
            ("chunks", "Transfer-Encoding: chunked", 411),
            ("a huge length", f"Content-Length: {10**17}", 413),
            ("no length", "X: y", 400),
            ("two lengths", "Content-Length: 3\r\nContent-Length: 4", 400),
        ):
            with check.row(name):
                raw = Raw(gateway, "wu", length)
                equal(await asyncio.to_thread(raw.answer), status, "status")
                raw.close()
        for method, path, status in (
            ("PUT", "/files", 405), ("GET", "/files", 405), ("POST", "/files/x", 405), ("DELETE", "/files/x", 405),
            ("GET", "/files/../../etc/passwd", 404), ("GET", "/files/%2e%2e/parley.db", 404), ("GET", "/files/", 404),
            ("GET", "/files/" + "a" * 22, 404), ("GET", "/files/x?a=%ff", 400),
        ):
            with check.row(f"{method} {path}"):
                equal(ask(gateway, method, path, **bearer("wu"))[0], status, "status")
        status, headers, _ = ask(gateway, "OPTIONS", "/files", Origin="https://chat.example")
        equal((status, headers["Access-Control-Allow-Origin"]), (204, "https://chat.example"), "asked by a page before")
        equal(ask(gateway, "OPTIONS", "/files", Origin="https://evil.example")[0], 403, "by a foreign page")
    equal(incoming(gateway), [], "nothing is left")


@case("a client may wait for 100 Continue, send in pieces, and go on with another request")
async def continues(gateway):
    raw = Raw(gateway, "co", f"Content-Length: {len(PNG)}", "image/png", extra="Expect: 100-continue\r\n")
    equal(await asyncio.to_thread(raw.answer), 100, "the body is wanted")
    for start in range(0, len(PNG), 10_000):
        raw.send(PNG[start : start + 10_000])
        await asyncio.sleep(0)
    raw.send(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    data = b""
    while data.count(b"HTTP/1.1 ") < 2:
        data += await asyncio.to_thread(raw.socket.recv, 65536)
    equal(re.findall(rb"HTTP/1.1 (\d+)", data), [b"201", b"200"], "both answers")
    raw.close()


@case("types that lie are not believed, and nothing of a file runs")
async def polyglots(gateway):
    with Checks() as check:
        for name, content, type, served in (
            ("a page as an image", b"<html><script>alert(1)</script>", "image/png", "application/octet-stream"),
            ("an image with a page in it", PNG + b"<script>alert(1)</script>", "image/png", "image/png"),
            ("a GIF that is a script", b"GIF89a/*" + b"x" * 20 + b"*/=1;alert(1)", "image/gif", "image/gif"),
            ("SVG", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "image/svg+xml", "application/octet-stream"),
            ("HTML", b"<script>alert(1)</script>", "text/html", "application/octet-stream"),
            ("a script", b"alert(1)", "application/javascript", "application/octet-stream"),
        ):
            with check.row(name):
                file = await asyncio.to_thread(upload, gateway, "pg", content, type)
                status, headers, body = ask(gateway, "GET", f"/files/{file['fileToken']}", **bearer("pg"))
                equal((status, body, headers["Content-Type"]), (200, content, served), "what is served")
                equal(headers["X-Content-Type-Options"], "nosniff", "no guessing")
                equal("sandbox" in headers["Content-Security-Policy"], True, "a sandbox")
                kind = "inline" if served.startswith("image/") else "attachment"
                equal(headers["Content-Disposition"].split(";")[0], kind, "how it is opened")
                equal(file.get("subtype"), "image" if served.startswith("image/") else None, "subtype")


@case("half an upload leaves nothing: a client that goes, and one that is slow", seconds=90)
async def half(gateway):
    before = kept(gateway)
    raws = [Raw(gateway, f"half-{n}", "Content-Length: 500000") for n in range(8)]
    for raw in raws:
        raw.send(bytes(100_000))
    await gateway.until(lambda: len(incoming(gateway)) == 8, 10, "all are on their way")
    descriptors = gateway.descriptors()
    for raw in raws[1:]:
        raw.close()
    await gateway.until(lambda: len(incoming(gateway)) == 1, 10, "those that went are gone")
    await gateway.until(lambda: gateway.descriptors() <= descriptors - 14, 10, "and their descriptors")
    # The last one sends a byte now and then, or nothing.
    equal(await asyncio.to_thread(raws[0].answer), 408, "who sends nothing")
    equal(incoming(gateway), [], "nothing is left")
    equal(kept(gateway), before, "nothing came")


@case("an upload that kill -9 cuts off leaves nothing, and one that was answered stays")
async def killed():
    with Gateway() as gateway:
        file = upload(gateway, "ann")
        raw = Raw(gateway, "ann", "Content-Length: 500000")
        raw.send(bytes(100_000))
        await gateway.until(lambda: len(incoming(gateway)) == 1, 10, "it is on its way")
        # One that the store never heard of.
        orphan = gateway.folder / "files" / "ab" / ("ab" + "0" * 62)
        orphan.parent.mkdir(exist_ok=True)
        orphan.write_bytes(b"lost")
        gateway.kill()
        equal(len(incoming(gateway)), 1, "it is there")
        gateway.start()
        equal(incoming(gateway), [], "it is not any more")
        await gateway.until(lambda: not orphan.exists(), 10, "what nothing refers to is removed")
        equal(ask(gateway, "GET", f"/files/{file['fileToken']}", **bearer("ann"))[2], PNG, "what was answered")
        raw.close()


@case("limits: room for a user and for all, so many a minute, so many at once")
async def limits():
    settings = dict(FILES_MAX_BYTES=60_000, FILES_BYTES_PER_USER=100_000, FILES_TOTAL_BYTES=150_000, FILES_UPLOADS_PER_MINUTE=2)
    with Gateway(**settings, FILES_TYPES="text/*,image/png") as gateway:
        send = lambda user, letter, size, status, **more: asyncio.to_thread(
            upload, gateway, user, letter * size, "text/plain", status=status, **more)
        await send("ann", b"a", 60_000, 201)
        equal("bytesPerUser" in await send("ann", b"b", 50_000, 507), True, "room of a user")
        await send("ann", b"b", 40_000, 201)
        equal("minute" in await send("ann", b"c", 1, 429), True, "so many a minute")
        equal("totalBytes" in await send("bob", b"d", 60_000, 507), True, "room of all")
        await asyncio.to_thread(upload, gateway, "bob", b"x", "text/html", status=201)
        await asyncio.to_thread(upload, gateway, "bob", b"x", "video/mp4", status=415)
        raws = [Raw(gateway, "cem", "Content-Length: 10") for _ in range(2)]
        for raw in raws:
            raw.send(b"x")
        await gateway.until(lambda: len(incoming(gateway)) == 2, 10, "two run")
        for raw in raws:
            raw.close()


@case("a full disk: a clear answer, nothing is lost, and it goes on", seconds=60)
async def full_disk():
    with disk(24) as small, Gateway(folder=small.folder / "data", before_start=ignore_file_limit) as gateway:
        first = await asyncio.to_thread(upload, gateway, "ann")
        small.fill(gateway)
        refusal = await asyncio.to_thread(upload, gateway, "ann", os.urandom(2_000_000), "text/plain", status=507)
        equal("disk" in refusal, True, refusal)
        equal(incoming(gateway), [], "nothing is left")
        equal(ask(gateway, "GET", f"/files/{first['fileToken']}", **bearer("ann"))[2], PNG, "what was there")
        small.free(gateway)
        await gateway.until(lambda: gateway.status("/readyz") == 200, 15, "ready again")
        await asyncio.to_thread(upload, gateway, "ann", os.urandom(2_000_000), "text/plain")


@case("a large file goes in and out without being in memory, and who does not read it is let go", seconds=90)
async def large():
    with Gateway(FILES_MAX_BYTES=200_000_000) as gateway:
        content = os.urandom(1_000_000) * 100
        before = gateway.resident()
        file = await asyncio.to_thread(upload, gateway, "ann", content, "application/zip", "big.zip")
        lazy = [socket.create_connection(("127.0.0.1", gateway.port)) for _ in range(20)]
        for one in lazy:
            one.sendall(f"GET /files/{file['fileToken']} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token('ann')}\r\n\r\n".encode())
        status, _, body = await asyncio.to_thread(ask, gateway, "GET", f"/files/{file['fileToken']}", **bearer("ann"))
        equal((status, body == content), (200, True), "it comes back")
        grown = gateway.resident() - before
        equal(grown < 40_000_000, True, f"memory grew by {grown}")
        slow = lambda: int(re.search(rb'parley_connections_closed_total{cause="slow_reader"} (\d+)', gateway.get("/metrics")[2])[1])
        await gateway.until(lambda: slow() >= 20, 60, "who does not read is let go")
        for one in lazy:
            one.close()


@case("over TLS as well")
async def encrypted():
    with SecureGateway() as gateway:
        headers = {"Content-Type": "image/png", **bearer("ann")}
        with contextlib.closing(http.client.HTTPSConnection("127.0.0.1", gateway.port, context=trusting_all(), timeout=20)) as connection:
            connection.request("POST", "/files?filename=a", body=PNG * 10, headers=headers)
            file = json.loads(connection.getresponse().read())
            connection.request("GET", f"/files/{file['fileToken']}", headers=bearer("ann"))
            equal(connection.getresponse().read() == PNG * 10, True, "it comes back")
