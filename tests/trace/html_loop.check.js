// Each source's task begins and ends once, in the order of the clock; the frame lies inside of its rendering; spinning is marked.
'use strict';
const assert = require('assert');
const records = require('fs').readFileSync(process.argv[2], 'utf8').split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
const names = new Map();
for (const record of records) if (record.kind === 'task.queued') names.set(record.id, { name: record.name ?? '', what: record.what });
const steps = records.filter(({ kind }) => kind === 'task.begin' || kind === 'task.end');
const at = (kind, pattern) => steps.findIndex((record) => record.kind === kind && pattern.test(names.get(record.id)?.name ?? ''));
for (const name of [/^networking task/, /^posted message task/, /^timer task/, /^update the rendering/, /^animation frame/, /^idle callback/, /^legacy blocking/]) {
  const begin = at('task.begin', name);
  const end = at('task.end', name);
  assert(begin >= 0 && end > begin, `${name}: ${begin}, ${end}`);
}
assert(at('task.begin', /^idle period of [\d.]+ ms/) >= 0);
assert(at('task.begin', /^update the rendering/) < at('task.begin', /^animation frame/));
assert(at('task.end', /^animation frame/) < at('task.end', /^update the rendering/));
assert([...names.values()].some(({ what }) => what === 'microtask'));
for (let i = 1; i < steps.length; i++) assert(steps[i].time >= steps[i - 1].time);
