// What the judges of tests/trace share: reads the records that `rondo trace --json` wrote and offers a few views of them.
'use strict';

const fs = require('node:fs');

// Of every runtime; and those of the main one, which the views below are of.
const all = fs.readFileSync(process.argv[2], 'utf8').split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
const records = all.filter((r) => !r.runtime);
const exitCode = Number(process.argv[3]);

const of = (kind, what) => records.filter((r) => r.kind === kind && (what === undefined || r.what === what));
const queued = new Map(of('task.queued').map((r) => [r.id, r]));
const ends = Map.groupBy(of('task.end'), (r) => r.id);

// Tasks as one object each: queued, begin, end records and a name without its place.
const tasks = of('task.begin').filter((r) => r.what !== 'script').map((begin) => ({
  ...begin,
  name: (queued.get(begin.id)?.name ?? '').replace(/ \(.*/, ''),
  queued: queued.get(begin.id),
  end: ends.get(begin.id)?.find((r) => r.time >= begin.time),
}));

const task = (name) => tasks.find((t) => t.name === name);

module.exports = { all, records, exitCode, of, tasks, task };
