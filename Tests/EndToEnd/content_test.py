"""What messages say: markup, nodes, locations, mentions, permissions."""

from checks import Checks, case, equal, show
from client import Client, RPCError, connected, refused
from gateway import Gateway
from tokens import token

CONFIG = """{
  roles: {
    default: {},
    linker: { links: true },
    homebody: { locations: false },
  },
}"""
SETTINGS = {"config": CONFIG}


def text(*children):
    return [{"type": "text", "children": list(children)}]


def node(type, *children, **members):
    return {"type": type, **members, "children": list(children)}


# What is typed, what it becomes, and what is left without markup.
TYPED = [
    ("plain", ["plain"], "plain"),
    ("*a* _b_ ~c~", [node("bold", "a"), " ", node("italic", "b"), " ", node("strikethrough", "c")], "a b c"),
    ("*a _b_*", [node("bold", "a ", node("italic", "b"))], "a b"),
    ("snake_case 2*3*4 **x**", ["snake_case 2*3*4 **x**"], "snake_case 2*3*4 **x**"),
    ("`*a*`", [{"type": "codeSpan", "text": "*a*"}], "*a*"),
    ("x\n```py\na\n\nb\n```\ny", ["x", {"type": "codeBlock", "text": "a\n\nb", "language": "py"}, "y"], "x\na\n\nb\ny"),
    ("x\n- a\n* b", ["x", node("bulletList", node("bulletPoint", "a"), node("bulletPoint", "b"))], "x\na\nb"),
    (
        "see https://a.example/b.",
        ["see ", {"type": "autoLink", "url": "https://a.example/b", "text": "https://a.example/b"}, "."],
        "see https://a.example/b.",
    ),
    ("www.a.example", [{"type": "autoLink", "url": "https://www.a.example", "text": "www.a.example"}], "www.a.example"),
    ("a@b.example", [{"type": "autoLink", "url": "mailto:a@b.example", "text": "a@b.example"}], "a@b.example"),
    ("<@content> <@nobody>", [{"type": "mention", "id": "content", "text": "@content"}, " <@nobody>"], "@content <@nobody>"),
    ("<script>alert(1)</script>", ["<script>alert(1)</script>"], "<script>alert(1)</script>"),
]

# Content that comes back as it was sent, and its plain text.
SENT = [
    (text(node("bold", "a", node("italic", "b"))), "ab"),
    (text("*a*"), "*a*"),
    (text(node("blockquote", "a"), "b"), "a\nb"),
    (text(node("bulletList", node("bulletPoint", "a"), node("bulletPoint", "b"))), "a\nb"),
    (text({"type": "codeBlock", "text": "a", "language": "js"}, {"type": "codeBlock", "text": "b"}), "a\nb"),
    (text({"type": "emoji", "text": "👍"}, {"type": "customEmoji", "text": ":wave:"}, {"type": "suppressed", "text": "***"}), "👍:wave:***"),
    (text({"type": "autoLink", "url": "https://a.example/b?c", "text": "a.example"}), "a.example"),
    (text({"type": "autoLink", "url": "tel:+4312345", "text": "+43 1 23-45"}), "+43 1 23-45"),
    (text({"type": "mention", "id": "content", "text": "@content"}), "@content"),
    (text({"type": "table", "children": ["a"], "columns": [1, {"x": None}], "é": "ü"}), "a"),
    (text({"type": "sticker", "text": "b", "id": 7.5}), "b"),
    ([{"type": "location", "latitude": -90, "longitude": 180}], ""),
    ([{"type": "location", "latitude": 48.2, "longitude": 16.37}], ""),
]


def nested(depth):
    return "a" if depth == 0 else node("bold", nested(depth - 1))


