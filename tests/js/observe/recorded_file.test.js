// rondo see FILE and rondo trace -o run.html FILE: a recording in lines of JSON becomes the page of the run, record for record, with the text of
// those of its files alone that lie in the working folder. So a program in C++ is seen, too: rondo::TraceFile writes such lines.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn, spawnSync } = require('node:child_process');
const readline = require('node:readline');

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-recorded-')));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const rondo = (...args) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

const recordingIn = (page) => JSON.parse(/<script type="application\/json" id="recording">(.*?)<\/script>/s.exec(page)[1]);
const recordsOf = ({ records }) => Buffer.from(records, 'base64');
const kBytes = 32;

// The same program as lines and as a page of it: the records of the page are those of the lines.
fs.writeFileSync(
  path.join(folder, 'app.js'),
  "setTimeout(function later() {}, 1);\nrequire('fs').stat('.', function got() {});\nPromise.resolve().then(function micro() {});\n",
);
assert.strictEqual(rondo('trace', '--json', '-o', 'run.jsonl', 'app.js').status, 0);
const lines = fs.readFileSync(path.join(folder, 'run.jsonl'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
const made = rondo('trace', '-o', 'run.html', 'run.jsonl');
assert.deepStrictEqual([made.status, made.stdout, made.stderr], [0, '', 'rondo trace: wrote run.html\n']);
const recording = recordingIn(fs.readFileSync(path.join(folder, 'run.html'), 'utf8'));
assert.deepStrictEqual([recording.script, recording.live, recording.runtimes.length], ['run.jsonl', false, 1]);
const bytes = recordsOf(recording.runtimes[0]);
assert.strictEqual(bytes.length, lines.length * kBytes);
// Numbers of docs/trace-format.md.
const kinds = { start: 0, iteration: 1, 'phase.begin': 2, 'handle.start': 9, 'task.queued': 12, 'task.begin': 13, 'task.end': 14, 'job.end': 17, exit: 18 };
const phases = { none: 0, timers: 1, poll: 5, check: 6 };
lines.forEach((line, i) => {
  const at = i * kBytes;
  assert.strictEqual(Number(bytes.readBigInt64LE(at)), line.time);
  assert.strictEqual(Number(bytes.readBigInt64LE(at + 8)), line.payload);
  assert.strictEqual(bytes.readUInt32LE(at + 16), line.id);
  assert.strictEqual(bytes.readUInt32LE(at + 20), line.cause);
  assert.strictEqual(recording.runtimes[0].names[bytes.readUInt32LE(at + 24)], line.name);
  if (line.kind in kinds) assert.strictEqual(bytes[at + 28], kinds[line.kind], line.kind);
  if (line.phase in phases) assert.strictEqual(bytes[at + 29], phases[line.phase], line.phase);
  if (line.kind === 'task.begin') assert.strictEqual(bytes[at + 30], { timer: 3, io: 5, microtask: 2, event: 6 }[line.what] ?? bytes[at + 30]);
  if (line.what === 'check') assert.strictEqual(bytes[at + 30], 2);
  assert.strictEqual(bytes[at + 31], line.depth);
});
assert.ok(lines.some((line) => line.name?.startsWith('later (')));
assert.deepStrictEqual(Object.keys(recording.sources), [path.join(folder, 'app.js')]);

// Another's recording names a file outside of the working folder: its text stays here. Lines as rondo::TraceFile writes them.
const secret = path.join(folder, 'outside.cpp');
fs.writeFileSync(secret, 'secret\n');
fs.mkdirSync(path.join(folder, 'work'));
const task = { time: 5, runtime: 0, iteration: 1, phase: 'poll', id: 1, cause: 0, depth: 0, what: 'io', payload: 0 };
const foreign = [
  { ...task, kind: 'task.queued', name: `await in rondo::Coroutine<> session(rondo::Loop &) (${secret}:1:3)` },
  { kind: 'dropped', count: 7 },
  { ...task, time: 6, kind: 'a kind of a later version' },
];
fs.writeFileSync(path.join(folder, 'work', 'cpp.jsonl'), foreign.map((line) => JSON.stringify(line)).join('\n'));

// → the page that `rondo see` serves
async function seen(file) {
  const child = spawn(process.execPath, ['see', file], { cwd: path.join(folder, 'work'), stdio: ['ignore', 'inherit', 'pipe'] });
  const ended = new Promise((resolve) => child.on('exit', (...how) => resolve(how)));
  for await (const line of readline.createInterface({ input: child.stderr })) {
    const answer = await fetch(/http:\S+/.exec(line)[0]);
    const text = await answer.text();
    child.kill('SIGINT');
    assert.deepStrictEqual(await ended, [0, null]);
    return text;
  }
}

async function main() {
  const page = recordingIn(await seen('cpp.jsonl'));
  assert.strictEqual(page.runtimes[0].lost, 7);
  assert.strictEqual(recordsOf(page.runtimes[0]).length, kBytes);
  assert.match(page.runtimes[0].names[1], /^await in rondo::Coroutine<> session/);
  assert.deepStrictEqual(page.sources, {});

  fs.writeFileSync(path.join(folder, 'no.jsonl'), '{"a":1}\n');
  fs.writeFileSync(path.join(folder, 'cut.jsonl'), '{"kind":"start","ti');
  fs.writeFileSync(path.join(folder, 'empty.jsonl'), '');
  for (const [args, message] of [
    [['see', 'no.jsonl'], 'rondo see: no.jsonl is no recording in lines of JSON: make it with rondo trace --json -o no.jsonl\n'],
    [['see', 'cut.jsonl'], 'rondo see: cut.jsonl is no recording in lines of JSON: make it with rondo trace --json -o cut.jsonl\n'],
    [['see', 'empty.jsonl'], 'rondo see: empty.jsonl is empty\n'],
    [['trace', '-o', 'run.html', 'none.jsonl'], "rondo trace: ENOENT: no such file or directory, open 'none.jsonl'\n"],
  ]) {
    const { status, stderr } = rondo(...args);
    assert.deepStrictEqual([status, stderr], [2, message]);
  }
}
main();
