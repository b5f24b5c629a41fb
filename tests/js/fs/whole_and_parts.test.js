// Reading and writing: whole files, descriptors at positions, vectors, FileHandle, streams; a write acknowledged is written.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { pipeline } = require('stream');

const home = fs.mkdtempSync('/tmp/rondo-rw-');
process.on('exit', () => fs.rmSync(home, { recursive: true, force: true }));
const file = path.join(home, 'file');

// Descriptors.
const fd = fs.openSync(file, 'w+');
assert.strictEqual(fs.writeSync(fd, 'hello world'), 11);
assert.strictEqual(fs.writeSync(fd, Buffer.from('HELLO'), 0, 5, 0), 5);
const buffer = Buffer.alloc(11);
assert.strictEqual(fs.readSync(fd, buffer, 0, 11, 0), 11);
assert.strictEqual(buffer.toString(), 'HELLO world');
assert.strictEqual(fs.readSync(fd, buffer, { position: 6n, length: 5 }), 5);
assert.strictEqual(fs.writevSync(fd, [Buffer.from('a'), Buffer.from('bc')], 0), 3);
assert.strictEqual(fs.readvSync(fd, [Buffer.alloc(2), Buffer.alloc(1)], 0), 3);
fs.ftruncateSync(fd, 3);
assert.strictEqual(fs.fstatSync(fd).size, 3);
fs.closeSync(fd);
assert.strictEqual(fs.readFileSync(file, 'utf8'), 'abc');
fs.appendFileSync(file, 'é', { encoding: 'latin1' });
assert.deepStrictEqual(fs.readFileSync(file), Buffer.from([0x61, 0x62, 0x63, 0xe9]));
assert.strictEqual(fs.readFileSync(file, 'latin1'), 'abcé');

// Larger than what is read in one go, and files whose size the kernel does not tell.
const large = Buffer.alloc(3_000_000, 'rondo');
fs.writeFileSync(file, large);
assert.ok(fs.readFileSync(file).equals(large));
assert.match(fs.readFileSync('/proc/self/status', 'utf8'), /^Name:/);

const big = fs.statSync(file, { bigint: true });
assert.strictEqual(typeof big.mtimeNs, 'bigint');
assert.strictEqual(big.size, 3_000_000n);

async function promises() {
  await fs.promises.writeFile(file, ['one ', 'two ', 'three'][Symbol.iterator]());
  assert.strictEqual(await fs.promises.readFile(file, 'utf8'), 'one two three');
  const handle = await fs.promises.open(file, 'r+');
  const { bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 4);
  assert.strictEqual(bytesRead, 4);
  assert.strictEqual((await handle.write('TWO', 4)).bytesWritten, 3);
  assert.strictEqual((await handle.stat()).size, 13);
  await handle.close();
  assert.strictEqual(handle.fd, -1);
  await assert.rejects(handle.stat(), { code: 'EBADF', message: 'file closed' });
  assert.strictEqual(fs.readFileSync(file, 'utf8'), 'one TWO three');
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(fs.promises.readFile(file, { signal: controller.signal }), { name: 'AbortError' });
}

function streams(callback) {
  fs.writeFileSync(file, large);
  const copy = path.join(home, 'copy');
  pipeline(fs.createReadStream(file), fs.createWriteStream(copy), (error) => {
    assert.ifError(error);
    assert.ok(fs.readFileSync(copy).equals(large));
    let text = '';
    fs.createReadStream(copy, { start: 5, end: 9, encoding: 'utf8' }).on('data', (chunk) => { text += chunk; }).on('close', () => {
      assert.strictEqual(text, 'rondo');
      callback();
    });
  });
}

let done = false;
process.on('exit', () => assert.ok(done));
promises().then(() => streams(() => { done = true; }));