# Content that is refused, with the code and the field.
REFUSED = [
    ([], -32602, "content"),
    (text("a") + text("b"), -32602, "content"),
    (text(), -32602, "content"),
    (text(node("bold", " ")), -32602, "content"),
    ([{"type": "file", "fileToken": "x"}], -32602, "content[0].fileToken"),
    ([{"type": "nope", "text": "x"}], -32602, "content[0].type"),
    ([{"type": "location", "latitude": 90.01, "longitude": 0}], -32602, "content[0].latitude"),
    ([{"type": "location", "latitude": 0, "longitude": -180.01}], -32602, "content[0].longitude"),
    ([{"type": "location", "latitude": 0}], -32602, "content[0].longitude"),
    (text("a", 1), -32602, "content[0].children[1]"),
    (text({"type": "bold"}), -32602, "content[0].children[0].children"),
    (text({"type": "codeSpan", "text": "a", "x": 1}), -32602, "content[0].children[0].x"),
    (text({"type": "nope"}), -32602, "content[0].children[0].type"),
    (text({"type": "autoLink", "url": "https://evil.example", "text": "bank.example"}), -32602, "content[0].children[0].url"),
    (text({"type": "autoLink", "url": "javascript:alert(1)", "text": "a"}), -32602, "content[0].children[0].url"),
    (text({"type": "mention", "id": "a:b"}), -32602, "content[0].children[0].id"),
    (text(node("bulletList", "a")), -32602, "content[0].children[0].children[0]"),
    (text({"type": "emoji", "text": "x" * 51}), 107, "content[0].children[0].text"),
    (text({"type": "customEmoji", "text": "wave"}), -32602, "content[0].children[0].text"),
    (text({"type": "codeBlock", "text": "a", "language": "x" * 65}), 107, "content[0].children[0].language"),
    (text("a" * 6000, node("bold", "a" * 4001)), 107, "content"),
    (text(*[node("bold", "a")] * 501), 107, "content"),
    (text(*[{"type": "mention", "id": "a"}] * 51), 107, "content"),
    (text(nested(9)), 107, "content[0].children[0]" + ".children[0]" * 8),
    (text(node("link", "a", url="https://a.example")), 101, "content[0].children[0]"),
    (text("a", node("bold", node("actionLink", "a", action="x"))), 101, "content[0].children[1].children[0]"),
    (text({"type": "table", "children": [node("actionButton", "a", action="x")]}), 101, "content[0].children[0].children[0]"),
]


async def send(client, **params):
    return (await client.call("conversation.send", conversation="content", **params))["message"]


@case("markup becomes nodes, in new messages and in edits")
async def typed(gateway):
    async with connected(gateway, "content") as client:
        await client.call("conversation.createIfNotExists", conversation="content")
        edited = await send(client, text="edited")
        with Checks() as check:
            for source, children, plain in TYPED:
                sent = await send(client, text=source)
                check.equal([sent["content"], sent["plaintext"]], [text(*children), plain], source)
                edit = await client.call("message.edit", conversation="content", message=edited["id"], text=source)
                check.equal([edit["message"]["content"], edit["message"]["plaintext"]], [text(*children), plain], f"{source}, edited")


@case("content comes back as it was sent, from memory and from the disk")
async def sent_content():
    with Gateway(config=CONFIG) as gateway:
        async with connected(gateway, "content") as client:
            await client.call("conversation.createIfNotExists", conversation="content")
            edited = await send(client, text="edited")
            with Checks() as check:
                for number, (content, plain) in enumerate(SENT):
                    for duplicate in (False, True):
                        sent = await client.call(
                            "conversation.send", conversation="content", content=content, clientMessageId=f"{number}"
                        )
                        check.equal(sent["duplicate"], duplicate, f"{show(content)}: the same request")
                        check.equal([sent["message"]["content"], sent["message"]["plaintext"]], [content, plain], show(content))
                    edit = await client.call("message.edit", conversation="content", message=edited["id"], content=content)
                    check.equal(edit["message"]["content"], content, f"{show(content)}, edited")
            page = await client.call("conversation.history", conversation="content", limit=len(SENT))
            equal([item["content"] for item in page["messages"]], [content for content, _ in reversed(SENT)], "the history")
        gateway.kill()
        gateway.start()
        async with connected(gateway, "content") as client:
            again = await client.call("conversation.history", conversation="content", limit=len(SENT))
            equal(again, page, "after a restart")


