// Async functions have their names in stack traces, before and after an await, in one frame.
'use strict';
const assert = require('node:assert');

async function named(useAfter) {
  if (!useAfter) return new Error('here').stack;
  await 0;
  return new Error('here').stack;
}
const arrow = async () => { await 0; return new Error('here').stack; };
class Thing {
  async method() { await 0; return new Error('here').stack; }
  static async create() { return new Error('here').stack; }
}
async function* generator() { yield new Error('here').stack; }

function frames(stack) { return stack.split('\n').slice(1).map((line) => line.trim()); }

async function check(stack, name) {
  const [first, second] = frames(await stack);
  assert.match(first, new RegExp(`^at (Thing\\.|Function\\.)?${name} \\(.*async_names\\.test\\.js:\\d+:\\d+\\)$`));
  assert.doesNotMatch(second ?? '', new RegExp(`^at (Thing\\.|Function\\.)?${name} `));
}

(async () => {
  await check(named(false), 'named');
  await check(named(true), 'named');
  await check(arrow(), 'arrow');
  await check(new Thing().method(), 'method');
  await check(Thing.create(), 'create');
  await check((await generator().next()).value, 'generator');
  const anonymous = await (async function() { await 0; return new Error('here').stack; })();
  assert.match(frames(anonymous)[0], /^at .*async_names\.test\.js:\d+:\d+\)?$/);
  assert.strictEqual(await eval('(async function inEval() { await 0; return new Error("x").stack; })()').then((stack) => /at inEval/.test(stack)), true);
  process.exitCode = 0;
})();
process.exitCode = 3;
