#!/usr/bin/env python3
"""The chat page in a real browser, against a running gateway that lets guests in.

    pip install playwright
    python3 Tests/EndToEnd/page_test.py http://127.0.0.1:8080

Takes the browser at the path in CHROMIUM, else the one that `playwright install chromium` fetched. Exit 0 when every check holds.
"""

import contextlib
import json
import os
import sys
import time

from playwright.sync_api import expect, sync_playwright

PATIENCE_MS = 10_000


class Window:
    """One window of the page: what a person does in it, and what it sends."""

    def __init__(self, browser, url, complaints, **options):
        self.context = browser.new_context(**{"viewport": {"width": 900, "height": 500}, "locale": "en-GB", **options})
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.url = url
        self.calls = []
        self.page.on("console", lambda message: self.complain(complaints, message))
        self.page.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
        self.page.on("requestfailed", lambda request: complaints.append(f"request failed: {request.url}"))
        self.page.on("websocket", lambda socket: socket.on("framesent", self.note))
        self.page.goto(url)

    @staticmethod
    def complain(complaints, message):
        if message.type in ("error", "warning") or "Content Security Policy" in message.text:
            complaints.append(f"console {message.type}: {message.text}")

    def note(self, frame):
        call = json.loads(frame)
        self.calls.append((call["method"], call.get("params") or {}))

    def called(self, method):
        return [params for name, params in self.calls if name == method]

    def part(self, name):
        return self.page.get_by_test_id(name)

    def join(self, name, channel):
        self.part("name").fill(name)
        self.part("channel").fill(channel)
        self.part("join").click()
        self.wait_for_room()

    def wait_for_room(self):
        expect(self.part("status")).to_have_text("Online", timeout=PATIENCE_MS)

    def write(self, text):
        self.part("input").fill(text)
        self.part("input").press("Enter")

    def message(self, text):
        return self.part("message").filter(has_text=text)

    def sees(self, text):
        expect(self.message(text)).to_have_count(1, timeout=PATIENCE_MS)

    def texts(self):
        return self.page.locator("[data-testid=message] .bubble").all_inner_texts()


@contextlib.contextmanager
def window(*arguments, **options):
    opened = Window(*arguments, **options)
    try:
        yield opened
    finally:
        opened.context.close()


def press_until_focused(opened, key, target):
    """Moves by the keyboard alone; a circle of fifty stops without the target means it cannot be reached."""
    for _ in range(50):
        if target.evaluate("element => element === document.activeElement"):
            return
        opened.page.keyboard.press(key)
    raise AssertionError(f"{target} is not reached with {key}")


def two_people_chat(browser, url, complaints, channel):
    with window(browser, url, complaints) as ann, window(browser, url, complaints) as bob:
        ann.join("Ann", channel)
        expect(ann.part("title")).to_have_text(channel)
        bob.join("Bob", channel)
        expect(ann.part("people")).to_contain_text("Bob")

        bob.part("input").press_sequentially("Hel")
        expect(ann.part("typing")).to_have_text("Bob is typing…")
        bob.write("Hello, Ann")
        ann.sees("Hello, Ann")
        expect(ann.part("typing")).to_have_text("")
        ann.part("input").fill("Hello, Bob")
        ann.part("send").click()
        bob.sees("Hello, Bob")
        assert "own" in ann.message("Hello, Bob").get_attribute("class"), "own messages are marked as own"
        assert "own" not in bob.message("Hello, Bob").get_attribute("class"), "messages of others are not"
        expect(ann.message("Hello, Bob")).to_contain_text("Read by everyone")

        markup = "<img src=x onerror=alert(1)><b>not bold</b>"
        bob.write(markup)
        ann.sees(markup)
        assert ann.page.locator(".bubble img, .bubble b").count() == 0, "text of people is never markup"

        keys = [params["clientMessageId"] for opened in (ann, bob) for params in opened.called("conversation.send")]
        assert len(keys) == 3 and len(set(keys)) == 3, "every send has its own clientMessageId"
        assert len(bob.called("conversation.startTyping")) <= 2, "typing is told at most every three seconds"
        assert len(ann.called("conversation.markAsRead")) <= 2, "reading is told once for each message of others at most"


def nothing_is_not_sent(browser, url, complaints, channel):
    with window(browser, url, complaints) as ann:
        ann.join("Ann", channel)
        for text in ("", "   ", "\n \t\n", "\u00a0\u2003"):
            ann.part("input").fill(text)
            expect(ann.part("send")).to_be_disabled()
            ann.part("input").press("Enter")
        ann.write("something")
        ann.sees("something")
        sends = ann.called("conversation.send")
        assert [params["text"] for params in sends] == ["something"], f"only text is sent: {sends}"