@case("bad content is refused, and the error names the place")
async def refusals(gateway):
    async with connected(gateway, "content") as client:
        await client.call("conversation.createIfNotExists", conversation="content")
        message = (await send(client, text="there"))["id"]
        with Checks() as check:
            for content, code, field in REFUSED:
                for method, params in (("conversation.send", {}), ("message.edit", {"message": message})):
                    try:
                        await client.call(method, conversation="content", content=content, **params)
                        got = None
                    except RPCError as error:
                        got = (error.code, error.field)
                    check.equal(got, (code, field), f"{method} {show(content)[:200]}")
        there = await client.call("message.get", conversation="content", message=message)
        equal((there["message"]["plaintext"], there["message"]["editedAt"]), ("there", None), "nothing was changed")


@case("links and locations by the role's permission")
async def permissions(gateway):
    link = text("see ", node("link", node("bold", "here"), url="https://a.example"), node("actionButton", "Go", action="go", params={"k": "v"}))
    place = [{"type": "location", "latitude": 0, "longitude": 0}]

    async def connect(user, **claims):
        client = await Client.connect(gateway.url, session={"token": token(user, **claims)})
        await client.call("conversation.createIfNotExists", conversation="content")
        return client

    async with await connect("linker", role="linker") as linker, await connect("homebody", role="homebody") as homebody:
        sent = await send(linker, content=link)
        equal((sent["content"], sent["plaintext"]), (link, "see hereGo"), "a link")
        for url in ("javascript:alert(1)", "data:text/html,x", "/relative", "https://bank.example@evil.example", "https://a.example/" + "x" * 1990):
            code = 107 if len(url) > 2000 else -32602
            await refused(send(linker, content=text(node("link", "a", url=url))), code, field="content[0].children[0].url")
        inside = text(node("link", {"type": "autoLink", "url": "https://a.example", "text": "a.example"}, url="https://a.example"))
        await refused(send(linker, content=inside), -32602, field="content[0].children[0].children[0]")
        await refused(send(homebody, content=place), 101, field="content[0]")
        equal((await send(linker, content=place))["content"], place, "a location")
    async with await Client.connect(gateway.url, session={"token": token("backend", tokenType="app")}) as backend:
        equal((await send(backend, content=link, actAs="linker"))["content"], link, "the application")


@case("a mention shows the name as it is, in messages, quotes and lists")
async def mentions(gateway):
    async with connected(gateway, "content", "mentioned") as (client, mentioned):
        for each in (client, mentioned):
            await each.call("conversation.createIfNotExists", conversation="mentions")
        topics = ("messages:mentions", "conversation:mentions", "conversations")
        for topic in topics:
            await client.call("subscribe", topic=topic)
        first = (await client.call("conversation.send", conversation="mentions", text="Hi *<@mentioned>*"))["message"]
        equal(first["plaintext"], "Hi @mentioned", "the text")
        await client.call("conversation.send", conversation="mentions", text="<@mentioned>", referencedMessage=first["id"])

        def shown():
            """The texts of the newest message and of what it quotes, in each topic."""
            lasts = [client.latest(topic) for topic in topics]
            if not all(lasts):
                return []
            messages, one, several = [last["snapshot"] for last in lasts]
            lasts = [messages[0], one["lastMessage"], several[0]["lastMessage"]]
            return [(last["plaintext"], (last["referencedMessage"] or {}).get("plaintext")) for last in lasts if last]

        async def see(name):
            await client.wait_for(lambda: shown() == [(f"@{name}", f"Hi @{name}")] * 3, f"{name}, not {shown()}")

        await see("mentioned")
        await mentioned.call("user.set", user="mentioned", name="New Name")
        await see("New Name")
        await mentioned.call("participant.delete", conversation="mentions", user="mentioned")
        after = (await client.call("conversation.send", conversation="mentions", text="<@mentioned>"))["message"]
        equal(after["plaintext"], "<@mentioned>", "who is no participant is text")
        history = (await client.call("conversation.history", conversation="mentions"))["messages"]
        equal([item["plaintext"] for item in history[1:]], ["@New Name", "Hi @New Name"], "who left keeps the name")
