// Handles and timers that tests leave behind: --test-leaks fails them; a process that stays alive after its tests says why.
'use strict';

const assert = require('assert');
const { spawn, spawnSync } = require('child_process');
const fs = require('fs');
const { join } = require('path');

const folder = fs.mkdtempSync(join(require('os').tmpdir(), 'rondo-left-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'left.js');
fs.writeFileSync(file, `
const test = require('node:test');
test('timer', () => { setTimeout(() => {}, 60000); });
test('server', (t, done) => { require('net').createServer().listen(0, '127.0.0.1', () => done()); });
test('clean', async () => { clearTimeout(setTimeout(() => {}, 60000)); await new Promise((resolve) => setTimeout(resolve, 1)); });
`);

const { stdout } = spawnSync(process.execPath, ['--test-leaks', '--test-force-exit', '--test-reporter=tap', file], { encoding: 'utf8', cwd: folder });
assert.match(stdout, /^not ok 1 - timer$/m);
assert.match(stdout, /error: 'test left behind: a timer of 60000 ms, made at left\.js:3:\d+'/);
assert.match(stdout, /^not ok 2 - server$/m);
assert.match(stdout, /test left behind: an open TCPServerWrap, made at left\.js:4:\d+/i);
assert.match(stdout, /^ok 3 - clean$/m);

// Without the option they pass, and the process says what it waits for.
const child = spawn(process.execPath, [file], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
let text = '';
child.stderr.setEncoding('utf8').on('data', (piece) => {
  text += piece;
  if (/server"/i.test(text) && /timer of 60000/.test(text)) child.kill();
});
child.on('close', () => {
  assert.match(text, /^The tests are over, but the process is kept alive by/);
  assert.match(text, /a timer of 60000 ms, made in "timer" at left\.js:3:\d+/);
});

// A test that nothing can wake any more does not wait for ever.
// A timer that was cleared wakes nothing.
for (const before of ['', 'clearTimeout(setTimeout(() => {}, 3600000));']) {
  const program = `${before} require('node:test')('waits', () => new Promise(() => {}));`;
  const pending = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8', timeout: 60000 });
  assert.strictEqual(pending.status, 1);
  assert.match(pending.stdout, /Promise resolution is still pending but the event loop has already resolved/);
}

// A test that times out says what it waits for; a process that --test started does, too, and nothing of the runner's own is told.
const slow = join(folder, 'slow.js');
fs.writeFileSync(slow, `const test = require('node:test');
test('waits', { timeout: 50 }, () => new Promise(() => {
  setTimeout(() => {}, 70000).unref();
  require('net').createServer().listen(0, '127.0.0.1').unref();
  setInterval(() => {}, 80000);
}));
test.after(() => setImmediate(() => process.exit()));
`);
for (const args of [[], ['--test']]) {
  const late = spawnSync(process.execPath, [...args, slow], { encoding: 'utf8', timeout: 60000, cwd: folder });
  const told = late.stdout + late.stderr;
  assert.match(told, /Test "waits" timed out, and waits for:\n  an interval of 80000 ms, made in "waits" at slow\.js:5:\d+/);
  assert.doesNotMatch(told, /70000|ProcessWrap|PipeWrap/);
}
