'use strict';
// The native half of a session is an object with methods: called on anything else they throw before they do anything, and a program that
// comes upon them cannot replace them.
const assert = require('node:assert');
const http2 = require('node:http2');

const server = http2.createServer((request, response) => response.end('all of it'));
server.listen(0, '127.0.0.1', () => {
  const session = http2.connect(`http://127.0.0.1:${server.address().port}`);
  const { handle } = session;
  const methods = Object.getPrototypeOf(handle);
  const names = Object.keys(methods);
  assert.ok(names.includes('ping') && names.includes('receive'), `${names}`);
  assert.ok(Object.isFrozen(methods));
  for (const name of names) {
    for (const self of [undefined, null, 1, {}, session, methods, Object.create(handle)]) {
      assert.throws(() => Reflect.apply(methods[name], self, [1, 'a', Buffer.alloc(8)]), { name: 'TypeError', message: 'Illegal invocation' }, name);
    }
  }
  const request = session.request({ ':path': '/' });
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (piece) => {
    text += piece;
  });
  request.on('end', () => {
    assert.strictEqual(text, 'all of it');
    session.close();
    server.close();
  });
});
