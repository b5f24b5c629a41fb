'use strict';
// Time in native arithmetic that compiled code calls (`%` and ** of fractions) belongs to the function that calls it, also when that one is
// inlined; it is not (program).
const assert = require('node:assert');
const v8 = require('node:v8');

function small(a, b) {
  return (a * 1.5 + b) % 1009.25;
}
function caller(count) {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += small(sum, i);
  return sum;
}
function power(count) {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += (i + 0.5) ** 1.37;
  return sum;
}
function forTime(run, ms) {
  const end = process.cpuUsage().user + ms * 1000;
  while (process.cpuUsage().user < end) run(20_000);
}

function check({ nodes, samples }) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const counts = { all: 0 };
  for (const id of samples) {
    const name = names.get(id);
    // On a busy machine a thread often waits for its processor at the end of a system call, here the clock's.
    if (['(idle)', '(garbage collector)', 'cpuUsage', 'resourceUsage'].includes(name)) continue;
    counts.all++;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  const share = (...wanted) => wanted.reduce((sum, name) => sum + (counts[name] ?? 0), 0) / counts.all;
  const text = JSON.stringify(counts);
  assert.ok(counts.all > 100, text);
  assert.ok(share('(program)') < 0.1, text);
  assert.ok(share('small', 'caller') > 0.35, text);
  assert.ok(share('small') > 0.2, text);
  assert.ok(share('power') > 0.35, text);
}

forTime(caller, 100);
const handle = v8.startCpuProfile();
// Code that was optimised before goes when the program is idle.
setImmediate(() => {
  forTime(caller, 400);
  forTime(power, 400);
  check(JSON.parse(handle.stop()));
  console.log('ok');
});
