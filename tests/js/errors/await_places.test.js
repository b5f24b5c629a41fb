// Frames of async functions that wait stand at their await, and captureStackTrace(…, f) leaves an async function f out after an await, too.
'use strict';
const assert = require('node:assert');

async function one() { await null; throw new Error('x'); }
async function two(){
  const a = 1 + await one(1, 2);
}
async function three() {
  await two(
    1
  );
}
async function four() { for (const x of [1]) { const y = x ? await three() : 0; } }
const f = async () => { await four(); };

async function checkPlaces() {
  const error = await f().catch((error) => error);
  const places = [...error.stack.matchAll(/at async (\w+) \(.*:(\d+:\d+)\)/g)].map(([, name, place]) => `${name} ${place}`);
  assert.deepStrictEqual(places.slice(0, 4), ['two 7:17', 'three 10:3', 'four 14:62', 'f 15:25']);
}

async function rejected() {
  await assert.rejects(Promise.reject(null), { code: 'FOO' });
}

async function checkRejects() {
  const { stack } = await rejected().catch((error) => error);
  assert.match(stack, /\n {4}at async rejected \(.*:24:3\)/);
  assert.doesNotMatch(stack, /at.*assert/i);
}

// Its body before and after an await.
async function taken(where, wait) {
  if (wait) await null;
  Error.captureStackTrace(where, taken);
}

async function checkCapture() {
  const sync = {};
  const later = {};
  const caller = () => taken(sync, false);
  await caller();
  assert.match(sync.stack, /^.*\n {4}at caller /);
  await taken(later, true);
  assert.match(later.stack, /\n {4}at async checkCapture /);
  assert.doesNotMatch(later.stack, /taken/);
}

// The drain of ticks has Node's name in stacks.
function checkTicks() {
  process.nextTick(() => assert.match(new Error('tick').stack, /\n {4}at process\.processTicksAndRejections \(node:/));
}

(async () => {
  await checkPlaces();
  await checkRejects();
  await checkCapture();
  checkTicks();
})();
