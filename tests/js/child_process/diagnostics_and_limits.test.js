// Diagnostics channels of spawn, failures that are thrown or told, options that only Object.prototype has: answers of Node 26.
'use strict';
const assert = require('assert');
const { ChildProcess, execFileSync, execSync, spawn, spawnSync } = require('child_process');
const { once } = require('events');
const channels = require('diagnostics_channel');

async function tellsOfSpawn() {
  const told = [];
  const note = (stage) => (message) => {
    assert(message.process instanceof ChildProcess);
    told.push(`${stage} ${message.error?.code ?? message.options?.file ?? ''}`.trim());
  };
  const made = note('made');
  const spawning = { start: note('start'), end: note('end'), error: note('error') };
  channels.subscribe('child_process', made);
  channels.tracingChannel('child_process.spawn').subscribe(spawning);
  await once(spawn('/bin/true'), 'close');
  await once(spawn('/does/not/exist'), 'error');
  channels.unsubscribe('child_process', made);
  channels.tracingChannel('child_process.spawn').unsubscribe(spawning);
  await once(spawn('/bin/true'), 'close');
  assert.deepStrictEqual(told, ['made', 'start /bin/true', 'end', 'made', 'start /does/not/exist', 'error ENOENT']);
}

function throwsForTooMuch() {
  assert.throws(() => spawn('/bin/true', ['a'.repeat(1e7)]), { code: 'E2BIG', syscall: 'spawn' });
}

// Without descriptors there are no streams, and the error comes as an event.
function tellsOfDescriptors() {
  const program = `
    const fs = require('fs'), { spawn } = require('child_process');
    const open = [];
    try { for (;;) open.push(fs.openSync(__filename)); } catch {}
    const child = spawn(process.execPath, ['-v']);
    const streams = String([child.stdin, child.stdout, child.stderr, child.stdio]);
    child.on('error', (error) => {
      for (const fd of open) fs.closeSync(fd);
      console.log(error.code, streams);
    });`;
  const file = require('path').join(require('fs').mkdtempSync(`${require('os').tmpdir()}/emfile-`), 'all.js');
  require('fs').writeFileSync(file, program);
  const { stdout } = spawnSync('/bin/sh', ['-c', `ulimit -n 64 && exec "${process.execPath}" "${file}"`], { encoding: 'utf8' });
  assert.strictEqual(stdout, 'EMFILE ,,,\n');
}

function ignoresInheritedOptions() {
  const own = String(process.getuid());
  for (const [name, value] of [
    ['uid', 'none'],
    ['cwd', '/does/not/exist'],
  ]) {
    Object.prototype[name] = value;
    try {
      assert.strictEqual(`${execSync('id -u')}`.trim(), own);
      assert.strictEqual(`${execFileSync('id', ['-u'])}`.trim(), own);
      assert.strictEqual(`${spawnSync('id', ['-u']).stdout}`.trim(), own);
    } finally {
      delete Object.prototype[name];
    }
  }
}

(async () => {
  await tellsOfSpawn();
  throwsForTooMuch();
  tellsOfDescriptors();
  ignoresInheritedOptions();
})();
