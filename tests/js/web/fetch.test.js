// fetch of data: and blob: URLs; Headers and Response; other schemes are network errors.
'use strict';
const assert = require('node:assert');

async function main() {
  const plain = await fetch('data:text/plain;charset=utf-8,h%C3%A9llo#f');
  assert.strictEqual(plain.status, 200);
  assert.strictEqual(plain.headers.get('Content-Type'), 'text/plain;charset=utf-8');
  assert.strictEqual(await plain.clone().text(), 'héllo');
  assert.strictEqual(await plain.text(), 'héllo');
  assert.strictEqual(plain.bodyUsed, true);
  await assert.rejects(plain.text(), TypeError);
  assert.deepStrictEqual(await (await fetch('data:application/json;base64,eyJhIjoxfQ==')).json(), { a: 1 });

  const url = URL.createObjectURL(new Blob(['body'], { type: 'text/x' }));
  const blob = await (await fetch(url)).blob();
  assert.deepStrictEqual([blob.type, await blob.text()], ['text/x', 'body']);
  await assert.rejects(fetch('foo:bar'), { name: 'TypeError', message: 'fetch failed' });
  await assert.rejects(fetch('not a url'), TypeError);
  await assert.rejects(fetch('data:,x', { signal: AbortSignal.abort(7) }), (reason) => reason === 7);

  const headers = new Headers({ B: '2', a: '1' });
  headers.append('A', '3');
  assert.deepStrictEqual([...headers], [['a', '1, 3'], ['b', '2']]);
  assert.throws(() => headers.set('bad name', 'x'), TypeError);
  assert.strictEqual(await Response.json({ x: 1 }).text(), '{"x":1}');
}

let done = false;
main().then(() => { done = true; });
process.on('exit', () => assert.ok(done));
