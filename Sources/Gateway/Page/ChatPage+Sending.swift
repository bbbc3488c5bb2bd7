extension ChatPage {
  /// Sending with retries, editing, typing, reading, older messages.
  static let sendingScript = #"""
    // MARK: Sending

    function send() {
      const text = ui.input.value;
      if (!room || text.trim() === "") return;
      const longest = connection.hello ? connection.hello.limits.maxTextLength : 10000;
      const excess = Array.from(text).length - longest;
      if (excess > 0) {
        showNotice(`That is too long by ${excess} ${excess === 1 ? "character" : "characters"}.`);
        return;
      }
      showNotice("");
      room.typedAt = 0;
      room.leased = false;
      if (room.editing) {
        saveEdit(text);
      } else {
        const entry = {
          clientMessageId: randomName(""), text, createdAt: Date.now(), state: "pending", error: "", message: null, guess: null,
        };
        outbox().push(entry);
        transmit(entry);
        render();
        toEnd();
      }
      ui.input.value = "";
      fitInput();
    }

    // The same id goes with every attempt, so a message is never there twice.
    async function transmit(entry) {
      const within = room;
      entry.state = "pending";
      try {
        const { clientMessageId, text } = entry;
        const reply = await connection.request("conversation.send", { conversation: within.id, text, clientMessageId });
        if (entry.guess !== null) within.sent.delete(entry.guess);
        if (reply.message) within.sent.set(reply.message.id, clientMessageId);
        entry.guess = null;
        entry.message = reply.message;
        entry.state = "sent";
      } catch (error) {
        if (error.key === "disconnected") return;
        entry.state = "failed";
        entry.error = error.message;
        entry.guess = null;
      }
      if (room === within) render();
    }

    function retry(entry) {
      transmit(entry);
      render();
      ui.input.focus();
    }

    function discard(entry) {
      const entries = outbox();
      entries.splice(entries.indexOf(entry), 1);
      render();
      ui.input.focus();
    }

    function beginEdit(message) {
      room.editing = message;
      ui.editing.hidden = false;
      ui.sendLabel.textContent = "Save";
      ui.input.value = message.content.map((block) => sourceOf(block.children)).join("\n").trim();
      fitInput();
      ui.input.focus();
    }

    function endEdit() {
      if (room) room.editing = null;
      ui.editing.hidden = true;
      ui.sendLabel.textContent = "Send";
      ui.input.value = "";
      fitInput();
    }

    async function saveEdit(text) {
      const message = room.editing;
      endEdit();
      if (await change("message.edit", { message: message.id, text })) return;
      // What was written is not lost, unless something else is being written by now.
      if (!room || ui.input.value !== "") return;
      beginEdit(message);
      ui.input.value = text;
      fitInput();
    }

    async function change(method, params) {
      try {
        await connection.request(method, { conversation: room.id, ...params });
        return true;
      } catch (error) {
        if (room) showNotice(error.message);
        return false;
      }
    }

    function fitInput() {
      ui.send.disabled = ui.input.value.trim() === "";
      ui.input.style.height = "auto";
      ui.input.style.height = ui.input.scrollHeight + 2 + "px";
    }

    // MARK: Typing and reading

    async function noteTyping() {
      if (!room || room.editing) return;
      const now = Date.now();
      if (ui.input.value.trim() === "") {
        if (room.leased) connection.request("conversation.stopTyping", { conversation: room.id }).catch(() => {});
        room.leased = false;
        room.typedAt = 0;
        return;
      }
      if (now - room.typedAt < TYPING_EVERY_MS) return;
      const within = room;
      within.typedAt = now;
      within.leased = true;
      try {
        await connection.request("conversation.startTyping", { conversation: within.id });
      } catch (error) {
        // Public channels know only the lease that is not stopped.
        if (error.key === "forbidden") connection.request("conversation.markAsTyping", { conversation: within.id }).catch(() => {});
      }
    }

    async function readIfSeen() {
      if (!room || !room.conversation || !room.messages || room.messages.length === 0 || room.marking) return;
      const newest = room.messages[0].id;
      // The two topics change one after the other: until both show the same message there is more to come.
      const last = room.conversation.lastMessage;
      if (last && last.id !== newest) return;
      if (!room.conversation.isUnread || room.markedUpTo === newest) return;
      if (document.visibilityState !== "visible" || !document.hasFocus() || !isAtEnd()) return;
      const within = room;
      within.marking = true;
      within.markedUpTo = newest;
      try {
        within.conversation = (await connection.request("conversation.markAsRead", { conversation: within.id, upTo: newest })).conversation;
      } catch {
        // Asked again at the next snapshot or look, not in a loop.
        within.markedUpTo = null;
        within.marking = false;
        return;
      }
      within.marking = false;
      if (room === within) {
        render();
        readIfSeen();
      }
    }

    // MARK: Older messages

    async function loadOlder() {
      const within = room;
      if (!within || !within.messages || within.loading || within.loadedAll || within.capped) return;
      within.loading = true;
      render();
      try {
        const topic = `messages:${within.id}`;
        within.loadedAll = (await connection.request("loadMore", { topic, count: PAGE_SIZE })).loadedAll;
      } catch (error) {
        within.capped = error.key === "limitExceeded";
      }
      within.loading = false;
      if (room !== within) return;
      const hadFocus = document.activeElement === ui.older;
      render();
      if (hadFocus && ui.older.hidden) ui.scroller.focus();
    }
    """#
}
