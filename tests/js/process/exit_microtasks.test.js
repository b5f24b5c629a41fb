// When a program ends by itself, what its 'exit' listeners left to microtasks runs: they may change the code, fail, and leave
// rejections. Ticks are not taken, and after process.exit() nothing runs.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');

function run(code) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' });
  return { status, out: stdout.trim().split('\n').join(' '), stderr };
}

const listener = (body) => `process.on('exit', () => { console.log('exit'); ${body} }); process.on('exit', () => console.log('second'));`;

const plain = run(listener(`
  process.nextTick(() => console.log('tick'));
  queueMicrotask(() => { console.log('microtask'); process.exitCode = 5; });
  (async () => { await 1; console.log('awaited'); setImmediate(() => console.log('immediate')); })();`));
assert.deepStrictEqual([plain.out, plain.status], ['exit second microtask awaited', 5]);

const thrown = run(listener(`queueMicrotask(() => { throw new Error('late'); }); queueMicrotask(() => console.log('not reached'));`));
assert.deepStrictEqual([thrown.out, thrown.status], ['exit second', 1]);
assert.match(thrown.stderr, /Error: late/);

const rejected = run(listener(`Promise.reject(new Error('nobody'));`));
assert.strictEqual(rejected.status, 1);
assert.match(rejected.stderr, /Error: nobody/);

const called = run(`${listener(`queueMicrotask(() => console.log('microtask'));`)} process.exit(3);`);
assert.deepStrictEqual([called.out, called.status], ['exit second', 3]);

// A thrown proxy ends the program with 1, whatever its traps do.
for (const made of [`new Proxy({}, {})`, `new Proxy(new Error('e'), { get() { throw new Error('trap'); } })`,
  `new Proxy({}, { getPrototypeOf() { throw new Error('trap'); } })`, `(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; })()`,
  `{ get sourceURL() { throw new Error('trap'); } }`]) {
  for (const how of ['throw it', 'Promise.reject(it)', 'queueMicrotask(() => { throw it; })']) {
    const { status, stderr } = run(`const it = ${made}; ${how};`);
    assert.strictEqual(status, 1, `${how} of ${made}: ${status}\n${stderr}`);
  }
}
