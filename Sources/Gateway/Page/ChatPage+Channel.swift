extension ChatPage {
  /// The channel drawn from what is known of it.
  static let channelScript = #"""
    // MARK: Showing the channel

    const isAtEnd = () => ui.scroller.scrollHeight - ui.scroller.scrollTop - ui.scroller.clientHeight < 64;

    function toEnd() {
      ui.scroller.scrollTop = ui.scroller.scrollHeight;
      if (room) room.unseen = 0;
      ui.newer.hidden = true;
    }

    function listNames(names) {
      if (names.length < 2) return names.join("");
      return names.slice(0, -1).join(", ") + " and " + names[names.length - 1];
    }

    function typingLine(typing) {
      if (!typing) return "";
      if (typing.many || typing.users.length > 2) return "Several people are typing…";
      const names = typing.users.map(nameOf);
      if (names.length === 0) return "";
      return `${listNames(names)} ${names.length === 1 ? "is" : "are"} typing…`;
    }

    function titleOf(conversation, participants) {
      if (conversation.subject) return conversation.subject;
      const others = participants.map(({ user }) => user).filter((user) => user.id !== me.id).map(nameOf);
      return listNames(others.slice(0, 4)) || conversation.id;
    }

    function peopleLine(participants) {
      const others = participants.map(({ user }) => user).filter((user) => user.id !== me.id).map(nameOf).reverse();
      if (!room.allParticipants) return others.join(", ") + " and more";
      return others.length === 0 ? "Only you" : listNames([...others, "you"]);
    }

    // The messages of the list, then those on their way, oldest first.
    function entriesOfRoom() {
      const shown = new Set(room.messages.map((message) => message.id));
      const entries = outbox();
      for (const entry of entries.slice()) {
        const isThere = entry.state === "sent" && (entry.message === null || shown.has(entry.message.id));
        if (isThere) entries.splice(entries.indexOf(entry), 1);
      }
      const list = room.messages.slice().reverse().map((message) => ({ message, entry: null }));
      for (const entry of entries) {
        if (entry.guess && shown.has(entry.guess)) continue;
        const message = entry.message || {
          id: "", sender: me, createdAt: entry.createdAt, editedAt: null, referencedMessage: null, plaintext: entry.text,
          content: [{ type: "text", children: [entry.text] }], reactions: [],
        };
        list.push({ message, entry });
      }
      return list;
    }

    const FIVE_MINUTES = 300000;

    function continues(previous, message) {
      return Boolean(previous && previous.sender && message.sender) && previous.sender.id === message.sender.id
        && message.createdAt - previous.createdAt < FIVE_MINUTES && dayOf(previous.createdAt) === dayOf(message.createdAt);
    }

    function noteOf(message, entry, isLastOwn) {
      if (entry && entry.state === "failed") return `Not sent. ${entry.error}`;
      if (entry && entry.state === "pending") return "Sending…";
      const read = room.conversation.everyoneReadUntil;
      if (!isLastOwn || read === null || room.participants.length < 2) return "";
      return read >= message.createdAt ? "Read by everyone" : "Sent";
    }

    function rowsOfRoom() {
      const list = entriesOfRoom();
      const rows = [];
      const lastOwn = list.reduce((found, item) => (item.message.sender && item.message.sender.id === me.id ? item : found), null);
      list.forEach((item, index) => {
        const { message, entry } = item;
        const previous = index > 0 ? list[index - 1].message : null;
        const next = index + 1 < list.length ? list[index + 1].message : null;
        if (!previous || dayOf(previous.createdAt) !== dayOf(message.createdAt)) {
          const day = dayName(message.createdAt);
          rows.push({ key: "day:" + dayOf(message.createdAt), day, signature: day });
        }
        const own = message.sender !== null && message.sender.id === me.id;
        const state = entry && entry.state !== "sent" ? entry.state : "";
        const note = own ? noteOf(message, entry, item === lastOwn) : "";
        const follows = continues(previous, message);
        const last = !next || !continues(message, next) || message.editedAt !== null;
        rows.push({
          // A message keeps the row it had while it was on its way.
          key: "m:" + (entry ? entry.clientMessageId : room.sent.get(message.id) || message.id),
          signature: JSON.stringify([message, own, state, note, follows, last]),
          message, own, state, note, follows, last,
          menu: message.id !== "" && message.sender !== null && state === "" ? () => makeMenuButton(message, own) : null,
          react: (emoji, isAdded) => react(message, emoji, isAdded),
          actions: state === "failed" ? () => [makeRetry(entry), makeButton("link", "Discard", () => discard(entry))] : null,
        });
      });
      return rows;
    }

    function makeRetry(entry) {
      const button = makeButton("link", "Try again", () => retry(entry));
      button.dataset.testid = "retry";
      return button;
    }

    function render() {
      if (!room || !room.conversation) return;
      const { conversation, participants, messages } = room;
      const title = titleOf(conversation, participants);
      ui.title.textContent = title;
      document.title = (conversation.unreadMessageCount > 0 ? `(${conversation.unreadMessageCount}) ` : "") + title;
      setText(ui.people, peopleLine(participants));
      ui.people.title = ui.people.textContent;
      setText(ui.typing, typingLine(room.typing));
      renderWelcome(conversation.welcomeMessages || []);
      renderPinned(conversation.pinnedMessage);
      if (messages === null) return;

      const wasAtEnd = isAtEnd();
      const anchor = wasAtEnd ? null : anchorNow();
      ui.older.hidden = room.loadedAll || room.capped;
      setText(ui.older, room.loading ? "Loading…" : "Earlier messages");
      ui.cap.hidden = !room.capped;
      const focused = ui.list.contains(document.activeElement) ? document.activeElement : null;
      const place = focused && { key: focused.closest("[data-key]").dataset.key, emoji: focused.dataset.emoji };
      const rows = rowsOfRoom();
      reconcile(ui.list, rows, made);
      if (place && !ui.list.contains(document.activeElement)) focusAgain(place);
      ui.empty.hidden = rows.length > 0;
      ui.empty.textContent = `Nothing has been said in ${title} yet. Say hello.`;

      if (wasAtEnd) toEnd();
      else holdTo(anchor);
      lastTop = ui.scroller.scrollTop;
      ui.newer.hidden = room.unseen === 0;
      setText(ui.newer, room.unseen === 1 ? "1 new message" : `${room.unseen} new messages`);
    }

    // Who reacts by keyboard stays where they were, though the message is made anew.
    function focusAgain({ key, emoji }) {
      const row = made.get(key);
      const chips = row ? [...row.element.querySelectorAll("[data-emoji]")] : [];
      const again = emoji && (chips.find((chip) => chip.dataset.emoji === emoji) || row && row.element.querySelector(".more > button"));
      (again || ui.input).focus();
    }

    function renderPinned(message) {
      const signature = JSON.stringify(message);
      if (ui.pinned.dataset.signature === signature) return;
      ui.pinned.dataset.signature = signature;
      const hadFocus = ui.pinned.contains(document.activeElement);
      ui.pinned.hidden = message === null;
      if (message === null) {
        ui.pinned.replaceChildren();
        if (hadFocus) ui.input.focus();
        return;
      }
      const show = makeButton("pinned-text", make("b", "", message.sender ? nameOf(message.sender) : "System"), () => showPinned(message));
      show.append(" ", message.plaintext || "(no text)");
      const unpin = makeButton("link", "Unpin", () => change("conversation.unpin", {}));
      unpin.dataset.testid = "unpin";
      ui.pinned.replaceChildren(show, unpin);
    }

    // The message itself, where the list reaches so far back.
    function showPinned(message) {
      const row = [...ui.list.children].find((element) => element.dataset.id === message.id);
      if (row) row.scrollIntoView({ block: "center" });
    }

    // Live regions speak on every change, so nothing is set to what it was.
    function setText(element, text) {
      if (element.textContent !== text) element.textContent = text;
    }

    function renderWelcome(welcome) {
      const signature = JSON.stringify(welcome);
      if (ui.welcome.dataset.signature === signature) return;
      ui.welcome.dataset.signature = signature;
      ui.welcome.hidden = welcome.length === 0;
      ui.welcome.replaceChildren(...welcome.map((text) => make("li", "", text)));
    }

    // The first message in sight stays where it is while others come in above it. Its lower edge counts: its name may go,
    // and its element may be made anew.
    function anchorNow() {
      const edge = ui.scroller.getBoundingClientRect().top;
      for (const element of ui.list.children) {
        const { bottom } = element.getBoundingClientRect();
        if (bottom > edge && element.dataset.testid) return { key: element.dataset.key, bottom };
      }
      return null;
    }

    function holdTo(anchor) {
      const row = anchor && made.get(anchor.key);
      if (row) ui.scroller.scrollTop += row.element.getBoundingClientRect().bottom - anchor.bottom;
    }
    """#
}
