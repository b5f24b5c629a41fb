// Profiles and heap snapshots in DevTools' own loader and model, bundled from its sources: they are taken without a complaint, and say what
// the program did.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'devtools-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const sources = 'chrome-devtools-frontend/front_end';
const bundle = path.join(folder, 'devtools.mjs');
await esbuild.build({
  stdin: {
    contents: `export { HeapSnapshotLoader } from '${sources}/entrypoints/heap_snapshot_worker/HeapSnapshotLoader.ts';
export { SecondaryInitManager } from '${sources}/entrypoints/heap_snapshot_worker/HeapSnapshot.ts';
export { CPUProfileDataModel } from '${sources}/models/cpu_profile/CPUProfileDataModel.ts';`,
    resolveDir: process.cwd(),
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile: bundle,
  logLevel: 'error',
  // Made by DevTools' build; the parts that are used here need no texts.
  plugins: [{
    name: 'locales',
    setup(build) {
      const names = ['LOCALES', 'BUNDLED_LOCALES', 'DEFAULT_LOCALE', 'REMOTE_FETCH_PATTERN', 'LOCAL_FETCH_PATTERN'];
      build.onResolve({ filter: /\/locales\.js$/ }, () => ({ path: 'locales', namespace: 'made' }));
      build.onLoad({ filter: /./, namespace: 'made' }, () => ({ contents: names.map((name) => `export const ${name} = '';`).join('\n') }));
    },
  }],
});
const { HeapSnapshotLoader, SecondaryInitManager, CPUProfileDataModel } = await import(pathToFileURL(bundle));

const complaints = [];
for (const name of ['warn', 'error']) console[name] = (...args) => complaints.push(args.join(' '));

const program = `
class Marked { constructor(i) { this.text = 'x' + i; } }
globalThis.list = Array.from({ length: 1000 }, (_, i) => new Marked(i));
function work(count) { let sum = 0; for (let i = 0; i < count; i++) sum += Math.sqrt(i) % 3; return sum; }
function hot() { return work(2e6); }
const until = Date.now() + 500;
do hot(); while (Date.now() < until);
require('v8').writeHeapSnapshot('s.heapsnapshot');`;
fs.writeFileSync(path.join(folder, 'program.js'), program);
const child = spawnSync(process.execPath, ['--cpu-prof', '--cpu-prof-name=p.cpuprofile', '--heap-prof', '--heap-prof-name=p.heapprofile', 'program.js'], { cwd: folder, encoding: 'utf8' });
assert.strictEqual(child.status, 0, child.stderr);

const loader = new HeapSnapshotLoader({ sendEvent() {} });
loader.write(fs.readFileSync(path.join(folder, 's.heapsnapshot'), 'utf8'));
loader.close();
const { port1, port2 } = new MessageChannel();
new SecondaryInitManager(port2);
const snapshot = await loader.buildSnapshot(port1);
port1.close();
port2.close();
const classes = Object.values(snapshot.getAggregatesByClassKey(false, 'all'));
assert.strictEqual(classes.find(({ name }) => name === 'Marked').count, 1000);
assert(snapshot.totalSize > 100_000, snapshot.totalSize);

const profile = new CPUProfileDataModel(JSON.parse(fs.readFileSync(path.join(folder, 'p.cpuprofile'), 'utf8')));
const totals = new Map();
(function add(node) {
  totals.set(node.functionName, Math.max(totals.get(node.functionName) ?? 0, node.total));
  node.children.forEach(add);
})(profile.profileHead);
assert(totals.has('hot') || totals.has('work'), [...totals.keys()].join());
assert(profile.samples.length > 50, profile.samples.length);
assert.deepStrictEqual(complaints, []);
