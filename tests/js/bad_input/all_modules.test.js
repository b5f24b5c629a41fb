'use strict';
// Every exported function, constructor and method of every builtin module, fed every kind of wrong value in child processes: it
// may throw what it likes, it may not crash, hang or depend on luck.
const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const kGroups = [
  ['v8'], // alone: its snapshots of a heap that the others have filled take seconds
  ['assert', 'assert/strict', 'async_hooks', 'buffer', 'console', 'constants', 'diagnostics_channel', 'events'],
  ['fs', 'fs/promises', 'module', 'os', 'path', 'path/posix', 'path/win32', 'perf_hooks', 'process', 'punycode', 'querystring'],
  ['crypto', 'dns', 'dns/promises', 'net', 'readline', 'readline/promises', 'stream', 'stream/consumers', 'stream/promises',
    'stream/web', 'string_decoder', 'child_process'],
  ['sys', 'timers', 'timers/promises', 'tty', 'url', 'util', 'util/types', 'vm', 'worker_threads', 'globals'],
];
// Not listed above because they run, print or wait by themselves.
const kElsewhere = new Set(['test', 'test/reporters', 'repl', 'inspector', 'inspector/promises']);

// What would end, replace or silence the process, or touch what is not ours.
const kLeaveAlone = new Set([
  'process.abort', 'process.exit', 'process.reallyExit', 'process.kill', 'process._kill', 'process._debugProcess', 'process.execve', 'process.emit',
  'process._fatalException', 'process.setuid', 'process.seteuid', 'process.setgid', 'process.setegid', 'process.initgroups',
  'process.setgroups', 'process.on', 'process.once', 'process.addListener', 'process.openStdin', 'process.removeAllListeners',
  'process.setUncaughtExceptionCaptureCallback', 'process.addUncaughtExceptionCaptureCallback', 'process.dlopen', 'process.binding',
  'os.setPriority', 'console.clear', 'globals.eval', 'globals.Function', 'globals.gc', 'v8.setFlagsFromString',
  'v8.writeHeapSnapshot', 'child_process.exec', 'child_process.execSync', 'module.runMain', 'module.syncBuiltinESMExports',
  'cluster.fork',  // each would run this file anew
]);

function wrongValues() {
  const detached = new ArrayBuffer(8);
  const emptied = new Uint8Array(detached);
  structuredClone(detached, { transfer: [detached] });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const circle = {};
  circle.self = circle;
  const thrower = () => { throw new Error('on purpose'); };
  return [
    undefined, null, true, NaN, -1, 1.5, 1e300, 2 ** 53, -0, 10n, 2n ** 70n, '', 'text', '\ud800', 'x'.repeat(5_000), Symbol('s'),
    Symbol.iterator, {}, [], [[]], circle, () => {}, thrower, class {}, new Date(NaN), /x/g, new Map([[1, 2]]), new Uint8Array(4), emptied, detached,
    new DataView(new ArrayBuffer(2)), new Proxy({}, {}), new Proxy(() => {}, { apply: thrower, get: thrower }), revoked.proxy,
    { get length() { throw new Error('on purpose'); } }, { length: 2 ** 53 - 1 }, { then: thrower }, { [Symbol.toPrimitive]: thrower },
    { toString: thrower, valueOf: thrower }, Object.create(null), new (class extends Array {})(3),
  ];
}

const seconds = [undefined, -1, {}, () => {}];  // in turn

function feed(call) {
  const settle = (result) => {
    try {
      if (result instanceof Promise) result.catch(() => {});
      if (typeof result?.on === 'function') result.on('error', () => {});
    } catch {
      // A result that throws when looked at is a result.
    }
  };
  wrongValues().forEach((first, i) => {
    try {
      settle(call([first, seconds[i % seconds.length], first]));
    } catch {
      // Any error will do.
    }
  });
  try {
    settle(call([]));
  } catch {
    // Any error will do.
  }
}

function* functionsOf(id) {
  const module = id === 'globals' ? globalThis : require(`node:${id}`);
  for (const name of Object.getOwnPropertyNames(module).sort()) {
    const full = `${id}.${name}`;
    if (kLeaveAlone.has(full) || (id === 'globals' && /^(process|global|globalThis|console|require|exports|module)$/.test(name))) continue;
    const value = Object.getOwnPropertyDescriptor(module, name).value ?? module[name];
    if (typeof value !== 'function') continue;
    yield [full, (args) => Reflect.apply(value, module, args)];
    yield [`new ${full}`, (args) => Reflect.construct(value, args)];
    const { prototype } = value;
    if (typeof prototype !== 'object' || prototype === null || id === 'globals') continue;
    for (const method of Reflect.ownKeys(prototype)) {
      const { value: inner, get } = Object.getOwnPropertyDescriptor(prototype, method);
      if (typeof get === 'function') yield [`get ${full}#${String(method)}`, ([self]) => Reflect.apply(get, self, [])];
      if (typeof inner !== 'function' || method === 'constructor') continue;
      yield [`${full}#${String(method)}`, ([self, ...rest]) => Reflect.apply(inner, self, rest)];
    }
  }
}

async function child(group) {
  const marker = process.stdout.fd;
  const say = (text) => fs.writeSync(marker, `${text}\n`);
  process.on('uncaughtException', () => {});
  process.on('unhandledRejection', () => {});
  process.removeAllListeners('warning');
  process.on('warning', () => {});
  // Held now: what is fed may break the globals.
  const { setImmediate } = globalThis;
  const exit = process.reallyExit;
  const { kill } = process;
  const pid = process.pid;
  const leave = process.env.RONDO_WALK_VERBOSE === '1';
  for (const id of kGroups[group]) {
    try {
      require(`node:${id}`);
    } catch {
      if (id !== 'globals') continue;
    }
    for (const [name, call] of functionsOf(id)) {
      if (leave) fs.writeSync(2, `${name}\n`);
      feed(call);
    }
  }
  let turns = 20;
  setImmediate(function turn() {
    if (--turns > 0) return setImmediate(turn);
    say('walked');
    exit.call(process, 0);
    kill.call(process, pid, 'SIGKILL');
  });
}

function parent() {
  const { builtinModules } = require('node:module');
  const listed = new Set(kGroups.flat());
  for (const id of builtinModules) {
    const bare = id.replace(/^node:/, '');
    if (bare.startsWith('_') || kElsewhere.has(bare)) continue;
    if (!listed.has(bare)) kGroups[kGroups.length - 1].unshift(bare);
  }
  const walkers = [];
  // The first group that fails ends this process: the others must not walk on without it.
  process.on('exit', () => { for (const walker of walkers) walker.kill('SIGKILL'); });
  kGroups.forEach((group, index) => {
    const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-walk-'));
    const walker = spawn(process.execPath, [__filename, String(index), group.join()], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    walkers.push(walker);
    let output = '', errors = '';
    walker.stdout.on('data', (chunk) => { output = (output + chunk).slice(-1e4); });
    walker.stderr.on('data', (chunk) => { errors = (errors + chunk).slice(-4000); });
    walker.on('close', (code, signal) => {
      fs.rmSync(cwd, { recursive: true, force: true });
      assert.strictEqual(signal, null, `${group}: ended by ${signal}\n${errors}`);
      assert.strictEqual(code, 0, `${group}: exit code ${code}\n${errors}`);
      assert.ok(output.includes('walked\n'), `${group}: did not finish\n${errors}`);
    });
  });
}

if (process.argv.length > 2) {
  kGroups[Number(process.argv[2])] = process.argv[3].split(',');
  child(Number(process.argv[2]));
} else {
  parent();
}
