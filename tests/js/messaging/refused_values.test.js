// The words in which structured clone refuses: how an object is named, and why something cannot be transferred.
'use strict';
const assert = require('node:assert');
const { MessageChannel, markAsUncloneable, markAsUntransferable } = require('node:worker_threads');

const refuses = (value, message, list) => assert.throws(() => structuredClone(value, list && { transfer: list }), { name: 'DataCloneError', code: 25, message });
const noClone = (value, shown) => refuses(value, `${shown} could not be cloned.`);

// By the constructor's name; by the tag where that says nothing.
noClone(new WeakMap(), '#<WeakMap>');
noClone(new (class Foo extends WeakMap {})(), '#<Foo>');
noClone(new (class extends WeakMap {})(), '[object WeakMap]');
noClone(Object.setPrototypeOf(new WeakMap(), null), '[object WeakMap]');
noClone(Object.assign(new WeakSet(), { constructor: { name: 'Z' } }), '[object WeakSet]');
noClone(Object.assign(new WeakSet(), { toString() { return 'w'; } }), '[object WeakSet]');
noClone((function* none() { /* empty */ })(), '[object Generator]');
noClone([].values(), '[object Array Iterator]');
noClone(globalThis, '#<Object>');
// What has internal slots, whatever its properties.
noClone((function sloppy() { return arguments; })(1), '#<Object>');
noClone((function strict() { 'use strict'; return arguments; })(1), '#<Object>');
assert.throws(() => structuredClone([{ a: (function some() { return arguments; })() }]), { name: 'DataCloneError' });
const kIntl = ['Collator', 'DateTimeFormat', 'ListFormat', 'NumberFormat', 'PluralRules', 'RelativeTimeFormat', 'Segmenter'];
for (const name of kIntl) noClone(new Intl[name]('en'), `#<${name}>`);
noClone(new Intl.DisplayNames('en', { type: 'region' }), '#<DisplayNames>');
noClone(new Intl.Locale('en'), '[object Intl.Locale]');
// A proxy by what it stands for, without asking it.
const traps = { get() { throw new Error('asked'); } };
noClone(new Proxy({}, traps), '#<Object>');
noClone(new Proxy([], traps), '[object Array]');
noClone(new Proxy(function f() {}, traps), 'function f() {}');
const revoked = Proxy.revocable({}, {});
revoked.revoke();
noClone(revoked.proxy, 'null');
// Of a long function both ends.
const sourceOf = (size) => `() => '${'x'.repeat(size - 8)}'`;
noClone(Function(`return ${sourceOf(128)}`)(), sourceOf(128));
noClone(Function(`return ${sourceOf(129)}`)(), `${sourceOf(129).slice(0, 111)}...<omitted>...x'`);
// These are plain objects.
for (const value of [Math, JSON, Reflect, Atomics, Intl]) assert.deepStrictEqual(structuredClone(value), {});

const kUnsupported = 'Cannot transfer object of unsupported type.';
const { port1, port2 } = new MessageChannel();
const detached = new ArrayBuffer(8);
structuredClone(detached, { transfer: [detached] });
refuses(detached, kUnsupported, [detached]);
refuses(detached, 'An ArrayBuffer is detached and could not be cloned.');
for (const value of [new ArrayBuffer(1), port1]) {
  markAsUntransferable(value);
  refuses(value, kUnsupported, [value]);
}
const memory = new WebAssembly.Memory({ initial: 1 }).buffer;
refuses(memory, kUnsupported, [memory]);
refuses(1, 'Found invalid value in transferList.', [new Blob([])]);
for (const [stream, side] of [[new ReadableStream(), 'Readable'], [new WritableStream(), 'Writable']]) {
  if (side === 'Readable') stream.getReader();
  else stream.getWriter();
  refuses(stream, `Cannot transfer a locked ${side}Stream`, [stream]);
}
assert.throws(() => MessageChannel(), { code: 'ERR_CONSTRUCT_CALL_REQUIRED', message: 'Cannot call constructor without `new`' });

// Memory and arrays are copied whatever their mark.
for (const value of [[1], new ArrayBuffer(2), new Uint8Array(2)]) {
  markAsUncloneable(value);
  assert.deepStrictEqual(structuredClone(value), value);
}
const object = {};
markAsUncloneable(object);
refuses([object], 'Cannot clone object of unsupported type.');
port2.close();

// An error's name, message and stack are read; what their getters throw comes out.
const brokenError = (key) => Object.defineProperty(new Error('x'), key, { get() { throw new RangeError(`no ${key}`); } });
for (const key of ['name', 'message', 'stack']) {
  assert.throws(() => structuredClone(brokenError(key)), { name: 'RangeError', message: `no ${key}` });
}
assert.strictEqual(structuredClone(brokenError('code')).message, 'x');
const unnamed = new Error('x');
unnamed.name = { toString() { throw new RangeError('no text'); } };
assert.throws(() => structuredClone(unnamed), { name: 'RangeError', message: 'no text' });
assert.ok(!Object.hasOwn(structuredClone(Object.defineProperty(new Error('x'), 'message', { get: () => 'made' })), 'message'));
