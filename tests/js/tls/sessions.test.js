// Sessions resumed: by ticket, by the server's own store, with keys that were shared; never for another name.
'use strict';
const assert = require('node:assert');
const { connect, event, listen } = require('../../fixtures/tls.js');

async function visit(server, options) {
  const client = connect(server, { servername: 'localhost', ...options });
  client.resume();
  let session;
  client.on('session', (made) => { session = made; });
  await event(client, 'secureConnect');
  const isReused = client.isSessionReused();
  await event(client, 'close');
  return { session, isReused };
}

async function tickets(version) {
  const options = { minVersion: version, maxVersion: version };
  const server = await listen(options, (socket) => socket.end('x'));
  const first = await visit(server);
  assert(Buffer.isBuffer(first.session) && !first.isReused);
  const second = await visit(server, { session: first.session });
  assert(second.isReused, `${version} resumes`);
  const other = await visit(server, { session: first.session, servername: 'other.example', checkServerIdentity: () => undefined });
  assert(!other.isReused, 'another name gets nothing');
  server.setTicketKeys(Buffer.alloc(48, 1));
  assert(!(await visit(server, { session: first.session })).isReused, 'other keys');
  const third = await visit(server);
  const copy = await listen({ ...options, ticketKeys: Buffer.alloc(48, 1) }, (socket) => socket.end('x'));
  assert((await visit(copy, { session: third.session })).isReused, 'shared keys');
  server.close();
  copy.close();
}

async function store() {
  const kept = new Map();
  const server = await listen({ maxVersion: 'TLSv1.2', secureOptions: require('node:crypto').constants.SSL_OP_NO_TICKET }, (socket) => socket.end('x'));
  server.on('newSession', (id, data, done) => {
    kept.set(id.toString('hex'), data);
    setImmediate(done);
  });
  let asked = 0;
  server.on('resumeSession', (id, callback) => {
    asked++;
    setImmediate(callback, null, kept.get(id.toString('hex')));
  });
  const old = { maxVersion: 'TLSv1.2' };
  const first = await visit(server, old);
  assert.strictEqual(kept.size, 1);
  assert((await visit(server, { ...old, session: first.session })).isReused);
  kept.clear();
  assert(!(await visit(server, { ...old, session: first.session })).isReused);
  assert.strictEqual(asked, 2);
  server.close();
}

async function keylog() {
  const server = await listen({}, (socket) => socket.end());
  const lines = [];
  server.on('keylog', (line, socket) => lines.push(socket.constructor.name + String(line)));
  const client = connect(server, {});
  client.resume();
  const own = [];
  client.on('keylog', (line) => own.push(String(line)));
  await event(client, 'close');
  assert(own.length >= 4 && own.every((line) => /^[A-Z_0-9]+ [0-9a-f]+ [0-9a-f]+\n$/.test(line)));
  assert(lines.length >= 4 && lines.every((line) => line.startsWith('TLSSocket')));
  server.close();
}

(async () => {
  await tickets('TLSv1.2');
  await tickets('TLSv1.3');
  await store();
  await keylog();
  console.log('ok');
})();
