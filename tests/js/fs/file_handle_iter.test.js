// FileHandle.pull(), pullSync() and writer() of node:stream/iter: ranges, locks, transforms, limits, writes at once and later, both ends.
// Only by option.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { open } = fs.promises;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-handle-iter-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, 'file');

async function withoutOption() {
  const handle = await open(__filename);
  assert.deepStrictEqual([handle.pull, handle.pullSync, handle.writer], [undefined, undefined, undefined]);
  await handle.close();
  const { status, stderr } = spawnSync(process.execPath, ['--no-warnings', '--experimental-stream-iter', __filename], { encoding: 'utf8' });
  assert.strictEqual(status, 0, stderr);
}

async function textOf(source) {
  let text = '';
  for await (const batch of source) for (const chunk of batch) text += Buffer.from(chunk).toString();
  return text;
}

async function reads() {
  fs.writeFileSync(file, '0123456789');
  let handle = await open(file);
  const source = handle.pull({ start: 2, limit: 5, chunkSize: 2 });
  assert.throws(() => handle.pull(), { code: 'ERR_INVALID_STATE', message: 'Invalid state: The FileHandle is locked' });
  assert.throws(() => handle.writer(), { code: 'ERR_INVALID_STATE' });
  assert.strictEqual(await textOf(source), '23456');
  assert.strictEqual(await textOf(handle.pull((batch) => batch && batch.map((chunk) => Buffer.concat([chunk, Buffer.from('!')])), { start: 8 })), '89!');
  const aborted = AbortSignal.abort(new Error('enough'));
  await assert.rejects(textOf(handle.pull({ signal: aborted })), /enough/);
  assert.throws(() => handle.pull({ limit: 0 }), { code: 'ERR_OUT_OF_RANGE' });
  assert.throws(() => handle.pull({ start: 'x' }), { code: 'ERR_INVALID_ARG_TYPE' });
  const part = handle.pullSync({ start: 0, chunkSize: 3 });
  for (const [chunk] of part) {
    assert.strictEqual(`${chunk}`, '012');
    break; // unlocks
  }
  assert.strictEqual([...handle.pullSync({ start: 7, autoClose: true })].flat().map(String).join(), '789');
  assert.strictEqual(handle.fd, -1);
  assert.throws(() => handle.pullSync(), { message: 'Invalid state: The FileHandle is closed' });
  handle = await open(file);
  assert.strictEqual(await textOf(handle.pull({ autoClose: true })), '0123456789');
  assert.strictEqual(handle.fd, -1);
}

async function writes() {
  let handle = await open(file, 'w');
  let writer = handle.writer({ limit: 12, chunkSize: 4 });
  const first = writer.write('one');
  assert.strictEqual(writer.writeSync('no'), false, 'a write is under way');
  assert.strictEqual(writer.endSync(), -1);
  await first;
  assert.strictEqual(writer.writeSync('two'), true);
  assert.strictEqual(writer.writeSync('large'), false);
  assert.strictEqual(writer.writevSync(['a', 'b']), true);
  await writer.writev([Buffer.from('c'), 'd']);
  await assert.rejects(writer.write('beyond'), { code: 'ERR_OUT_OF_RANGE' });
  await assert.rejects(writer.write('x', { signal: AbortSignal.abort(new Error('stop')) }), /stop/);
  assert.strictEqual(await writer.end(), 10);
  assert.strictEqual(await writer.end(), 10);
  await assert.rejects(writer.write('late'), { code: 'ERR_INVALID_STATE', name: 'TypeError' });
  assert.strictEqual(fs.readFileSync(file, 'utf8'), 'onetwoabcd');
  writer = handle.writer({ start: 3, autoClose: true });
  await writer.write('TWO');
  const last = writer.write('ABCD');
  await Promise.all([writer.end(), last]); // the descriptor lives until the write is done
  assert.strictEqual(handle.fd, -1);
  assert.strictEqual(fs.readFileSync(file, 'utf8'), 'oneTWOABCD');
  handle = await open(file, 'r');
  writer = handle.writer();
  assert.strictEqual(writer.writeSync('x'), false);
  await assert.rejects(writer.write('x'), { code: 'EBADF' });
  writer.fail(new Error('given up'));
  await assert.rejects(writer.end(), /given up/);
  assert.strictEqual(writer.endSync(), -1);
  await handle.close();
}

async function pipes() {
  const { pipeTo } = require('node:stream/iter');
  const from = await open(__filename);
  const to = await open(file, 'w');
  const size = fs.statSync(__filename).size;
  await pipeTo(from.pull({ autoClose: true, chunkSize: 100 }), to.writer({ autoClose: true }));
  assert.strictEqual(fs.statSync(file).size, size);
}

(process.execArgv.includes('--experimental-stream-iter') ? reads().then(writes).then(pipes) : withoutOption()).then(() => console.log('done'));
