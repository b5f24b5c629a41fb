// An async function has its name in stacks after the engine has thrown away the code around it, which it does to code that did not run for some
// seconds: the name is read from the program's text then.
// flags: --expose-gc
'use strict';

const assert = require('node:assert');

const kLong = 7000; // ms: the engine keeps code that is interpreted for five seconds
const long = () => new Promise((resolve) => setTimeout(resolve, kLong));

async function declared(id = (1)) { await long(); throw new Error(id); }
const arrow = async (a, { b } = {}) => { await long(); throw new Error(a, b); };
const single = async a => { await long(); throw new Error(a); };
const object = {
  async method() { await long(); throw new Error('method'); },
  prop: async function () { await long(); throw new Error('prop'); },
  async *generator() { await long(); throw new Error('generator'); },
};
class Class {
  async member() { await long(); throw new Error('member'); }
}

const calls = [
  ['declared', declared()],
  ['arrow', arrow()],
  ['single', single()],
  ['Object.method', object.method()],
  ['Object.prop', object.prop()],
  ['Object.generator', object.generator().next()],
  ['Class.member', new Class().member()],
];

async function main() {
  const collecting = setInterval(gc, 100);
  const names = await Promise.all(
    calls.map(([, call]) => call.then(() => 'no error', (error) => /^ {4}at (?:async )?(\S+) \(/.exec(error.stack.split('\n')[1])?.[1] ?? error.stack)),
  );
  clearInterval(collecting);
  assert.deepStrictEqual(names, calls.map(([name]) => name));
}

main();
