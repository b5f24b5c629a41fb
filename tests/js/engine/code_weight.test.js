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

for (const [name, make] of Object.entries(kMakers)) {
  for (let i = 0; i < 25000; i++) make(i);
  const before = residentMb();
  for (let i = 25000; i < 75000; i++) make(i);
  assert.ok(residentMb() - before < 25, `${name}: ${before} to ${residentMb()} MB`);
}
