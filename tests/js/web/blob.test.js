// Blob and File: parts, slices, streams, object URLs, clones.
'use strict';
const assert = require('node:assert');
const { resolveObjectURL } = require('node:buffer');

async function main() {
  const blob = new Blob(['héllo', new Uint8Array([33]), new Blob(['!'])], { type: 'Text/Plain' });
  assert.strictEqual(blob.size, 8);
  assert.strictEqual(blob.type, 'text/plain');
  assert.strictEqual(await blob.text(), 'héllo!!');
  assert.strictEqual(await blob.slice(-2).text(), '!!');
  assert.strictEqual(await blob.slice(0, 3, 'a/b').text(), 'hé');
  assert.deepStrictEqual(new Uint8Array(await blob.slice(6).arrayBuffer()), Uint8Array.of(33, 33));
  const chunks = [];
  for await (const chunk of blob.stream()) chunks.push(chunk);
  assert.strictEqual(Buffer.concat(chunks).toString(), 'héllo!!');

  const url = URL.createObjectURL(blob);
  assert.match(url, /^blob:nodedata:/);
  assert.strictEqual(await resolveObjectURL(url).text(), 'héllo!!');
  URL.revokeObjectURL(url);
  assert.strictEqual(resolveObjectURL(url), undefined);

  const file = structuredClone(new File(['x'], 'name.txt', { lastModified: 5 }));
  assert.ok(file instanceof File);
  assert.deepStrictEqual([file.name, file.lastModified, await file.text()], ['name.txt', 5, 'x']);
  assert.throws(() => new Blob('text'), { code: 'ERR_INVALID_ARG_TYPE' });
}

let done = false;
main().then(() => { done = true; });
process.on('exit', () => assert.ok(done));
