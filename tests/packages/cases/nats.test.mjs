// nats, beside a server of a few lines that speaks its text protocol: publish, subscribe with wildcards, request and reply, drain.
import assert from 'node:assert';
import net from 'node:net';
import { connect, headers, JSONCodec, StringCodec } from 'nats';

const subscriptions = [];
const matches = (pattern, subject) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^.]+').replaceAll('>', '.+')}$`).test(subject);

function deliver(subject, reply, sizes, bytes) {
  for (const { socket, pattern, sid } of subscriptions) {
    if (!matches(pattern, subject)) continue;
    socket.write(`${sizes.length === 2 ? 'HMSG' : 'MSG'} ${[subject, sid, ...(reply ? [reply] : []), ...sizes].join(' ')}\r\n`);
    socket.write(bytes);
    socket.write('\r\n');
  }
}

const server = net.createServer((socket) => {
  let rest = Buffer.alloc(0);
  socket.write('INFO {"server_id":"x","version":"2.10.0","proto":1,"headers":true,"max_payload":1048576}\r\n');
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end; (end = rest.indexOf('\r\n')) >= 0;) {
      const [verb, ...words] = rest.subarray(0, end).toString().split(/\s+/);
      const isMessage = /^H?PUB$/i.test(verb);
      const count = verb.toUpperCase() === 'HPUB' ? 2 : 1;
      const sizes = isMessage ? words.slice(-count) : [];
      const size = isMessage ? Number(sizes.at(-1)) : 0;
      if (isMessage && rest.length < end + 2 + size + 2) return;
      const bytes = rest.subarray(end + 2, end + 2 + size);
      rest = rest.subarray(end + 2 + (isMessage ? size + 2 : 0));
      if (isMessage) deliver(words[0], words.length > count + 1 ? words[1] : '', sizes, bytes);
      else if (verb === 'PING') socket.write('PONG\r\n');
      else if (verb === 'SUB') subscriptions.push({ socket, pattern: words[0], sid: words.at(-1) });
      else if (verb === 'UNSUB') subscriptions.splice(0, subscriptions.length, ...subscriptions.filter((one) => one.sid !== words[0] || one.socket !== socket || words.length > 1));
    }
  });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => { server.on('listening', resolve); });

const text = StringCodec();
const json = JSONCodec();
const client = await connect({ servers: `127.0.0.1:${server.address().port}`, reconnect: false });
const heard = [];
const listening = (async () => {
  for await (const message of client.subscribe('news.*', { max: 3 })) heard.push([message.subject, text.decode(message.data), message.headers?.get('k') ?? '']);
})();
client.subscribe('add', { callback: (error, message) => { message.respond(json.encode(json.decode(message.data).reduce((a, b) => a + b))); } });
await client.flush();
client.publish('news.a', text.encode('one'));
client.publish('old.a', text.encode('no'));
client.publish('news.b', text.encode('zwei ü'));
const withHeader = headers();
withHeader.append('k', 'v');
client.publish('news.c', text.encode('x'.repeat(100_000)), { headers: withHeader });
await listening;
assert.deepStrictEqual(heard.slice(0, 2), [['news.a', 'one', ''], ['news.b', 'zwei ü', '']]);
assert.deepStrictEqual([heard[2][0], heard[2][1].length, heard[2][2]], ['news.c', 100_000, 'v']);
assert.strictEqual(json.decode((await client.request('add', json.encode([1, 2, 39]), { timeout: 20_000 })).data), 42);
await client.drain();
server.close();
