// Every callback of callbacks.js is an io task: its name says what it is and where in the program it comes from, it runs in poll (or
// closing), begins after it was queued, ends, and goes back to the immediate that started all.
const assert = require('node:assert');
const { tasks, of } = require('./support/records.cjs');

const byId = new Map(tasks.map((task) => [task.id, task]));
const start = tasks.find((task) => task.queued.name?.startsWith('start ('));

function causes(task) {
  const chain = [];
  for (let at = task; at !== undefined; at = byId.get(at.queued.cause)) chain.push(at.id);
  return chain;
}

const expected = [
  ['poll', /^fs\.stat → fileCallback \(.*callbacks\.js:\d+:\d+\)$/],
  ['poll', /^fs\.promises\.stat \(.*callbacks\.js:\d+:\d+\)$|^fs\.stat \(.*callbacks\.js:\d+:\d+\)$/],
  ['poll', /^fs\.open.* \(.*callbacks\.js:\d+:\d+\)$/],
  ['poll', /^crypto\.randomFill .*callbacks\.js:\d+:\d+\)$/],
  ['poll', /^dns\.lookup .*callbacks\.js:\d+:\d+\)$/],
  ['poll', /^dns\.lookupService .*callbacks\.js:\d+:\d+\)$/],
  ['poll', /^child exit( → \w+)? \(.*callbacks\.js:\d+:\d+\)$/],
  ['poll', /^signal( → \w+)? \(.*callbacks\.js:\d+:\d+\)$/],
  ['poll', /^fs\.watch( → \w+)? \(.*callbacks\.js:\d+:\d+\)$/],
  ['poll', /^fs\.write.* → writeCallback \(.*callbacks\.js:\d+:\d+\)$|^fs\.open \(.*callbacks\.js:\d+:\d+\)$/],
  ['poll', /^server connection( → \w+)? \(.*callbacks\.js:\d+:\d+\)$/],
  ['poll', /^net\.connect( → \w+)? \(.*callbacks\.js:\d+:\d+\)$/],
  ['poll', /^socket data( → \w+)? \(.*callbacks\.js:\d+:\d+\)$/],
  ['closing', /^close( → \w+)? \(.*callbacks\.js:\d+:\d+\)$/],
];
const io = tasks.filter((task) => task.what === 'io');
for (const [phase, name] of expected) {
  const found = io.find((task) => task.phase === phase && name.test(task.queued.name));
  assert.ok(found, `${name} in ${phase} among\n${io.map((task) => `${task.phase}: ${task.queued.name}`).join('\n')}`);
  assert.ok(found.queued.time <= found.time, `${name} waits`);
  assert.ok(found.end.time >= found.time, `${name} ends`);
  assert.ok(causes(found).includes(start.id), `${name} goes back to the immediate`);
}

assert.ok(io.some((task) => task.phase === 'poll' && task.queued.name.startsWith('message')));

// Readers get the records by time, pool jobs too.
const all = of('job.end');
assert.ok(all.length > 0);
assert.ok(all.every((job) => ['fs', 'dns', 'crypto', 'user'].includes(job.what)));
const { records } = require('./support/records.cjs');
for (let i = 1; i < records.length; i++) assert.ok(records[i - 1].time <= records[i].time, `record ${i}`);
