'use strict';
// node:vm: contexts whose globals live in a sandbox object, scripts, functions, time limits.
const assert = require('node:assert');
const vm = require('node:vm');

const sandbox = vm.createContext({ x: 1, seen: [] });
assert.strictEqual(vm.isContext(sandbox), true);
assert.strictEqual(vm.isContext({}), false);

// Reads, writes and declarations go to the sandbox, while the script still runs too.
sandbox.look = () => sandbox.seen.push(sandbox.declared, typeof sandbox.f);
vm.runInContext('var declared = x + 1; look(); undeclared = 5; function f() { return declared; } let hidden = 3; x = 10;', sandbox);
assert.deepStrictEqual(sandbox.seen, [2, 'function']);
assert.strictEqual(sandbox.x, 10);
assert.strictEqual(sandbox.undeclared, 5);
assert.strictEqual('hidden' in sandbox, false);
sandbox.declared = 7;
assert.strictEqual(vm.runInContext('hidden + f() + undeclared', sandbox), 15);

// The language is the context's own; what the sandbox names itself comes first.
assert.strictEqual(vm.runInContext('[] instanceof Array', sandbox), true);
assert.notStrictEqual(vm.runInContext('Array', sandbox), Array);
assert.strictEqual(vm.runInNewContext('Map', { Map: 'mine' }), 'mine');
assert.strictEqual(vm.runInNewContext('typeof process', {}), 'undefined');
assert.strictEqual(vm.runInContext('this.q = 1; delete globalThis.q; typeof q', sandbox), 'undefined');

const script = new vm.Script('n = (typeof n === "number" ? n : 0) + 1');
const other = vm.createContext();
script.runInContext(other);
script.runInContext(other);
assert.strictEqual(other.n, 2);
assert.strictEqual(vm.runInThisContext('typeof require'), 'undefined');

assert.strictEqual(vm.compileFunction('return a + b', ['a', 'b'])(2, 3), 5);
assert.strictEqual(vm.compileFunction('return a + q', ['a'], { contextExtensions: [{ q: 5 }] })(2), 7);
assert.strictEqual(vm.compileFunction('return typeof Array === "function" && x', [], { parsingContext: sandbox })(), 10);
assert.throws(() => vm.compileFunction('}); (function () {'), SyntaxError);

assert.throws(() => vm.runInNewContext('for (;;);', {}, { timeout: 20 }), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
assert.strictEqual(vm.runInThisContext('1 + 1', { timeout: 10_000 }), 2);
assert.throws(() => vm.runInNewContext('eval("1")', vm.createContext({}, { codeGeneration: { strings: false } })), { name: 'EvalError' });

// Cached data is taken for the same text and refused for another.
const cachedData = new vm.Script('1 + 2').createCachedData();
assert.strictEqual(new vm.Script('1 + 2', { cachedData }).cachedDataRejected, false);
assert.strictEqual(new vm.Script('1 + 2', { cachedData }).runInThisContext(), 3);
assert.strictEqual(new vm.Script('1 + 3', { cachedData }).cachedDataRejected, true);

// Errors show their place in the text.
assert.throws(() => new vm.Script('var a b', 'bad.js'), (error) => {
  assert.ok(error instanceof SyntaxError);
  assert.match(error.stack, /^bad\.js:1\nvar a b\n +\^\n\nSyntaxError/);
  return true;
});
assert.throws(() => vm.runInNewContext('\nthrow new Error("x")', {}, { filename: 'late.js', lineOffset: 10 }), (error) => {
  assert.match(error.stack, /late\.js:12/);
  return true;
});

assert.throws(() => vm.runInContext('1', {}), { code: 'ERR_INVALID_ARG_TYPE' });
assert.rejects(() => vm.runInThisContext('import("fs")'), { code: 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING' });
vm.runInThisContext('import("fs")', { importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER })
  .then((fs) => assert.strictEqual(typeof fs.readFileSync, 'function'));

// Promises of a context settle like any other; its rejections are reported.
const order = [];
vm.runInNewContext('Promise.resolve().then(() => order.push("microtask")); order.push("sync")', { order });
queueMicrotask(() => assert.deepStrictEqual(order, ['sync', 'microtask']));