def names_have_defaults(browser, url, complaints):
    with window(browser, url, complaints) as moose:
        moose.part("join").click()
        moose.wait_for_room()
        expect(moose.part("title")).to_have_text("General")
        assert moose.called("session.open")[0]["guest"]["name"] == "A Naughty Moose", "an empty name has its default"


def history_stays(browser, url, complaints, channel):
    with window(browser, url, complaints) as ann:
        ann.join("Ann", channel)
        for number in range(34):
            ann.write(f"line {number:02}.")
        ann.sees("line 33.")
        expect(ann.page.locator(".pending")).to_have_count(0, timeout=PATIENCE_MS)

        ann.page.reload()
        ann.wait_for_room()
        ann.sees("line 33.")
        assert "own" in ann.message("line 33.").get_attribute("class"), "a reload is the same person"
        expect(ann.part("message")).to_have_count(10)
        older_by_scrolling(ann)

        ann.part("leave").click()
        expect(ann.part("join")).to_be_visible()
        left = {params["topic"].split(":")[0] for params in ann.called("unsubscribe")}
        assert left == {"conversation", "messages", "typing", "participants"}, f"leaving unsubscribes from all: {left}"
        ann.part("join").click()
        ann.wait_for_room()
        ann.sees("line 33.")
        expect(ann.part("message")).to_have_count(10)


# Scrolls up in a burst, as a wheel or a finger does, and tells which message was the first and where it stood.
BURST = """element => {
  for (let turn = 0; turn < 5; turn += 1) {
    element.scrollTop = 40 - turn * 8;
    element.dispatchEvent(new Event("scroll"));
    element.dispatchEvent(new WheelEvent("wheel", { deltaY: -40 }));
  }
  const first = element.querySelector("[data-testid=message]");
  return { id: first.dataset.id, bottom: first.getBoundingClientRect().bottom };
}"""


def older_by_scrolling(ann):
    """A burst at the top asks for one page, and what is in sight stays in its place."""
    for shown in (20, 30, 34):
        before = len(ann.called("loadMore"))
        first = ann.page.locator("#scroller").evaluate(BURST)
        expect(ann.part("message")).to_have_count(shown, timeout=PATIENCE_MS)
        pages = ann.called("loadMore")[before:]
        assert len(pages) == 1 and pages[0]["count"] == 10, f"one page of ten for one pull: {pages}"
        row = ann.page.locator(f"[data-id='{first['id']}']")
        bottom = row.evaluate("element => element.getBoundingClientRect().bottom")
        assert abs(bottom - first["bottom"]) <= 2, f"the place is kept: {first['bottom']} became {bottom}"
    numbers = [int(text.split()[1].rstrip(".")) for text in ann.texts()]
    assert numbers == list(range(34)), f"every message once and in order: {numbers}"
    expect(ann.part("older")).to_be_hidden()


def keyboard_is_enough(browser, url, complaints, channel):
    with window(browser, url, complaints) as ann:
        keys = ann.page.keyboard
        expect(ann.part("name")).to_be_focused()
        keys.type("Keyboard Ann")
        keys.press("Tab")
        keys.type(channel)
        keys.press("Enter")
        ann.wait_for_room()
        expect(ann.part("input")).to_be_focused()
        keys.type("first line")
        keys.press("Shift+Enter")
        keys.type("second line")
        keys.press("Enter")
        ann.sees("second line")
        assert ann.called("conversation.send")[0]["text"] == "first line\nsecond line", "Shift and Enter is a new line"

        expect(ann.page.locator(".pending")).to_have_count(0)
        menu = ann.page.get_by_role("button", name="Message actions")
        press_until_focused(ann, "Shift+Tab", menu)
        keys.press("Enter")
        keys.press("Enter")
        expect(ann.part("input")).to_be_focused()
        keys.press("ControlOrMeta+A")
        keys.type("changed")
        keys.press("Enter")
        expect(ann.message("changed")).to_contain_text("Edited")

        press_until_focused(ann, "Shift+Tab", ann.part("leave"))
        keys.press("Enter")
        expect(ann.part("channel")).to_be_focused()


