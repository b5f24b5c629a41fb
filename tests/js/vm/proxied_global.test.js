// A context's global object may have a Proxy among its prototypes, as the windows of jsdom have.
'use strict';
const assert = require('node:assert');
const vm = require('node:vm');

const asked = [];
const elements = new Proxy({}, {
  has: (_, name) => (asked.push(name), name === 'byName'),
  get: (_, name) => (name === 'byName' ? 'element' : undefined),
  getOwnPropertyDescriptor: (_, name) => (name === 'byName' ? { value: 'element', configurable: true, enumerable: true } : undefined),
});
const sandbox = vm.createContext({ print: (value) => value });
const global = vm.runInContext('this', sandbox);
const middle = Object.create(elements);
Object.setPrototypeOf(sandbox, middle);
Object.setPrototypeOf(global, middle);

assert.strictEqual(vm.runInContext('var a = 1; let b = 2; function f() { return a + b; } f()', sandbox), 3);
assert.strictEqual(vm.runInContext('a + b + f()', sandbox), 6, 'what one script declares the next one has');
assert.strictEqual(sandbox.a, 1);
assert.strictEqual(vm.runInContext('byName', sandbox), 'element');
assert.strictEqual(vm.runInContext('typeof nobody', sandbox), 'undefined');
assert.throws(() => vm.runInContext('let b = 3', sandbox), { name: 'SyntaxError' });
assert.strictEqual(Object.getPrototypeOf(middle), elements, 'the chain is as it was');
assert.strictEqual(vm.runInContext('for (var i = 0; i < 20000; i++) f(); i', sandbox), 20000);
