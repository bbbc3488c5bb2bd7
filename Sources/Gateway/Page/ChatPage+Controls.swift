extension ChatPage {
  /// The menu of a message, and what each click and key does; the last lines start the page.
  static let controlsScript = #"""
    // MARK: The menu of a message

    const EMOJI = ["👍", "❤️", "😂", "🎉", "😮", "😢"];

    let menu = null;

    function makeMenuButton(message, own) {
      const button = makeButton("", "⋯", () => (menu && menu.button === button ? closeMenu(true) : openMenu(button, message, own)));
      button.setAttribute("aria-label", "Message actions");
      button.setAttribute("aria-haspopup", "menu");
      button.setAttribute("aria-expanded", "false");
      return make("div", "more", button);
    }

    function openMenu(button, message, own) {
      closeMenu(false);
      const element = make("div", "menu");
      element.setAttribute("role", "menu");
      if (own) addOwnItems(element, message);
      const pinned = room.conversation.pinnedMessage;
      const isPinned = pinned !== null && pinned.id === message.id;
      element.append(makeItem("", isPinned ? "Unpin" : "Pin", () => {
        closeMenu(true);
        if (isPinned) change("conversation.unpin", {});
        else change("conversation.pin", { message: message.id });
      }));
      element.append(make("div", "emojis", ...EMOJI.map((emoji) => makeEmoji(message, emoji))));
      element.addEventListener("keydown", moveInMenu);
      button.setAttribute("aria-expanded", "true");
      button.after(element);
      menu = { button, element };
      if (element.getBoundingClientRect().top < ui.scroller.getBoundingClientRect().top) element.classList.add("below");
      element.querySelector("button").focus();
    }

    function addOwnItems(element, message) {
      if (isEditable(message)) element.append(makeItem("", "Edit", () => { closeMenu(false); beginEdit(message); }));
      const remove = makeItem("danger", "Delete", () => {
        if (remove.textContent === "Delete") {
          remove.textContent = "Really delete?";
          return;
        }
        closeMenu(false);
        ui.input.focus();
        change("message.delete", { message: message.id });
      });
      element.append(remove);
    }

    function makeEmoji(message, emoji) {
      const own = message.reactions.some((reaction) => reaction.emoji === emoji && reaction.currentUserReacted);
      const item = makeItem(own ? "mine" : "", emoji, () => {
        closeMenu(true);
        react(message, emoji, !own);
      });
      item.setAttribute("aria-label", own ? `Take ${emoji} back` : `React with ${emoji}`);
      return item;
    }

    function react(message, emoji, isAdded) {
      change(isAdded ? "message.addReaction" : "message.removeReaction", { message: message.id, emoji });
    }

    function makeItem(className, label, action) {
      const item = makeButton(className, label, action);
      item.setAttribute("role", "menuitem");
      item.tabIndex = -1;
      return item;
    }

    function closeMenu(returnsFocus) {
      if (!menu) return;
      const { button, element } = menu;
      menu = null;
      element.remove();
      button.setAttribute("aria-expanded", "false");
      if (returnsFocus) button.focus();
    }

    function moveInMenu(event) {
      const items = [...event.currentTarget.querySelectorAll("button")];
      const at = items.indexOf(document.activeElement);
      const [next, last] = [at + 1, at - 1 + items.length];
      const moves = { ArrowDown: next, ArrowRight: next, ArrowUp: last, ArrowLeft: last, Home: 0, End: items.length - 1 };
      if (event.key in moves) {
        event.preventDefault();
        items[moves[event.key] % items.length].focus();
      } else if (event.key === "Escape" || event.key === "Tab") {
        event.preventDefault();
        event.stopPropagation();
        closeMenu(true);
      }
    }

    // MARK: What people do

    let lastTop = 0;
    let followsEnd = true;

    ui.joinForm.addEventListener("submit", (event) => {
      event.preventDefault();
      if (ui.join.disabled) return;
      const name = ui.name.value.trim();
      memory.write("localStorage", "name", name || null);
      memory.write("localStorage", "channel", ui.channel.value.trim() || null);
      wanted.name = name || DEFAULT_NAME;
      memory.write("sessionStorage", "name", wanted.name);
      if (!ui.tokenField.hidden && ui.token.value.trim() !== "") {
        wanted.token = ui.token.value.trim();
        memory.write("sessionStorage", "token", wanted.token);
        ui.token.value = "";
      }
      join(ui.channel.value.trim() || DEFAULT_CHANNEL);
    });

    ui.leave.addEventListener("click", leave);

    ui.composer.addEventListener("submit", (event) => {
      event.preventDefault();
      send();
      ui.input.focus();
    });

    ui.input.addEventListener("keydown", (event) => {
      // While an input method composes a word, Enter is its own.
      if (event.isComposing || event.keyCode === 229) return;
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        send();
      } else if (event.key === "Escape" && room && room.editing) {
        endEdit();
      }
    });

    ui.input.addEventListener("input", () => {
      showNotice("");
      fitInput();
      noteTyping();
    });

    ui.cancelEdit.addEventListener("click", () => { endEdit(); ui.input.focus(); });
    ui.older.addEventListener("click", loadOlder);
    ui.newer.addEventListener("click", () => { toEnd(); readIfSeen(); ui.input.focus(); });

    ui.scroller.addEventListener("scroll", () => {
      const top = ui.scroller.scrollTop;
      const wentUp = top < lastTop;
      lastTop = top;
      followsEnd = isAtEnd();
      if (!room) return;
      if (wentUp && top < 48) loadOlder();
      if (followsEnd) {
        room.unseen = 0;
        ui.newer.hidden = true;
        readIfSeen();
      }
    }, { passive: true });

    // A short list does not scroll: pulling at its top asks for more all the same.
    const pullsAtTop = () => { if (ui.scroller.scrollTop < 48) loadOlder(); };
    ui.scroller.addEventListener("wheel", (event) => { if (event.deltaY < 0) pullsAtTop(); }, { passive: true });
    ui.scroller.addEventListener("keydown", (event) => {
      if (event.target === ui.scroller && ["ArrowUp", "PageUp", "Home"].includes(event.key)) pullsAtTop();
    });

    document.addEventListener("click", (event) => { if (menu && !menu.button.parentElement.contains(event.target)) closeMenu(false); });
    document.addEventListener("visibilitychange", () => { connection.hurry(); readIfSeen(); });
    window.addEventListener("focus", readIfSeen);
    window.addEventListener("online", () => connection.hurry());

    // A keyboard that opens, or a longer draft, does not push the last message out of sight.
    new ResizeObserver(() => { if (room && followsEnd) toEnd(); }).observe(ui.scroller);

    // A reload comes back to the channel it left; a new window starts at the door.
    wanted = { name: memory.read("sessionStorage", "name") || DEFAULT_NAME, token: memory.read("sessionStorage", "token") };
    ui.name.value = memory.read("localStorage", "name") || "";
    ui.channel.value = memory.read("localStorage", "channel") || "";
    const lastChannel = memory.read("sessionStorage", "channel");
    ui.door.hidden = false;
    if (lastChannel) {
      join(lastChannel);
    } else {
      ui.name.focus();
      askHowToEnter((auth) => showTokenField(auth === "required"));
    }
    """#
}
