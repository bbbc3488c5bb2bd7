extension ChatPage {
  /// How a message becomes elements; the text of people goes into text nodes only.
  static let messageScript = #"""
    // How a message looks. Text from people goes into text nodes only.

    function make(tag, className, ...children) {
      const element = document.createElement(tag);
      if (className) element.className = className;
      element.append(...children.filter((child) => child !== null && child !== undefined));
      return element;
    }

    function makeButton(className, label, action) {
      const button = make("button", className, label);
      button.type = "button";
      button.addEventListener("click", action);
      return button;
    }

    const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
    const fullTime = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" });

    function makeTime(ms) {
      const time = make("time", "", clock.format(ms));
      time.dateTime = new Date(ms).toISOString();
      time.title = fullTime.format(ms);
      return time;
    }

    const dayOf = (ms) => new Date(ms).setHours(0, 0, 0, 0);

    function dayName(ms) {
      const days = Math.round((dayOf(Date.now()) - dayOf(ms)) / 86400000);
      if (days === 0) return "Today";
      if (days === 1) return "Yesterday";
      const options = { weekday: "long", day: "numeric", month: "long" };
      if (new Date(ms).getFullYear() !== new Date().getFullYear()) options.year = "numeric";
      return new Intl.DateTimeFormat(undefined, options).format(ms);
    }

    const SAFE_LINK = /^(https?|mailto|tel):/i;

    function makeLink(url, ...children) {
      if (!SAFE_LINK.test(url)) return make("span", "", ...children);
      const link = make("a", "", ...children);
      link.href = url;
      link.target = "_blank";
      link.rel = "noopener noreferrer";
      return link;
    }

    // A token for files is good for a quarter of an hour: it is asked for when the file is.
    function makeFile(block) {
      const link = makeLink(new URL(block.url, location.href).href, block.filename || "File");
      link.addEventListener("click", async (event) => {
        event.preventDefault();
        try {
          const { token } = await connection.request("file.token", {});
          window.open(`${link.href}?access=${encodeURIComponent(token)}`, "_blank", "noopener");
        } catch (error) {
          showNotice(error.message);
        }
      });
      return link;
    }

    // Kinds this page does not know are shown by their text or their children.
    function makeNode(node) {
      if (typeof node === "string") return document.createTextNode(node);
      const children = (node.children || []).map(makeNode);
      switch (node.type) {
      case "bold": return make("strong", "", ...children);
      case "italic": return make("em", "", ...children);
      case "strikethrough": return make("s", "", ...children);
      case "bulletList": return make("ul", "", ...children);
      case "bulletPoint": return make("li", "", ...children);
      case "blockquote": return make("blockquote", "", ...children);
      case "codeSpan": return make("code", "", node.text);
      case "codeBlock": return make("pre", "", make("code", "", node.text));
      case "autoLink": return makeLink(node.url, node.text);
      case "link": return makeLink(node.url, ...children);
      case "mention": return make("span", "mention", node.text);
      default: return make("span", "", node.text || "", ...children);
      }
    }

    function makeBlock(block) {
      switch (block.type) {
      case "text": return make("div", "", ...(block.children || []).map(makeNode));
      case "file": return make("div", "", makeFile(block));
      case "location": return make("div", "", `Location: ${block.latitude}, ${block.longitude}`);
      default: return make("div", "", block.text || "");
      }
    }

    const MARKERS = { bold: "*", italic: "_", strikethrough: "~", codeSpan: "`" };

    // The text a person would have typed for this content, for editing it again.
    function sourceOf(nodes) {
      let source = "";
      let wasAlone = false;
      for (const node of nodes) {
        const isAlone = node.type === "codeBlock" || node.type === "bulletList";
        if ((isAlone || wasAlone) && source !== "") source += "\n";
        source += sourceOfNode(node);
        wasAlone = isAlone;
      }
      return source;
    }

    function sourceOfNode(node) {
      if (typeof node === "string") return node;
      const inner = node.children ? sourceOf(node.children) : node.text;
      switch (node.type) {
      case "bulletList": return node.children.map((point) => "- " + sourceOf(point.children)).join("\n");
      case "codeBlock": return "```" + (node.language || "") + "\n" + node.text + "\n```";
      case "mention": return `<@${node.id}>`;
      default: return (MARKERS[node.type] || "") + inner + (MARKERS[node.type] || "");
      }
    }

    // What a person could not have typed would be lost by editing it as text.
    function isTyped(node) {
      if (typeof node === "string") return true;
      if (node.type === "autoLink") return node.url.endsWith(node.text);
      const isKnown = Object.hasOwn(MARKERS, node.type) || ["bulletList", "bulletPoint", "codeBlock", "mention"].includes(node.type);
      return isKnown && (node.children || []).every(isTyped);
    }

    const isEditable = (message) => message.content.length > 0
      && message.content.every((block) => block.type === "text" && block.children.every(isTyped));

    function isEmoji(text) {
      return text.length <= 16 && /\p{Extended_Pictographic}/u.test(text)
        && /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\u200d\ufe0f\s]+$/u.test(text);
    }

    const nameOf = (user) => user.name || user.id;

    function hueOf(id) {
      let hash = 0;
      for (const scalar of id) hash = (hash * 31 + scalar.codePointAt(0)) % 65521;
      return "hue" + (hash % 8);
    }

    function makeAvatar(user) {
      const words = nameOf(user).trim().split(/\s+/u);
      const letters = words.slice(0, 2).map((word) => Array.from(word)[0] || "").join("").toUpperCase();
      const avatar = make("span", "avatar " + hueOf(user.id), letters);
      avatar.setAttribute("aria-hidden", "true");
      return avatar;
    }

    function makeQuote(quoted) {
      const name = quoted.sender ? nameOf(quoted.sender) : "System";
      return make("div", "quote", make("b", "", name), quoted.plaintext || "(no text)");
    }

    function makeReactions(reactions, react) {
      const row = make("div", "reactions");
      for (const { emoji, count, currentUserReacted } of reactions) {
        const chip = makeButton(currentUserReacted ? "mine" : "", `${emoji} ${count}`, () => react(emoji, !currentUserReacted));
        chip.dataset.emoji = emoji;
        chip.dataset.testid = "reaction";
        chip.setAttribute("aria-pressed", String(currentUserReacted));
        chip.setAttribute("aria-label", `${emoji}, ${count === 1 ? "one person" : count + " people"}`);
        row.append(chip);
      }
      return row;
    }

    // row: { message, own, follows, last, note, state, menu(), actions(), react(emoji, isAdded) }
    function makeMessage(row) {
      const { message, own } = row;
      const item = make("li", ["message", own ? "own" : "", row.follows ? "follows" : "", row.state].filter(Boolean).join(" "));
      item.dataset.testid = "message";
      item.dataset.id = message.id;
      if (!own && !row.follows) item.append(makeAvatar(message.sender), make("p", "who", nameOf(message.sender)));
      if (own && !row.follows) item.append(make("span", "sr", "You"));

      const bubble = make("div", "bubble" + (isEmoji(message.plaintext) && !message.referencedMessage ? " emoji" : ""));
      bubble.dir = "auto";
      if (message.referencedMessage) bubble.append(makeQuote(message.referencedMessage));
      bubble.append(...(message.content.length > 0 ? message.content.map(makeBlock) : [message.plaintext]));
      item.append(make("div", "line", bubble, row.menu ? row.menu() : null));
      if (message.reactions.length > 0) item.append(makeReactions(message.reactions, row.react));

      const meta = make("div", "meta");
      if (row.last) meta.append(makeTime(message.createdAt));
      if (message.editedAt !== null) meta.append(make("span", "", "Edited"));
      if (row.note) meta.append(make("span", "", row.note));
      if (row.actions) meta.append(...row.actions());
      if (meta.childNodes.length > 0) item.append(meta);
      return item;
    }

    function makeRow(row) {
      if (row.day !== undefined) return make("li", "day", row.day);
      if (row.message.sender === null) {
        const item = make("li", "system", row.message.plaintext);
        item.dataset.testid = "message";
        item.dataset.id = row.message.id;
        return item;
      }
      return makeMessage(row);
    }

    // Makes the list equal to the rows, touching only what changed.
    function reconcile(list, rows, made) {
      const keys = new Set(rows.map((row) => row.key));
      for (const [key, old] of made) {
        if (keys.has(key)) continue;
        old.element.remove();
        made.delete(key);
      }
      let place = list.firstElementChild;
      for (const row of rows) {
        const old = made.get(row.key);
        let element = old && old.element;
        if (!old || old.signature !== row.signature) {
          element = makeRow(row);
          if (old) {
            if (place === old.element) place = element;
            old.element.replaceWith(element);
          }
          element.dataset.key = row.key;
          made.set(row.key, { element, signature: row.signature });
        }
        if (element === place) place = place.nextElementSibling;
        else list.insertBefore(element, place);
      }
    }
    """#
}
