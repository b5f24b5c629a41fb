// S155, S161: a synchronous derivation stops everything, an asynchronous one nothing. The same work is counted in ticks of an interval,
// so it does not matter how long it takes.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const fs = require('node:fs');

let ticks = 0;
let immediates = 0;
const interval = setInterval(() => ticks++, 1);

// Enough work for many ticks on any machine: as much as takes half a second here and now.
function roundsFor(milliseconds) {
  const before = process.hrtime.bigint();
  crypto.pbkdf2Sync('pwd', 'salt', 20000, 64, 'sha512');
  const each = Number(process.hrtime.bigint() - before) / 20000 / 1e6;
  return Math.ceil(milliseconds / each);
}
const rounds = roundsFor(125);

function synchronous() {
  const before = ticks;
  setImmediate(() => immediates++);
  for (let i = 0; i < 4; i++) crypto.pbkdf2Sync('pwd', 'salt', rounds, 64, 'sha512');
  assert.strictEqual(ticks, before, 'no timer while the thread is busy');
  assert.strictEqual(immediates, 0, 'no immediate while the thread is busy');
  let hasRead = false;
  fs.readFile(__filename, () => { hasRead = true; });
  crypto.pbkdf2Sync('pwd', 'salt', rounds, 64, 'sha512');
  assert.strictEqual(hasRead, false, 'no file while the thread is busy');
  setImmediate(asynchronous);
}

function asynchronous() {
  const before = ticks;
  let left = 4;
  for (let i = 0; i < 4; i++) {
    crypto.pbkdf2('pwd', 'salt', rounds, 64, 'sha512', (error, key) => {
      assert.ifError(error);
      assert.strictEqual(key.length, 64);
      if (--left > 0) return;
      clearInterval(interval);
      assert.ok(ticks - before >= 5, `${ticks - before} ticks meanwhile`);
    });
  }
  assert.strictEqual(ticks, before, 'starting takes no turn');
}

setTimeout(synchronous, 5);
