// Code made from texts and forgotten does not pile up: the collector knows what it weighs beside the heap.
// skip-asan
'use strict';

const assert = require('assert');
const fs = require('fs');

const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'latin1'))[1]) / 1024;

const kMakers = {
  'new Function': (i) => new Function('a', 'b', `return a + b + ${i}`)(1, 2),
  'eval': (i) => (0, eval)(`(function (a) { return a + ${i}; })`)(1),
  'direct eval': (i) => eval(`1 + ${i}`),
  'RegExp': (i) => new RegExp(`a${i}`).test('b'),
};

// A collector that gets no processor for a while lets one round grow; without the weight every round grows by fifty megabytes.
for (const [name, make] of Object.entries(kMakers)) {
  const rounds = [];
  let made = 0;
  for (; made < 25000; made++) make(made);
  do {
    const before = residentMb();
    for (const end = made + 50000; made < end; made++) make(made);
    rounds.push(Math.round(residentMb() - before));
  } while (rounds.at(-1) >= 25 && rounds.length < 6);
  assert.ok(rounds.at(-1) < 25, `${name} grows by ${rounds} MB`);
}
