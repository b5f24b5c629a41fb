// CPU profiles: --cpu-prof, v8.startCpuProfile(), Worker's and the Profiler domain name the function that takes the time; profiles beside
// each other; deep stacks, WebAssembly, regular expressions and collections while samples are taken.
'use strict';

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const inspector = require('node:inspector');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const v8 = require('node:v8');
const { Worker } = require('node:worker_threads');

const kHotLine = 16;

function hot(limit) {
  let sum = 0;
  for (let i = 0; i < limit; i++) sum = (sum * 31 + i) % 1000003;
  return sum;
}

// The processor's time, not the clock's: a busy machine gives samples too.
function workFor(milliseconds) {
  const start = process.cpuUsage().user;
  while (process.cpuUsage().user - start < milliseconds * 1000) hot(100000);
}

const hits = (nodes) => nodes.reduce((sum, node) => sum + node.hitCount, 0);

function check(profile, url, least = 0.5) {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const { callFrame, id } = profile.nodes[0];
  assert.deepStrictEqual(callFrame, { functionName: '(root)', scriptId: '0', url: '', lineNumber: -1, columnNumber: -1 });
  assert.strictEqual(profile.samples.length, profile.timeDeltas.length);
  assert.strictEqual(profile.samples.length, hits(profile.nodes));
  assert(profile.endTime > profile.startTime);
  const total = profile.timeDeltas.reduce((sum, delta) => sum + delta, 0);
  assert(total <= profile.endTime - profile.startTime && profile.timeDeltas.every((delta) => delta >= 0));
  for (const sample of profile.samples) assert(byId.has(sample));
  const children = new Set(profile.nodes.flatMap((node) => node.children ?? []));
  for (const node of profile.nodes) assert(node.id === id || children.has(node.id));
  const found = profile.nodes.filter((node) => node.callFrame.functionName === 'hot');
  assert(found.length > 0, 'hot is in the profile');
  assert.strictEqual(found[0].callFrame.url, url);
  assert.strictEqual(found[0].callFrame.lineNumber, kHotLine);
  assert.strictEqual(found[0].callFrame.columnNumber, 12);
  // On a busy machine a thread often waits for its processor at the end of a system call, here the clock's.
  const others = ['(idle)', '(garbage collector)', 'cpuUsage', 'resourceUsage'];
  const ran = profile.nodes.filter((node) => !others.includes(node.callFrame.functionName));
  assert(hits(found) > hits(ran) * least, `${hits(found)} of ${hits(ran)}`);
  for (const { line, ticks } of found[0].positionTicks ?? []) assert(line > kHotLine && line < kHotLine + 6 && ticks > 0);
}

const here = pathToFileURL(__filename).href;
const handle = v8.startCpuProfile();
const inside = v8.startCpuProfile({ sampleInterval: 0.5, maxBufferSize: 5 });
workFor(150);
const few = JSON.parse(inside.stop());
assert(few.samples.length <= 5 && few.samples.length > 0);
check(JSON.parse(handle.stop()), here);
assert.strictEqual(handle.stop(), undefined);
{
  using unused = v8.startCpuProfile();
  assert(unused !== undefined);
}
assert.throws(() => v8.startCpuProfile({ sampleInterval: -1 }), { code: 'ERR_OUT_OF_RANGE' });
assert.throws(() => v8.startCpuProfile({ maxBufferSize: 0 }), { code: 'ERR_OUT_OF_RANGE' });

const session = new inspector.Session();
session.connect();
const post = (method, params) => {
  let answer;
  session.post(method, params, (error, result) => { answer = error ?? result; });
  return answer;
};
assert.match(post('Profiler.start').message, /Profiler is not enabled/);
post('Profiler.enable');
post('Profiler.setSamplingInterval', { interval: 500 });
post('Profiler.start');
assert.match(post('Profiler.setSamplingInterval', { interval: 500 }).message, /when profiling/);
workFor(150);
check(post('Profiler.stop').profile, here);
assert.match(post('Profiler.stop').message, /No recording profiles found/);
const named = [];
session.on('Profiler.consoleProfileFinished', ({ params }) => named.push(params.title, params.profile.nodes.length > 0));
console.profile('one');
hot(10);
console.profileEnd('one');
session.disconnect();

