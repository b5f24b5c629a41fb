// WebAssembly.compileStreaming and instantiateStreaming take a Response, or the promise of one, of type application/wasm.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const test = require('node:test');

// (module (import "m" "n" (func)) (export "f" (func 0)))
const bytes = Buffer.from('0061736d010000000104016000000207' + '01016d016e0000' + '07050101660000', 'hex');
const answer = (body, init) => new Response(body, { headers: { 'content-type': 'application/wasm' }, ...init });

test('modules and instances', async () => {
  assert.ok(await WebAssembly.compileStreaming(answer(bytes)) instanceof WebAssembly.Module);
  let calls = 0;
  const { module, instance } = await WebAssembly.instantiateStreaming(Promise.resolve(answer(bytes)), { m: { n: () => { calls++; } } });
  instance.exports.f();
  assert.ok(module instanceof WebAssembly.Module);
  assert.strictEqual(calls, 1);
});

test('by fetch', async () => {
  const server = http.createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/wasm' });
    response.write(bytes.subarray(0, 10));
    setImmediate(() => response.end(bytes.subarray(10)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const module = await WebAssembly.compileStreaming(fetch(`http://127.0.0.1:${server.address().port}/`));
  assert.deepStrictEqual(WebAssembly.Module.exports(module).map(({ name }) => name), ['f']);
  server.close();
});

test('what is refused', async () => {
  const used = answer(bytes);
  await used.text();
  for (const [source, expected] of [
    [() => 5, { code: 'ERR_INVALID_ARG_TYPE', message: /Received type number/ }],
    [() => new Response(bytes), { code: 'ERR_WEBASSEMBLY_RESPONSE', message: "WebAssembly response has unsupported MIME type 'null'" }],
    [() => answer(bytes, { status: 404 }), { code: 'ERR_WEBASSEMBLY_RESPONSE', message: 'WebAssembly response has status code 404' }],
    [() => used, { code: 'ERR_WEBASSEMBLY_RESPONSE', message: 'WebAssembly response body has already been used' }],
    [() => answer('nonsense'), { name: 'CompileError' }], [() => answer(null), { name: 'CompileError' }],
    [() => Promise.reject(new Error('mine')), { message: 'mine' }],
  ]) {
    await assert.rejects(WebAssembly.compileStreaming(source()), expected);
    await assert.rejects(WebAssembly.instantiateStreaming(source(), { m: { n() {} } }), expected);
  }
  await assert.rejects(WebAssembly.instantiateStreaming(answer(bytes), {}), Error);
});
