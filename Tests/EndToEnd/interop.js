// Runs in browsers and in Node: what is sent to an echo comes back, and a small chat. Both answer what they saw.

/** Sends the texts one after the other, sends each back as it came, and resolves with the extensions and the first that differs. */
function echoes(url, texts) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    let count = 0;
    const next = () => {
      if (count === texts.length) {
        socket.close(1000);
      } else {
        // Every third is sent as bytes.
        socket.send(count % 3 === 2 ? new TextEncoder().encode(texts[count]) : texts[count]);
      }
    };
    socket.binaryType = 'arraybuffer';
    socket.onopen = next;
    socket.onmessage = (event) => {
      const text = typeof event.data === 'string' ? event.data : new TextDecoder().decode(event.data);
      if (text !== texts[count] || (typeof event.data === 'string') !== (count % 3 !== 2)) {
        reject(new Error(`message ${count} of ${texts[count].length} characters came back with ${text.length}`));
        socket.close();
      } else {
        count += 1;
        next();
      }
    };
    socket.onclose = (event) => resolve({ count, code: event.code, extensions: socket.extensions });
  });
}

/** Opens a session, joins a conversation, says the texts, and resolves with the newest messages that it was shown. */
function chat(url, token, room, texts) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, 'parley.v1');
    const calls = new Map();
    let number = 0;
    let shown = [];
    const call = (method, params) =>
      new Promise((answer) => {
        number += 1;
        calls.set(number, answer);
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: number, method, params }));
      });
    const finish = (extensions) => {
      if (texts.every((text) => shown.some((message) => message.plaintext === text))) {
        resolve({ extensions, shown: shown.map((message) => message.plaintext) });
        socket.close(1000);
      }
    };
    const talk = async () => {
      await call('session.open', { token });
      await call('conversation.createIfNotExists', { conversation: room });
      await call('subscribe', { topic: `messages:${room}` });
      for (const text of texts) {
        await call('conversation.send', { conversation: room, content: [{ type: 'text', children: [text] }] });
      }
      finish(socket.extensions);
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.error) {
        reject(new Error(JSON.stringify(message.error)));
      } else if (message.method === 'hello') {
        talk().catch(reject);
      } else if (message.method === 'subscription') {
        shown = message.params.snapshot ?? [];
        if (calls.size === 0) {
          finish(socket.extensions);
        }
      } else if (calls.has(message.id)) {
        const answer = calls.get(message.id);
        calls.delete(message.id);
        answer(message.result);
      }
    };
    socket.onclose = (event) => reject(new Error(`closed with ${event.code}`));
  });
}

// Node has no arguments for a script from a page: it is told on standard input what to run, and prints the answer.
if (typeof process !== 'undefined' && process.argv) {
  let input = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (part) => (input += part));
  process.stdin.on('end', () => {
    const [name, ...parameters] = JSON.parse(input);
    ({ echoes, chat })[name](...parameters).then(
      (answer) => process.stdout.write(JSON.stringify(answer)),
      (error) => {
        process.stderr.write(String(error));
        process.exitCode = 1;
      },
    );
  });
}
