extension ChatPage {
  /// Signing in, joining, subscribing, and what snapshots bring.
  static let entryScript = #"""
    // The two rooms of the page: the door, where a name and a channel are given, and the channel.

    const DEFAULT_NAME = "A Naughty Moose";
    const DEFAULT_CHANNEL = "General";
    const PAGE_SIZE = 10;
    const TYPING_EVERY_MS = 3000;

    const $ = (id) => document.getElementById(id);
    const ui = {
      door: $("door"), joinForm: $("join-form"), doorError: $("door-error"), name: $("name"), nameField: $("name-field"),
      token: $("token"), tokenField: $("token-field"), channel: $("channel"), join: $("join"),
      room: $("room"), title: $("title"), people: $("people"), status: $("status"), leave: $("leave"),
      pinned: $("pinned"), scroller: $("scroller"), welcome: $("welcome"), older: $("older"), cap: $("cap"), empty: $("empty"), list: $("list"),
      newer: $("newer"), typing: $("typing"), announce: $("announce"),
      composer: $("composer"), editing: $("editing"), cancelEdit: $("cancel-edit"), notice: $("notice"), input: $("input"),
      send: $("send"), sendLabel: $("send-label"),
    };

    // What is known of the channel that is open; null at the door.
    let room = null;
    // Unsent messages by person and conversation: they wait here through a reconnect, and through leaving.
    const outboxes = new Map();
    // The person as the gateway knows them.
    let me = null;
    let wanted = { name: DEFAULT_NAME, token: null };
    const made = new Map();

    function newRoom(id, channel) {
      return {
        id, channel,
        conversation: null, messages: null, loadedAll: false, participants: [], allParticipants: true, typing: null,
        loading: false, capped: false, marking: false, markedUpTo: null, unseen: 0, newest: 0,
        typedAt: 0, leased: false, editing: null,
        // The clientMessageId by message id, of what was sent from here.
        sent: new Map(),
      };
    }

    const topicsOf = (id) => ["conversation", "messages", "typing", "participants"].map((kind) => `${kind}:${id}`);

    function outbox() {
      const key = me.id + "\n" + room.id;
      if (!outboxes.has(key)) outboxes.set(key, []);
      return outboxes.get(key);
    }

    // MARK: Coming in

    const connection = new Connection({
      authenticate: async (hello) => {
        showStatus("connecting", "Signing in…");
        me = (await openSession(hello)).user;
      },
      ready: () => enter(),
      notification: (method, params) => {
        if (method === "subscription" && room) take(params);
        if (method === "session.expiring") showStatus("connecting", `Signed in until ${clock.format(params.expiresAt)}`);
      },
      waiting: (why) => {
        if (room && room.conversation) showStatus("connecting", why);
        else toDoor("The gateway cannot be reached. Try again.");
      },
      ended: (code, message) => {
        if (wanted.token !== null && (code === 100 || (code >= 4000 && code <= 4099))) {
          wanted.token = null;
          memory.write("sessionStorage", "token", null);
        }
        toDoor(message);
      },
    });

    async function openSession(hello) {
      showTokenField(hello.auth === "required");
      if (hello.auth === "done") return hello.session;
      if (hello.auth === "required") {
        if (wanted.token === null) throw new Refusal({ code: 100, message: "This gateway asks for a token." });
        return connection.request("session.open", { token: wanted.token });
      }
      const known = memory.read("sessionStorage", "guest") || {};
      if (known.token) {
        try {
          return await connection.request("session.open", { token: known.token });
        } catch (error) {
          if (error.code !== 100) throw error;
        }
      }
      const id = known.id || randomName("web-");
      const session = await connection.request("session.open", { guest: { name: wanted.name, id } });
      memory.write("sessionStorage", "guest", { id, token: session.token || null });
      return session;
    }

    async function enter() {
      const entered = room;
      if (!entered) return;
      try {
        if (connection.hello.auth === "guest" && me.name !== wanted.name) {
          await connection.request("user.set", { user: me.id, name: wanted.name }).catch(() => {});
        }
        if (entered.conversation === null) {
          entered.conversation = (await joinConversation(entered)).conversation;
          if (entered !== room) return;
          showRoom();
        }
        showStatus("connecting", "Loading…");
        await Promise.all(topicsOf(entered.id).map((topic) => subscribe(entered, topic)));
        if (entered !== room) return;
        showStatus("online", "Online");
        for (const entry of outbox()) if (entry.state === "pending") transmit(entry);
      } catch (error) {
        if (entered !== room || error.key === "disconnected") return;
        toDoor(error.message);
      }
    }