// Whatever runs, samples are taken and nothing breaks.
const adds = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 27, 1, 25, 1, 1, 127, 3, 64, 32, 1, 32, 0,
  106, 33, 1, 32, 0, 65, 1, 107, 34, 0, 13, 0, 11, 32, 1, 11,
]);
const deep = (n) => (n === 0 ? 0 : 1 + deep(n - 1));
const mixed = v8.startCpuProfile({ sampleInterval: 0.1 });
for (let round = 0; round < 6; round++) {
  new WebAssembly.Instance(new WebAssembly.Module(adds)).exports.f(3_000_000);
  for (let i = 0; i < 100; i++) deep(4000);
  /^(a+)+$/.test(`${'a'.repeat(18)}b`);
  Array.from({ length: 30000 }, (_, i) => ({ i, text: `${i}` }));
  new Function(`return ${round}`)();
  try {
    (function endless() { endless(); })();
  } catch { /* the stack is full */ }
}
const all = JSON.parse(mixed.stop()).nodes.map((node) => node.callFrame.functionName);
assert(all.includes('deep') && all.includes('RegExp: ^(a+)+$'), [...new Set(all)].join());

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'rondo-profile-'));
const file = path.join(folder, 'program.js');
const url = pathToFileURL(file).href;
fs.writeFileSync(file, `${'\n'.repeat(kHotLine)}${hot}\n${workFor}\nworkFor(150);process.argv[2] && process.kill(process.pid, 'SIGTERM');`);
const profilesIn = (name) => fs.readdirSync(path.join(folder, name)).filter((entry) => entry.endsWith('.cpuprofile'));
const read = (...names) => JSON.parse(fs.readFileSync(path.join(folder, ...names), 'utf8'));
const run = (...args) => spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });

assert.strictEqual(run('--cpu-prof', '--cpu-prof-dir=one', '--cpu-prof-interval', '500', file).status, 0);
const [name, more] = profilesIn('one');
assert.match(name, /^CPU\.\d{8}\.\d{6}\.\d+\.0\.000\.cpuprofile$/);
assert.strictEqual(more, undefined);
check(read('one', name), url);
// A program that ends itself by a signal writes its profile first.
assert.strictEqual(run('--cpu-prof', '--cpu-prof-name=own.${pid}.cpuprofile', file, 'die').signal, 'SIGTERM');
assert.match(profilesIn('.')[0], /^own\.\d+\.cpuprofile$/);
check(read(profilesIn('.')[0]), url);
for (const option of ['dir', 'name', 'interval']) {
  const { status, stderr } = run(`--cpu-prof-${option}=1`, file);
  assert.strictEqual(status, 9);
  assert.match(stderr, new RegExp(`--cpu-prof-${option} must be used with --cpu-prof`));
}
assert.strictEqual(run('--cpu-prof', '--cpu-prof-interval=none', file).status, 9);
const denied = run('--cpu-prof', '--cpu-prof-dir=/proc/none', file);
assert.strictEqual(denied.status, 0);
assert.match(denied.stderr, /Failed to write the profile/);

const worker = new Worker("require('worker_threads').parentPort.on('message', () => {})", { eval: true });
worker.once('online', async () => {
  const profile = await worker.startCpuProfile();
  const text = await profile.stop();
  assert.strictEqual(await profile.stop(), text);
  JSON.parse(text);
  await assert.rejects(() => worker.terminate().then(() => worker.startCpuProfile()), { code: 'ERR_WORKER_NOT_RUNNING' });
  assert.deepStrictEqual(named, ['one', true]);
  fs.rmSync(folder, { recursive: true });
});
