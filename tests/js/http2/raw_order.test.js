// Headers given as a list are sent in its order, repeated names where they stand, behind the pseudo headers that it leaves out.
'use strict';
const assert = require('assert');
const http2 = require('http2');
const { once } = require('events');

(async () => {
  const server = http2.createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  const authority = `127.0.0.1:${server.address().port}`;

  async function exchange(given, answer) {
    const request = client.request(given).end();
    const [[stream, , , asked], [, , answered]] = await Promise.all([
      once(server, 'stream').then((all) => {
        all[0].respond(answer);
        all[0].end();
        return all;
      }),
      once(request, 'response'),
    ]);
    return { asked, answered, sent: request.sentHeaders, responded: stream.sentHeaders };
  }

  const plain = await exchange(['a', 'b', 'x-FOO', 'bar', 'a', 'c'], ['x', '1', 'x-FOO', 'bar', 'x', '2']);
  const path = [':method', 'GET', ':authority', authority, ':scheme', 'http', ':path', '/'];
  assert.deepStrictEqual(plain.asked, [...path, 'a', 'b', 'x-foo', 'bar', 'a', 'c']);
  assert.deepStrictEqual(plain.answered.slice(0, 9), [':status', '200', 'x', '1', 'x-foo', 'bar', 'x', '2', 'date']);
  assert.deepStrictEqual(plain.sent.a, ['b', 'c']);
  assert.deepStrictEqual(plain.responded.x, ['1', '2']);

  const whole = [':path', '/foo', ':scheme', 'http', ':authority', 'test.invalid', ':method', 'POST', 'a', 'b', 'a', 'c'];
  const { asked, answered, responded } = await exchange(whole, [':status', '404', 'x', '1', 'DATE', '0', 'x', '2']);
  assert.deepStrictEqual(asked, whole);
  assert.deepStrictEqual(answered, [':status', '404', 'x', '1', 'date', '0', 'x', '2']);
  assert.deepStrictEqual({ ...responded }, { ':status': '404', x: ['1', '2'], DATE: '0' });
  client.close();
  server.close();
})();
