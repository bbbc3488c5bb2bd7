extension ChatPage {
  /// JSON-RPC over a WebSocket that comes back by itself, by the close codes of the protocol; storage; ids from names.
  static let connectionScript = #"""
    "use strict";

    // JSON-RPC 2.0 over one WebSocket that comes back by itself.

    const PROTOCOL = "parley.v1";
    const ADDRESS = (location.protocol === "https:" ? "wss://" : "ws://") + location.host + "/ws";

    class Refusal extends Error {
      constructor({ code, message, data }) {
        super(message || "The gateway refused.");
        this.code = code;
        this.key = data ? data.key : undefined;
        this.temporary = Boolean(data && data.temporary);
        this.retryAfterMs = data ? data.retryAfterMs : undefined;
      }
    }

    const DISCONNECTED = { code: 0, message: "The connection was lost.", data: { key: "disconnected", temporary: true } };
    const disconnected = () => new Refusal(DISCONNECTED);

    // What a close code asks of a client, by range where the code is unknown.
    function verdictOn(code) {
      if (code === 1000 || code === 1001) return "done";
      if (code === 1002 || code === 1003 || code === 1007 || code === 1009) return "stop";
      if (code >= 4000 && code <= 4099) return "stop";
      if (code >= 4100 && code <= 4199) return "patient";
      if (code >= 4200 && code <= 4299) return "now";
      return "again";
    }

    const CLOSED_BECAUSE = {
      1000: "The gateway ended the session.",
      1001: "The gateway went away.",
      1009: "That was too big for the gateway.",
      4000: "The gateway waited too long for a sign-in.",
      4001: "The token has expired. Come with a new one.",
      4002: "The gateway did not accept the token.",
      4003: "The access was revoked.",
    };

    class Connection {
      // delegate: authenticate(hello) → Promise, ready(), notification(method, params),
      // waiting(why), ended(code, message). Nothing of an old socket reaches it.
      constructor(delegate) {
        this.delegate = delegate;
        this.socket = null;
        this.hello = null;
        this.lastId = 0;
        this.calls = new Map();
        this.attempt = 0;
        this.notBefore = 0;
        this.timers = {};
      }

      start() {
        this.attempt = 0;
        this.notBefore = 0;
        this.connect();
      }

      stop() {
        this.forget(1000);
      }

      // A wait is cut short: the network is back, or the person asks.
      hurry() {
        if (this.timers.retry !== undefined && Date.now() >= this.notBefore) this.connect();
      }

      request(method, params) {
        if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return Promise.reject(disconnected());
        const id = ++this.lastId;
        return new Promise((resolve, reject) => {
          this.calls.set(id, { resolve, reject });
          this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
        });
      }

      connect() {
        this.forget(1000);
        let socket;
        try {
          socket = new WebSocket(ADDRESS, [PROTOCOL]);
        } catch {
          this.delegate.ended(1006, "This browser refused to open a WebSocket.");
          return;
        }
        this.socket = socket;
        this.after("opening", 15000, () => this.lost(1006, ""));
        socket.onmessage = (event) => { if (socket === this.socket) this.receive(event.data); };
        socket.onclose = (event) => { if (socket === this.socket) this.lost(event.code, event.reason); };
      }

      receive(data) {
        this.watch();
        let message;
        try { message = JSON.parse(data); } catch { return; }
        if (message.method === "hello") this.open(message.params);
        else if (message.method === "goAway") this.goAway(message.params);
        else if (message.method) this.delegate.notification(message.method, message.params || {});
        else this.settle(message);
      }

      settle(message) {
        const call = this.calls.get(message.id);
        if (!call) return;
        this.calls.delete(message.id);
        if (message.error) call.reject(new Refusal(message.error));
        else call.resolve(message.result);
      }

      async open(hello) {
        const socket = this.socket;
        this.cancel("opening");
        this.hello = hello;
        this.watch();
        try {
          await this.delegate.authenticate(hello);
        } catch (error) {
          if (socket !== this.socket) return;
          if (error.temporary) {
            this.notBefore = Date.now() + (error.retryAfterMs || 0);
            this.lost(1013, error.message);
          } else {
            this.forget(1000);
            this.delegate.ended(error.code, error.message);
          }
          return;
        }
        if (socket !== this.socket) return;
        // A connection that lasts ends the series of attempts; one that opens and falls does not.
        this.after("settled", 10000, () => { this.attempt = 0; });
        this.delegate.ready();
      }

      // The gateway restarts: come back when it says, on a new socket.
      goAway({ reconnectAfterMs = 0 }) {
        this.notBefore = Date.now() + reconnectAfterMs;
        this.after("goAway", reconnectAfterMs, () => {
          this.connect();
          this.delegate.waiting("Reconnecting…");
        });
      }

      // Scripts cannot see RFC 6455 pings, so a silent connection is asked by a call.
      watch() {
        const { heartbeatMs = 25000, graceMs = 10000 } = this.hello || {};
        this.cancel("grace");
        this.after("heartbeat", heartbeatMs, () => {
          this.after("grace", graceMs, () => this.lost(1006, ""));
          this.request("ping", {}).catch(() => {});
        });
      }

      lost(code, reason) {
        this.forget(1000);
        const verdict = verdictOn(code);
        if (verdict === "done" || verdict === "stop") {
          this.delegate.ended(code, CLOSED_BECAUSE[code] || reason || `The connection was closed (${code}).`);
          return;
        }
        // Full jitter: a whole fleet of clients does not come back at once.
        const base = verdict === "patient" ? 4000 : 500;
        const ceiling = Math.min(60 * base, base * 2 ** this.attempt);
        const delay = verdict === "now" && this.attempt === 0 ? 0 : Math.random() * ceiling;
        this.attempt = Math.min(this.attempt + 1, 16);
        if (verdict === "patient") this.notBefore = Math.max(this.notBefore, Date.now() + delay);
        const told = /; retry_after_ms=(\d{1,9})$/.exec(reason || "");
        if (told) this.notBefore = Math.max(this.notBefore, Date.now() + Number(told[1]));
        this.after("retry", Math.max(delay, this.notBefore - Date.now()), () => this.connect());
        this.delegate.waiting(navigator.onLine === false ? "You are offline" : "Reconnecting…");
      }

      forget(code) {
        for (const name of Object.keys(this.timers)) this.cancel(name);
        const socket = this.socket;
        this.socket = null;
        if (socket) socket.close(code);
        const calls = [...this.calls.values()];
        this.calls.clear();
        for (const call of calls) call.reject(disconnected());
      }

      after(name, ms, action) {
        this.cancel(name);
        this.timers[name] = setTimeout(() => { delete this.timers[name]; action(); }, Math.max(0, ms));
      }

      cancel(name) {
        clearTimeout(this.timers[name]);
        delete this.timers[name];
      }
    }

    // Asks once how the gateway lets people in, before anyone gives a name.
    function askHowToEnter(answer) {
      let socket;
      try { socket = new WebSocket(ADDRESS, [PROTOCOL]); } catch { return; }
      socket.onmessage = (event) => {
        let message;
        try { message = JSON.parse(event.data); } catch { return; }
        socket.onmessage = null;
        socket.close(1000);
        if (message.method === "hello") answer(message.params.auth);
      };
    }

    // What the tab and the browser remember. A browser that forbids storage only forgets.
    const memory = {
      read(store, key) {
        try { return JSON.parse(window[store].getItem("parley." + key)); } catch { return null; }
      },
      write(store, key, value) {
        try {
          if (value === null) window[store].removeItem("parley." + key);
          else window[store].setItem("parley." + key, JSON.stringify(value));
        } catch { /* Private mode. */ }
      },
    };

    function randomName(prefix) {
      const bytes = crypto.getRandomValues(new Uint8Array(12));
      return prefix + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    }

    // A conversation id from what a person typed: what ids forbid is left out.
    function conversationId(channel) {
      const kept = Array.from(channel.normalize("NFC"))
        .filter((scalar) => !/[,/\\*:\p{Cc}\p{Cs}\u2028\u2029]/u.test(scalar))
        .join("").normalize("NFC").trim();
      if (kept === "") {
        return "channel." + Array.from(channel, (scalar) => scalar.codePointAt(0).toString(16)).join(".").slice(0, 80);
      }
      const allowed = /^(direct\.|guest-|thread\.)/.test(kept) ? "channel." + kept : kept;
      return Array.from(allowed).slice(0, 92).join("").trim();
    }
    """#
}
