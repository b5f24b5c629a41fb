// Members that a program puts on Object.prototype do not change how bodies and their streams are made; URLs are no values for
// structured clone.
'use strict';
const assert = require('node:assert');
const { test } = require('node:test');

const makers = {
  request: () => new Request('http://localhost/', { method: 'POST', body: 'yes' }).arrayBuffer(),
  response: () => new Response(new Uint8Array([64])).text(),
  empty: () => new Response().text(),
  json: () => Response.json({ a: 1 }).json(),
  streams: () => [new ReadableStream(), new WritableStream(), new TransformStream()],
  listener: () => new EventTarget().addEventListener('x', () => {}),
};

for (const name of ['type', 'size', 'highWaterMark']) {
  test(`Object.prototype.${name}`, async () => {
    for (const make of Object.values(makers)) {
      try {
        Object.defineProperty(Object.prototype, name, { get() { throw new Error(`${name} was read`); }, configurable: true });
        await make();
        Object.defineProperty(Object.prototype, name, { value: -1, writable: true, configurable: true });
        await make();
      } finally {
        delete Object.prototype[name];
      }
    }
  });
}

test('URL and URLSearchParams are not cloned', () => {
  for (const value of [new URL('about:blank'), new URLSearchParams('a=1'), { inside: new URL('about:blank') }]) {
    assert.throws(() => structuredClone(value), { name: 'DataCloneError', message: 'Cannot clone object of unsupported type.' });
  }
});