def formatting_is_shown(browser, url, complaints, channel):
    """What people type becomes elements, never markup of the page; editing gives back what was typed."""
    typed = "*bold _both_* `code` https://example.com/x\n- one\n- two\n```js\n<b>&\n```\n<img src=x onerror=alert(1)>"
    with window(browser, url, complaints) as ann, window(browser, url, complaints) as bob:
        ann.join("Ann", channel)
        bob.join("Bob", channel)
        ann.write(typed)
        bob.sees("both")
        bubble = bob.message("both").locator(".bubble")
        expect(bubble.locator("strong")).to_have_text("bold both")
        expect(bubble.locator("strong em")).to_have_text("both")
        expect(bubble.locator("li")).to_have_text(["one", "two"])
        expect(bubble.locator("pre code")).to_have_text("<b>&")
        expect(bubble.locator("b, img")).to_have_count(0)
        link = bubble.locator("a")
        expect(link).to_have_attribute("href", "https://example.com/x")
        expect(link).to_have_attribute("rel", "noopener noreferrer")

        expect(ann.page.locator(".pending")).to_have_count(0)
        ann.page.get_by_role("button", name="Message actions").click()
        ann.page.get_by_text("Edit", exact=True).click()
        expect(ann.part("input")).to_have_value(typed)
        ann.part("input").press("Enter")
        expect(bob.message("both")).to_contain_text("Edited")
        expect(bubble.locator("strong em")).to_have_text("both")


def people_react_and_pin(browser, url, complaints, channel):
    with window(browser, url, complaints) as ann, window(browser, url, complaints) as bob:
        ann.join("Ann", channel)
        bob.join("Bob", channel)
        ann.write("shall we?")
        bob.sees("shall we?")
        keys = bob.page.keyboard
        more = bob.page.get_by_role("button", name="Message actions")
        press_until_focused(bob, "Shift+Tab", more)
        keys.press("Enter")
        expect(bob.page.get_by_role("menuitem", name="Edit")).to_have_count(0)
        expect(bob.page.get_by_role("menuitem", name="Pin")).to_be_focused()
        keys.press("ArrowDown")
        keys.press("ArrowRight")
        expect(bob.page.get_by_role("menuitem", name="React with ❤️")).to_be_focused()
        keys.press("Enter")
        theirs, own = ann.message("shall we?").get_by_test_id("reaction"), bob.message("shall we?").get_by_test_id("reaction")
        expect(own).to_have_text("❤️ 1")
        expect(own).to_have_attribute("aria-pressed", "true")
        expect(theirs).to_have_text("❤️ 1")
        expect(theirs).to_have_attribute("aria-pressed", "false")
        theirs.click()
        expect(own).to_have_text("❤️ 2")
        expect(theirs).to_have_attribute("aria-pressed", "true")
        press_until_focused(bob, "Shift+Tab", own)
        keys.press("Enter")
        expect(own).to_have_text("❤️ 1")
        expect(own).to_have_attribute("aria-pressed", "false")
        expect(own).to_be_focused()
        keys.press("Enter")
        expect(theirs).to_have_text("❤️ 2")
        emojis = [params["emoji"] for params in bob.called("message.addReaction")]
        assert emojis == ["❤️", "❤️"] and len(bob.called("message.removeReaction")) == 1, f"{bob.calls}"

        press_until_focused(bob, "Tab", more)
        keys.press("Enter")
        keys.press("Enter")
        for opened in (ann, bob):
            expect(opened.part("pinned")).to_contain_text("Ann shall we?")
        ann.write("wait")
        bob.sees("wait")
        press_until_focused(ann, "Shift+Tab", ann.part("unpin"))
        ann.page.keyboard.press("Enter")
        expect(bob.part("pinned")).to_be_hidden()
        expect(ann.part("input")).to_be_focused()


def small_screens_fit(browser, url, complaints, channel):
    with window(browser, url, complaints, viewport={"width": 320, "height": 568}, color_scheme="dark") as ann:
        ann.join("Ann", channel)
        ann.write("w" * 400)
        ann.sees("w" * 400)
        wide = ann.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, "nothing is wider than the screen"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: page_test.py URL")
    url = sys.argv[1].rstrip("/") + "/"
    complaints = []
    run = f"{time.time_ns():x}"[-8:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=["--no-sandbox"])
        checks = [
            ("two people chat", lambda: two_people_chat(browser, url, complaints, f"Two {run}")),
            ("nothing is not sent", lambda: nothing_is_not_sent(browser, url, complaints, f"Nothing {run}")),
            ("names have defaults", lambda: names_have_defaults(browser, url, complaints)),
            ("history stays", lambda: history_stays(browser, url, complaints, f"History {run}")),
            ("keyboard is enough", lambda: keyboard_is_enough(browser, url, complaints, f"Keys {run}")),
            ("formatting is shown", lambda: formatting_is_shown(browser, url, complaints, f"Format {run}")),
            ("people react and pin", lambda: people_react_and_pin(browser, url, complaints, f"React {run}")),
            ("small screens fit", lambda: small_screens_fit(browser, url, complaints, f"Small {run}")),
        ]
        for name, check in checks:
            check()
            print(f"ok: {name}", flush=True)
        browser.close()
    assert not complaints, "the browser complained: " + "; ".join(complaints)
    print("ok: no complaint of the browser")


if __name__ == "__main__":
    main()
