// vm contexts have all that Rondo adds to the language, made in their own realm, and their objects stay as the program left them.
'use strict';

const assert = require('assert');
const vm = require('vm');

const kGlobals = ['Iterator', 'SuppressedError', 'DisposableStack', 'AsyncDisposableStack'];
const kMethods = [
  ['Promise', 'try'], ['Error', 'isError'], ['RegExp', 'escape'], ['Math', 'f16round'], ['Uint8Array', 'fromBase64'],
  ['Uint8Array', 'fromHex'], ['Map.prototype', 'getOrInsert'], ['WeakMap.prototype', 'getOrInsertComputed'],
  ['Uint8Array.prototype', 'toBase64'], ['Uint8Array.prototype', 'setFromHex'], ['Iterator.prototype', 'map'], ['Iterator.prototype', 'reduce'],
];

for (const sandbox of [{}, vm.constants.DONT_CONTEXTIFY]) {
  const context = vm.createContext(sandbox);
  const run = (code) => vm.runInContext(code, context);
  for (const name of kGlobals) {
    assert.ok(run(`${name} instanceof Function`), name);
    assert.notStrictEqual(run(name), globalThis[name]);
    assert.ok(run(`!Object.getOwnPropertyDescriptor(globalThis, '${name}').enumerable`), name);
  }
  for (const [holder, name] of kMethods) {
    assert.ok(run(`${holder}.${name} instanceof Function`), `${holder}.${name}`);
    assert.strictEqual(run(`${holder}.${name}.name`), name);
    assert.ok(run(`!Object.getOwnPropertyDescriptor(${holder}, '${name}').enumerable`), name);
  }
  // Errors, arrays and promises are the context's.
  assert.ok(run(`try { Iterator.prototype.map.call(1); } catch (error) { error instanceof TypeError; }`));
  assert.ok(run(`[1, 2].values().map((x) => x * 2).toArray() instanceof Array`));
  assert.ok(run(`Uint8Array.fromBase64('AQID').buffer instanceof ArrayBuffer`));
  assert.ok(run(`new AsyncDisposableStack().disposeAsync() instanceof Promise`));
  // The symbols are the same everywhere.
  assert.strictEqual(run('Symbol.dispose'), Symbol.dispose);
  assert.strictEqual(run('Symbol.asyncDispose'), Symbol.asyncDispose);
}

// What the sandbox hides changes nothing in what is added.
{
  const sandbox = vm.createContext({ Uint8Array, TypeError: undefined, Promise: undefined, Object: undefined });
  const [bytes, own] = vm.runInContext(`[(function* () { yield 7; })().map((x) => x).toArray(), Iterator.from([]).drop]`, sandbox);
  assert.deepStrictEqual([...bytes], [7]);
  assert.strictEqual(typeof own, 'function');
  assert.throws(() => vm.runInContext('Iterator.prototype.take.call(1, 1)', sandbox), { name: 'TypeError' });
  assert.deepStrictEqual(Object.keys(sandbox), ['Uint8Array', 'TypeError', 'Promise', 'Object']);
}

// A constructor of another realm without a prototype gets that realm's.
{
  const other = vm.createContext(vm.constants.DONT_CONTEXTIFY);
  for (const name of kGlobals.slice(1)) {
    const target = vm.runInContext('var C = function () {}; C.prototype = null; C', other);
    assert.strictEqual(Object.getPrototypeOf(Reflect.construct(globalThis[name], [], target)), vm.runInContext(`${name}.prototype`, other));
  }
}
