// Diagnostics channels of HTTP/2 streams: each tells once, in order, of both sides of one exchange and of a failed one.
'use strict';

const assert = require('assert');
const { subscribe } = require('diagnostics_channel');
const http2 = require('http2');

const told = { client: [], server: [] };
const chunks = [];
for (const side of ['client', 'server']) {
  for (const name of ['created', 'start', 'finish', 'close', 'error']) {
    subscribe(`http2.${side}.stream.${name}`, (message) => {
      assert.strictEqual(message.stream.constructor.name, side === 'client' ? 'ClientHttp2Stream' : 'ServerHttp2Stream');
      told[side].push(name === 'error' ? `error ${message.error.code ?? message.error.message}` : name);
    });
  }
}
subscribe('http2.client.stream.bodyChunkSent', ({ writev, data, encoding }) => chunks.push({ writev, data, encoding }));
subscribe('http2.client.stream.bodySent', () => chunks.push('sent'));

const server = http2.createServer((request, response) => {
  request.resume().on('end', () => response.end('answer'));
});
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  const stream = client.request({ ':method': 'POST' });
  stream.write('é', 'latin1');
  stream.write(Buffer.from('two'));
  stream.end();
  stream.resume().on('close', () => {
    assert.deepStrictEqual(told.client, ['created', 'start', 'finish', 'close']);
    const [first, second] = chunks[0].data;
    assert.deepStrictEqual([chunks[0].writev, chunks[0].encoding, first.chunk, first.encoding], [true, '', 'é', 'latin1']);
    assert.strictEqual(second.chunk.toString(), 'two');
    assert.strictEqual(chunks[1], 'sent');
    told.client = [];
    // On a connected session the request starts inside the call.
    const failed = client.request({ ':method': 'POST' });
    failed.on('error', () => {}).on('close', () => {
      assert.deepStrictEqual(told.client, ['start', 'created', 'close', 'error on purpose']);
      client.close();
      server.close();
    });
    failed.destroy(new Error('on purpose'));
  });
});
process.on('exit', () => {
  assert.deepStrictEqual(told.server.slice(0, 4), ['created', 'start', 'finish', 'close']);
});

assert.strictEqual(require('util').promisify(require('http2').connect).name, 'connect');
