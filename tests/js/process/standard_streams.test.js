// The standard streams are accessors without setters, before the first look and after it, in a worker, too.
'use strict';

const assert = require('assert');
const { Worker, isMainThread } = require('worker_threads');

for (const name of ['stdin', 'stdout', 'stderr']) {
  for (let round = 0; round < 2; round++) {
    const { get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(process, name);
    assert.strictEqual(typeof get, 'function');
    assert.strictEqual(set, undefined);
    assert.ok(enumerable && configurable);
    assert.throws(() => { process[name] = 5; }, TypeError);
    assert.strictEqual(process[name], process[name]);
    assert.strictEqual(typeof process[name].on, 'function');
  }
}

if (isMainThread) new Worker(__filename).on('exit', (code) => { assert.strictEqual(code, 0); });

// A program that holds the stream, or has put another in its place, sees there what the runtime prints.
const { spawnSync } = require('child_process');
const prelude = "const other = { write(text) { require('fs').writeSync(1, 'seen ' + text); return true; }, on() {}, once() {}, removeListener() {}, listenerCount: () => 1 };";
for (const replace of [
  'process.stderr.write = other.write;',
  "Object.defineProperty(process, 'stderr', { value: other });",
  "Object.defineProperty(process, 'stderr', { get: () => other });",
]) {
  const program = `${prelude} ${replace} console.error('text'); process.emitWarning('careful');`;
  const { stdout } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  assert.match(stdout, /^seen text\nseen \(\w+:\d+\) Warning: careful\n/);
}

// Output to a file or a pipe is not readable.
if (isMainThread) {
  const fs = require('fs');
  const os = require('os');
  const path = require('path');
  const { spawnSync } = require('child_process');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-stdout-'));
  const fd = fs.openSync(path.join(folder, 'out'), 'w+');
  const code = 'console.log(JSON.stringify([process.stdout, process.stderr].map((s) => [s.readable, s.writable])))';
  spawnSync(process.execPath, ['-e', code], { stdio: ['ignore', fd, 'pipe'] });
  assert.strictEqual(fs.readFileSync(path.join(folder, 'out'), 'utf8'), '[[false,true],[false,true]]\n');
  fs.closeSync(fd);
  fs.rmSync(folder, { recursive: true });
}
