// Heap profiles: --heap-prof, v8.startHeapProfile(), Worker's and the HeapProfiler domain name the function whose objects live; dead ones are
// left out unless asked for.
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

const kKeepsLine = 15;
function keeps(count) { return Array.from({ length: count }, (_, i) => ({ i, next: [i] })); }
function drops(count) { for (let i = 0; i < count; i++) ({ i, next: [i] }).next.push(i); }

function sizesOf(profile) {
  const sizes = {};
  const ids = new Set();
  let found;
  (function walk(node, path) {
    assert(Array.isArray(node.children) && !ids.has(node.id) && node.selfSize >= 0);
    ids.add(node.id);
    if (node.callFrame.functionName === 'keeps') found = node.callFrame;
    for (const name of new Set([...path, node.callFrame.functionName])) sizes[name] = (sizes[name] ?? 0) + node.selfSize;
    for (const child of node.children) walk(child, [...path, node.callFrame.functionName]);
  })(profile.head, []);
  assert.strictEqual(profile.head.callFrame.functionName, '(root)');
  for (const { nodeId, size, ordinal } of profile.samples) assert(ids.has(nodeId) && size > 0 && ordinal > 0);
  assert.strictEqual(profile.samples.reduce((sum, { size }) => sum + size, 0), sizes['(root)']);
  return { sizes, found };
}

const handle = v8.startHeapProfile({ sampleInterval: 16384, stackDepth: 64, forceGC: true });
assert.throws(() => v8.startHeapProfile(), { code: 'ERR_HEAP_PROFILE_HAVE_BEEN_STARTED' });
let kept = keeps(200000);
drops(200000);
const { sizes, found } = sizesOf(JSON.parse(handle.stop()));
assert.strictEqual(handle.stop(), undefined);
assert.strictEqual(found.url, pathToFileURL(__filename).href);
assert.strictEqual(found.lineNumber, kKeepsLine);
assert(sizes.keeps > 200000 * 32 && sizes.keeps < 200000 * 400, `${sizes.keeps} bytes`);
assert((sizes.drops ?? 0) < sizes.keeps / 10, `${sizes.drops} of ${sizes.keeps}`);
assert.strictEqual(kept.length, 200000);
kept = undefined;

const all = v8.startHeapProfile({
  sampleInterval: 16384,
  forceGC: true,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
});
drops(200000);
assert(sizesOf(JSON.parse(all.stop())).sizes.drops > 200000 * 32);
for (const wrong of [{ sampleInterval: 0 }, { sampleInterval: 1.5 }, { stackDepth: -1 }, { forceGC: 1 }, 'x']) {
  assert.throws(() => v8.startHeapProfile(wrong), /ERR_OUT_OF_RANGE|ERR_INVALID_ARG_TYPE/);
}

const session = new inspector.Session();
session.connect();
const post = (method, params) => {
  let answer;
  session.post(method, params, (error, result) => { answer = error ?? result; });
  return answer;
};
assert.match(post('HeapProfiler.stopSampling').message, /not started/);
post('HeapProfiler.startSampling', { samplingInterval: 16384 });
kept = keeps(100000);
assert(sizesOf(post('HeapProfiler.getSamplingProfile').profile).sizes.keeps > 0);
assert(sizesOf(post('HeapProfiler.stopSampling').profile).sizes.keeps > 0);
post('HeapProfiler.startSampling');
session.disconnect(); // ends it
v8.startHeapProfile().stop();

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'rondo-heap-'));
const file = path.join(folder, 'program.js');
fs.writeFileSync(file, `${'\n'.repeat(kKeepsLine)}${keeps}\nglobalThis.kept = keeps(100000);`);
const run = (...args) => spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
assert.strictEqual(run('--heap-prof', '--heap-prof-dir=out', '--heap-prof-interval=16384', file).status, 0);
const [name] = fs.readdirSync(path.join(folder, 'out'));
assert.match(name, /^Heap\.\d{8}\.\d{6}\.\d+\.0\.000\.heapprofile$/);
const written = sizesOf(JSON.parse(fs.readFileSync(path.join(folder, 'out', name), 'utf8')));
assert.strictEqual(written.found.lineNumber, kKeepsLine);
assert(written.sizes.keeps > 100000 * 32);
assert.match(run('--heap-prof-dir=out', file).stderr, /--heap-prof-dir must be used with --heap-prof/);

const worker = new Worker("require('worker_threads').parentPort.on('message', () => {})", { eval: true });
worker.once('online', async () => {
  const profile = await worker.startHeapProfile();
  await assert.rejects(() => worker.startHeapProfile(), { code: 'ERR_HEAP_PROFILE_HAVE_BEEN_STARTED' });
  JSON.parse(await profile.stop());
  await worker.terminate();
  fs.rmSync(folder, { recursive: true });
});
