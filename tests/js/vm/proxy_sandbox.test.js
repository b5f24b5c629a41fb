// A sandbox that is a proxy: what it has no trap for is what its target has; the language's own names are found behind it.
'use strict';
const assert = require('assert');
const vm = require('vm');

const target = Object.create(Object.getPrototypeOf(globalThis));
const plain = vm.runInContext('this', vm.createContext(new Proxy(target, {})));
assert.strictEqual(typeof plain.Symbol, 'function');
assert.strictEqual(plain.missing, undefined);
plain.own = 1;
assert.strictEqual(target.own, 1);
assert.strictEqual(plain.own, 1);
const nested = vm.runInContext('this', vm.createContext(new Proxy(new Proxy({ a: 1 }, {}), {})));
assert.strictEqual(nested.a, 1);
assert.strictEqual(typeof nested.Map, 'function');

// With a trap the proxy answers for every name.
const all = vm.runInContext('this', vm.createContext(new Proxy({}, { get: (of, name) => Reflect.get(of, name) })));
assert.strictEqual(all.Symbol, undefined);
