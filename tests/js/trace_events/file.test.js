// The file of --trace-event-categories: the events of each category, names and arguments as Node's, and the names of files.
'use strict';

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trace-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

// The events of a program that ran with these options, without the metadata.
function run(code, options, { file = 'node_trace.1.log', status = 0, env } = {}) {
  const child = spawnSync(process.execPath, [...options, '-e', code], { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' });
  assert.strictEqual(child.status, status, child.stderr);
  const text = fs.readFileSync(path.join(folder, file.replaceAll('PID', child.pid)), 'utf8');
  const { traceEvents } = JSON.parse(text);
  for (const event of traceEvents) {
    assert.strictEqual(event.pid, child.pid);
    assert.strictEqual(typeof event.ts, 'number');
  }
  return { events: traceEvents.filter(({ cat }) => cat !== '__metadata'), metadata: traceEvents.filter(({ cat }) => cat === '__metadata') };
}
const trace = (categories, code) => run(code, ['--trace-event-categories', categories]);
const named = (events, name) => events.filter((event) => event.name === name);
const phases = (events, name) => named(events, name).map(({ ph }) => ph).join('');

{
  const { events } = trace('node.fs.sync,node.fs_dir.sync', 'fs.writeFileSync("f", "x"); fs.readFileSync("f"); fs.readdirSync("."); fs.unlinkSync("f"); fs.opendirSync(".").closeSync(); try { fs.statSync("none") } catch {}');
  for (const name of ['open', 'write', 'close', 'fstat', 'read', 'readdir', 'unlink', 'stat']) assert.match(phases(events, `fs.sync.${name}`), /^(?:BE)+$/, name);
  assert.strictEqual(phases(events, 'fs_dir.sync.opendir'), 'X');
  assert(events.every(({ cat }) => cat === 'node,node.fs,node.fs.sync' || cat === 'node,node.fs_dir,node.fs_dir.sync'));
}
{
  const { events } = trace('node.fs.async', 'fs.mkdtemp("x", (error, name) => fs.rmdir(name, () => fs.stat("none", () => {})))');
  assert.deepStrictEqual(['mkdtemp', 'rmdir', 'stat'].map((name) => phases(events, name)), ['be', 'be', 'be']);
  const [begin, end] = named(events, 'stat');
  assert.deepStrictEqual([begin.args, end.args, begin.id], [{ path: 'none' }, { result: -2 }, end.id]);
}
{
  const { events } = trace('node.async_hooks', 'setTimeout(() => {}, 1)');
  assert.strictEqual(phases(events, 'Timeout'), 'be');
  assert.strictEqual(phases(events, 'Timeout_CALLBACK'), 'BE');
  assert.deepStrictEqual(named(events, 'Timeout')[0].args.data, { triggerAsyncId: 1, executionAsyncId: 1 });
}
{
  const { events } = trace('node.console', 'console.time("a"); console.timeLog("a"); console.timeEnd("a"); console.count("b"); console.countReset("b")');
  assert.strictEqual(phases(events, 'time::a'), 'bne');
  assert.deepStrictEqual(named(events, 'count::b').map(({ ph, args }) => [ph, args.data]), [['C', 1], ['C', 0]]);
}
{
  const { events } = trace('node.http,node.net.native', 'const server = http.createServer((q, s) => { s.end(); server.close(); }).listen(0, () => http.get({ port: server.address().port, path: "/p", agent: false }, (answer) => answer.resume()))');
  assert.deepStrictEqual(named(events, 'http.client.request')[1].args.data, { path: '/p', statusCode: 200 });
  assert.deepStrictEqual(named(events, 'http.server.request')[1].args.data, { url: '/p', statusCode: 200 });
  const [begin, end] = named(events, 'connect');
  assert.strictEqual(typeof begin.args.port, 'number');
  assert.deepStrictEqual([begin.cat, end.args], ['node,node.net,node.net.native', { status: 0 }]);
}
{
  const { events } = trace('node.vm.script,node.module_timer,node.promises.rejections', 'require("vm").runInNewContext("1"); process.on("unhandledRejection", () => {}); Promise.reject(1)');
  assert.deepStrictEqual([phases(events, 'ContextifyScript::New'), phases(events, 'RunInContext'), phases(events, "require('vm')")], ['BE', 'X', 'be']);
  assert.deepStrictEqual(named(events, 'rejections')[0].args, { unhandled: 1, handledAfter: 0 });
}
{
  const { events } = trace('node.threadpoolwork.sync,node.threadpoolwork.async,node.dns.native', 'crypto.pbkdf2("a", "b", 1, 8, "sha1", () => {}); zlib.gzip("x", () => {}); dns.lookup("localhost", () => {})');
  for (const name of ['crypto', 'zlib']) assert.deepStrictEqual(phases(events, name).split('').sort().join(''), 'BEbe', name);
  assert.strictEqual(phases(events, 'lookup'), 'be');
}
{
  const { events } = trace('node.environment,node.bootstrap', 'setImmediate(() => {}); setTimeout(() => {}, 1)');
  for (const name of ['Environment', 'CheckImmediate', 'RunAndClearNativeImmediates', 'RunTimers', 'BeforeExit', 'RunCleanup', 'AtExit']) assert(named(events, name).length > 0, name);
  for (const name of ['nodeStart', 'v8Start', 'environment', 'bootstrapComplete', 'loopStart', 'loopExit']) assert.strictEqual(phases(events, name), 'I', name);
  assert(named(events, 'nodeStart')[0].ts <= named(events, 'loopStart')[0].ts);
}
{
  const { events } = trace('v8', 'for (let i = 0; i < 20; i++) new Array(1e6).fill(i); setImmediate(() => {})');
  assert(events.some(({ name }) => name.startsWith('V8.GC')), 'a collection');
}
{
  // Metadata alone; names of files; an exit code; workers write into the same file.
  const { events, metadata } = run('process.title = "other"; process.exit(3)', ['--trace-event-categories', '""', '--title=first'], { status: 3 });
  assert.deepStrictEqual(events, []);
  assert.deepStrictEqual(metadata.filter(({ name }) => name === 'process_name').map(({ args }) => args.name).sort(), ['first', 'other']);
  assert.strictEqual(metadata.find(({ name }) => name === 'version').args.node, process.versions.node);
  run('0', ['--trace-events-enabled', '--trace-event-file-pattern', '${pid}-${rotation}-${pid}.json'], { file: 'PID-1-PID.json' });
  run('0', [], { env: { NODE_OPTIONS: '--trace-event-categories=node.fs.sync' } });
  const worker = trace('node.async_hooks', 'new (require("worker_threads").Worker)("setTimeout(() => {}, 1)", { eval: true, name: "w" })');
  assert(worker.metadata.some(({ name, args }) => name === 'thread_name' && args.name === '[worker 1] w'));
  assert.strictEqual(phases(worker.events, 'Timeout'), 'be');
}
{
  // Events while a set is on are in the file, later ones are not.
  const { events } = run('const set = require("trace_events").createTracing({ categories: ["node.fs.sync"] }); set.enable(); fs.statSync("."); set.disable(); fs.lstatSync(".")', []);
  assert.deepStrictEqual(events.map(({ name }) => name), ['fs.sync.stat', 'fs.sync.stat']);
}
{
  // A program with --permission writes no file where it may not write.
  const code = 'const set = require("trace_events").createTracing({ categories: ["node"] }); try { set.enable() } catch (error) { console.log(error.code, error.permission, error.resource, set.enabled) }';
  const child = spawnSync(process.execPath, ['--permission', '--allow-fs-read=*', '-e', code], { cwd: fs.mkdtempSync(path.join(folder, 'no-')), encoding: 'utf8' });
  assert.deepStrictEqual([child.status, child.stdout], [0, 'ERR_ACCESS_DENIED FileSystemWrite node_trace.1.log false\n'], child.stderr);
  for (const name of fs.readdirSync(folder).filter((entry) => entry.startsWith('no-'))) assert.deepStrictEqual(fs.readdirSync(path.join(folder, name)), []);
}
{
  // A file that cannot be written is told once, and the program runs.
  const child = spawnSync(process.execPath, ['--trace-event-categories', 'node', '--trace-event-file-pattern', '/none/such/file', '-p', '1'], { cwd: folder, encoding: 'utf8' });
  assert.deepStrictEqual([child.status, child.stdout, child.stderr], [0, '1\n', 'Could not open trace file /none/such/file: No such file or directory\n']);
}
