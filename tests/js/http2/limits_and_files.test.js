// Settings as of each frame, streams' timeouts after a refused setTimeout(), a descriptor's file with a Content-Length of the program's
// and an end() of its own, data events by frame.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const http2 = require('node:http2');

const whole = (stream) => new Promise((resolve, reject) => {
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(chunks)).on('error', reject);
});

async function withServer(options, onStream, use) {
  const server = http2.createServer(options);
  server.on('stream', onStream);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`, { settings: { customSettings: { 55: 12 } } });
  await use(client, server);
  client.close();
  await new Promise((resolve) => server.close(resolve));
}

const size = fs.statSync(__filename).size;
const fd = fs.openSync(__filename, 'r');

(async () => {
  await withServer({}, (stream) => {
    stream.respondWithFD(fd, { 'Content-Length': `${size}`, 'Content-Type': 'text/plain' });
    stream.end();
  }, async (client) => {
    const request = client.request();
    assert.strictEqual(Buffer.concat(await whole(request)).length, size);
  });

  await withServer({}, (stream) => {
    stream.setTimeout(1, () => {
      stream.respond();
      stream.end('late');
    });
    assert.throws(() => stream.setTimeout(0, Symbol('no function')), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => stream.setTimeout(100, {}), { code: 'ERR_INVALID_ARG_TYPE' });
  }, async (client) => {
    const kept = setTimeout(() => {}, 1 << 30);
    assert.strictEqual(`${Buffer.concat(await whole(client.request()))}`, 'late');
    clearTimeout(kept);
  });

  const remote = [];
  let local;
  await withServer({}, (stream) => {
    stream.respond();
    stream.write('first');
    stream.end('second');
  }, async (client, server) => {
    server.once('session', (session) => session.settings({ maxConcurrentStreams: 2 }));
    client.on('remoteSettings', ({ maxConcurrentStreams }) => remote.push(maxConcurrentStreams));
    client.on('localSettings', ({ customSettings }) => { local = customSettings; });
    const chunks = await whole(client.request());
    assert.deepStrictEqual(chunks.map(String), ['first', 'second']);
  });
  assert.deepStrictEqual(remote, [2 ** 32 - 1, 2]);
  assert.deepStrictEqual(local, { 55: 12 });
  fs.closeSync(fd);
})();
