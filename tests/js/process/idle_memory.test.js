// Garbage of a burst of work is collected when the program is idle, long before the engine's own threshold; nothing keeps the
// program alive for it.
'use strict';
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const { test } = require('node:test');

function burst() {
  const kept = [];
  for (let i = 0; i < 60_000; i++) kept.push({ text: `piece ${i}`, list: [i, i + 1] });
  return kept.length;
}

test('garbage goes when the program is idle', { timeout: 30_000 }, async () => {
  let tell;
  const gone = new Promise((resolve) => { tell = resolve; });
  const registry = new FinalizationRegistry((name) => tell(name));
  // Several: the stack may still hold the last one by chance.
  for (let i = 0; i < 20; i++) registry.register({ garbage: true }, 'collected');
  setImmediate(burst);
  const waits = setInterval(() => {}, 1000);    // keeps the loop, and allocates nothing to speak of
  assert.strictEqual(await gone, 'collected');
  clearInterval(waits);
  assert.ok(registry);    // it was there all the time
});

test('a program does not wait for it', { timeout: 30_000 }, () => {
  const text = `${burst}; setImmediate(() => { burst(); process.on('exit', () => console.log(performance.now() < 20_000)); });`;
  assert.strictEqual(execFileSync(process.execPath, ['-e', text], { encoding: 'utf8' }), 'true\n');
});
