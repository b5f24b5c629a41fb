// What console.log() shows of a timer: its own fields, not the lists that hold every other timer; the library's frames of a stack are grey.
'use strict';
const assert = require('node:assert');
const { inspect } = require('node:util');

function other() {}
function mine() {}
const timers = [setTimeout(other, 60_000), setTimeout(mine, 60_000), setInterval(mine, 60_000)];
for (const timer of timers.slice(1)) {
  const shown = inspect(timer, { depth: 9 });
  assert.match(shown, /^Timeout \{\n {2}_idleTimeout: 60000,\n {2}_idlePrev: \[Timeout\],\n {2}_idleNext: \[Time(out|rsList)\],\n/);
  assert.match(shown, /_onTimeout: \[Function: mine\]/);
  assert.doesNotMatch(shown, /other/);
}
for (const timer of timers) clearTimeout(timer);

try {
  require('node:fs').readFileSync('/no/such/file');
  assert.fail();
} catch (error) {
  const lines = inspect(error, { colors: true }).split('\n').filter((line) => line.includes('    at '));
  assert.match(lines[0], /^\x1b\[90m {4}at .*\(node:/); // readFileSync's own, not the native function below it
  for (const line of lines) assert.strictEqual(line.startsWith('\x1b[90m    at '), line.includes('node:'), line);
  assert.doesNotMatch(error.stack, /<anonymous>\)/);
}