    async function joinConversation({ id, channel }) {
      const wish = { conversation: id, type: "group", subject: channel };
      try {
        return await connection.request("conversation.createIfNotExists", wish);
      } catch (error) {
        // A channel of another type is there already: it is joined as it is.
        if (error.key !== "conflict") throw error;
        return connection.request("conversation.createIfNotExists", { conversation: id });
      }
    }

    async function subscribe(entered, topic) {
      const messages = entered.messages;
      const keepsWindow = topic.startsWith("messages:") && messages !== null && messages.length > PAGE_SIZE;
      if (keepsWindow) {
        try {
          return await connection.request("subscribe", { topic, from: messages[messages.length - 1].id });
        } catch (error) {
          if (error.key === "disconnected") throw error;
        }
      }
      return connection.request("subscribe", { topic });
    }

    function take({ topic, state, snapshot, loadedAll, reason, error }) {
      const colon = topic.indexOf(":");
      if (topic.slice(colon + 1) !== room.id) return;
      if (state !== "active") {
        toDoor(error ? error.message : `The gateway ended the subscription (${reason}).`);
        return;
      }
      if (snapshot === null) {
        toDoor("You are no longer in this channel.");
        return;
      }
      switch (topic.slice(0, colon)) {
      case "conversation": room.conversation = snapshot; break;
      case "messages": takeMessages(snapshot, loadedAll); break;
      case "participants": room.participants = snapshot; room.allParticipants = loadedAll; break;
      case "typing": room.typing = snapshot; break;
      }
      render();
      readIfSeen();
    }

    function takeMessages(snapshot, loadedAll) {
      const first = room.messages === null;
      const before = new Set((room.messages || []).map((message) => message.id));
      const arrived = snapshot.filter((message) => !before.has(message.id) && message.createdAt >= room.newest).reverse();
      room.messages = snapshot;
      room.loadedAll = loadedAll;
      if (snapshot.length > 0) room.newest = Math.max(room.newest, snapshot[0].createdAt);
      if (first) return;
      for (const message of arrived) {
        if (message.sender && message.sender.id === me.id) {
          // The list may tell of a message before the reply to its send does.
          const entry = outbox().find((candidate) => candidate.state === "pending" && candidate.guess === null);
          if (!entry || room.sent.has(message.id)) continue;
          entry.guess = message.id;
          room.sent.set(message.id, entry.clientMessageId);
        } else {
          ui.announce.textContent = `${message.sender ? nameOf(message.sender) : "System"}: ${message.plaintext}`;
          if (!isAtEnd()) room.unseen += 1;
        }
      }
    }

    // MARK: Door and room

    function toDoor(error) {
      const wasInside = !ui.room.hidden;
      connection.stop();
      closeMenu(false);
      room = null;
      made.clear();
      memory.write("sessionStorage", "channel", null);
      document.title = "Parley";
      ui.room.hidden = true;
      ui.door.hidden = false;
      ui.join.disabled = false;
      ui.join.textContent = "Join";
      ui.doorError.hidden = !error;
      ui.doorError.textContent = error || "";
      if (!ui.tokenField.hidden && error) ui.token.focus();
      else if (wasInside) ui.channel.focus();
    }

    function join(channel) {
      room = newRoom(conversationId(channel), channel);
      ui.doorError.hidden = true;
      ui.join.disabled = true;
      ui.join.textContent = "Joining…";
      connection.start();
    }

    function showRoom() {
      memory.write("sessionStorage", "channel", room.channel);
      ui.list.replaceChildren();
      ui.input.value = "";
      ui.typing.textContent = "";
      ui.announce.textContent = "";
      showNotice("");
      ui.door.hidden = true;
      ui.room.hidden = false;
      endEdit();
      render();
      ui.input.focus();
    }

    async function leave() {
      const left = room;
      if (!left) return;
      ui.leave.disabled = true;
      const goodbyes = topicsOf(left.id).map((topic) => connection.request("unsubscribe", { topic }));
      const patience = new Promise((resolve) => { setTimeout(resolve, 2000); });
      await Promise.race([Promise.allSettled(goodbyes), patience]);
      ui.leave.disabled = false;
      if (room === left) toDoor("");
    }

    function showTokenField(shown) {
      ui.tokenField.hidden = !shown;
      ui.nameField.hidden = shown;
    }

    function showStatus(state, text) {
      ui.status.dataset.state = state;
      ui.status.textContent = text;
    }

    function showNotice(text) {
      ui.notice.textContent = text;
      ui.notice.hidden = text === "";
    }
    """#
}
