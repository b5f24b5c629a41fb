'use strict';
// S85: no function of ours that takes a callback calls it before it returns. Walks every builtin module and calls each exported
// function, with right and with wrong arguments before the callback. Functions whose callback is by contract part of the call
// (predicates, executors, wrappers) are named below.
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { builtinModules } = require('node:module');

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-s85-'));
process.chdir(root);  // some calls make files with names of one word
const folder = path.join(root, 'folder');
fs.mkdirSync(folder);
const file = path.join(folder, 'file');
fs.writeFileSync(file, 'text');
const fd = fs.openSync(file, 'r+');

// The callback is called within the call because that is what the function is for.
const kByContract = new Map(Object.entries({
  'assert': /./,  // throws, rejects, doesNotThrow … run it
  'assert/strict': /./,
  'async_hooks': /^(AsyncResource|AsyncLocalStorage|createHook)$/,
  'diagnostics_channel': /./,  // runStores, traceSync
  'events': /./,  // emitters call listeners within emit
  'test': /./,
  'vm': /./,
  'util': /^(promisify|callbackify|deprecate|inherits|debuglog|debug|transferableAbortSignal|inspect|format|formatWithOptions|isDeepStrictEqual|styleText|aborted)$/,
  'module': /./,  // hooks and wrappers
  'inspector': /./,  // open and waitForDebugger wait
  'inspector/promises': /./,
  'repl': /./,  // start() prompts
  'v8': /./,
  'perf_hooks': /^(timerify|PerformanceObserver)$/,
  'stream': /^(Readable|Writable|Duplex|Transform|PassThrough|Stream|compose|default)$/,
  'stream/web': /./,
  'stream/promises': /^pipeline$/,  // a function at the end is a stage of the pipeline
  'worker_threads': /./,
  'buffer': /./,
  'console': /./,
  'url': /./,
  'querystring': /./,
  'process': /^(_.*|emit.*|loadEnvFile|exit|reallyExit|abort|kill|execve|dlopen|set.*|initgroups|add.*|on|once|prepend.*|off|openStdin|remove.*|chdir)$/,
  'child_process': /^(_forkChild|.*Sync|fork)$/,
  'cluster': /./,  // would start this test again
  'domain': /./,  // emitters
}));
const kNeverCalled = /^(_|internal)/;

// A stream for each module: one that has been through every server and client of this process is a whole world to describe.
const makeArgumentLists = () => [
  [], [file], [folder], [file, {}], [file, 'utf8'], [path.join(folder, 'missing')], [path.join(folder, 'missing'), {}], [fd], [fd, {}],
  [fd, Buffer.alloc(4), 0, 4, 0], [fd, [Buffer.alloc(4)]], [file, 0o600], [file, 'x'], [file, 1, 1], [fd, 1, 1], ['127.0.0.1'],
  ['127.0.0.1', {}], [8], [Buffer.alloc(8)], ['not a thing'], [null], [{}],
  [path.join(folder, 'new'), 'data'], [path.join(folder, 'a'), path.join(folder, 'b')], [new (require('node:stream').PassThrough)()],
];

// Only programs to start: other modules would write to that file, or remove it.
const programLists = [[process.execPath, ['-v']], [process.execPath], [null]];

let isInside = false;
const called = [];

function tryOne(name, fn, self, args) {
  const callback = () => { if (isInside) called.push(`${name}(${args.map(String).join(', ').slice(0, 60)})`); };
  isInside = true;
  let result;
  try {
    result = Reflect.apply(fn, self, [...args, callback]);
  } catch {
    // Wrong arguments are refused before anything begins.
  }
  isInside = false;
  forget(result);
}

// What was started must not keep the test alive.
function forget(result) {
  try {
    if (result instanceof Promise) result.catch(() => {});
    if (typeof result?.on === 'function') result.on('error', () => {});
    result?.unref?.();
    if (typeof result?.close === 'function' && result !== process) result.close();
    if (typeof result?.destroy === 'function') result.destroy();
    if (typeof result?.kill === 'function') result.kill('SIGKILL');
  } catch {
    // It was not open.
  }
}

process.on('exit', () => fs.rmSync(root, { recursive: true, force: true }));
process.on('warning', () => {});
process.noDeprecation = true;

let walked = 0;
for (const id of [...builtinModules, 'globals']) {
  if (kNeverCalled.test(id)) continue;
  const argumentLists = makeArgumentLists();
  const module = id === 'globals' ?
    { setTimeout, setInterval, setImmediate, queueMicrotask } : require(id);
  for (const name of Object.keys(module).sort()) {
    if (kByContract.get(id.replace('node:', ''))?.test(name) || /Sync$/.test(name)) continue;
    const value = module[name];
    if (typeof value !== 'function' || /^class\b/.test(Function.prototype.toString.call(value))) continue;
    walked++;
    const lists = id === 'child_process' ? programLists : argumentLists;
    for (const args of lists) tryOne(`${id}.${name}`, value, module, args);
  }
}

// Methods that take a callback.
const { Dir } = fs;
const dir = fs.opendirSync(folder);
tryOne('fs.Dir#read', Dir.prototype.read, dir, []);
const { PassThrough, finished, pipeline } = require('node:stream');
for (const make of [() => new PassThrough(), () => new PassThrough().end(), () => new PassThrough().destroy()]) {
  const stream = make();
  stream.on('error', () => {});
  tryOne('stream.write', stream.write, stream, ['x']);
  tryOne('stream.end', stream.end, stream, ['x']);
  tryOne('stream.finished', finished, undefined, [stream]);
  tryOne('stream.pipeline', pipeline, undefined, [make().on('error', () => {}), make().on('error', () => {})]);
}
const server = require('node:net').createServer();
tryOne('Server#close (not open)', server.close, server, []);
tryOne('Server#listen', server.listen, server, [0, '127.0.0.1']);
tryOne('Server#getConnections', server.getConnections, server, []);
tryOne('Server#close', server.close, server, []);

assert.deepStrictEqual(called, []);
assert.ok(walked > 100, `${walked} functions`);
process.exit(0);
