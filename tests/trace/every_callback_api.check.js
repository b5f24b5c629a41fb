// S1, S6: the callback of every API is a task with a name, a place, a phase, a wait and a run time, and its causes lead back to who
// started it.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const { apis, release } = require('../fixtures/callback_apis.js');
release();

const records = fs.readFileSync(process.argv[2], 'utf8').trim().split('\n')
  .filter((line) => line.startsWith('{"')).map((line) => JSON.parse(line)).filter((record) => !record.runtime);
const tasks = new Map();
for (const record of records) {
  if (record.kind === 'task.queued') tasks.set(record.id, { ...record, queuedAt: record.time });
  if (record.kind === 'task.begin' && tasks.has(record.id)) Object.assign(tasks.get(record.id), { begunAt: record.time, ranIn: record.phase });
  if (record.kind === 'task.end' && tasks.has(record.id)) tasks.get(record.id).endedAt = record.time;
}
const byName = (start) => [...tasks.values()].find((task) => task.name?.startsWith(`${start} (`));

const failed = [];
for (const [name] of apis) {
  const starter = byName(`start ${name}`);
  const mark = byName(`done ${name}`);
  if (!starter || !mark) {
    failed.push(`${name}: not in the trace`);
    continue;
  }
  const task = tasks.get(mark.cause);
  if (task === undefined) failed.push(`${name}: its callback is no task`);
  else if (!task.name) failed.push(`${name}: no name (${task.what})`);
  else if (!/:\d+:\d+\)?(?: ← worker \d+ #\d+)?$|\(native\)$/.test(task.name)) failed.push(`${name}: no place in ${task.name}`);
  else if (!(task.queuedAt <= task.begunAt && task.begunAt <= task.endedAt)) failed.push(`${name}: no times`);
  else if (!task.ranIn || task.ranIn === 'none') failed.push(`${name}: no phase`);
  let cause = mark;
  for (let i = 0; cause !== undefined && cause.id !== starter.id && i < 500; i++) cause = tasks.get(cause.cause);
  if (cause?.id !== starter.id) failed.push(`${name}: its causes do not lead to its start`);
}
assert.deepStrictEqual(failed, []);
