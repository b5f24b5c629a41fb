// Strings longer than Node can hold can be made here by joining; whoever would have to write one as bytes refuses it.
// skip-asan
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const childProcess = require('node:child_process');

let long = 'x'.repeat(2 ** 28);
long += long;
long += long;
assert.ok(long.length > require('node:buffer').constants.MAX_STRING_LENGTH);
const refused = { code: 'ERR_STRING_TOO_LONG', message: 'Cannot create a string longer than 0x1fffffe8 characters' };

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-long-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const file = path.join(folder, 'file');
fs.writeFileSync(file, 'kept');
assert.throws(() => fs.writeFileSync(file, long), refused);
assert.strictEqual(fs.readFileSync(file, 'utf8'), 'kept');
assert.throws(() => fs.writeFileSync(long, 'data'), refused);
assert.throws(() => fs.statSync(long), refused);
assert.throws(() => fs.mkdtempSync(long), refused);
assert.throws(() => fs.renameSync(file, long), refused);
assert.throws(() => new URL(long), refused);
assert.throws(() => { new URL('http://host/').pathname = long; }, refused);
assert.throws(() => { process.env.LONG = long; }, refused);
assert.strictEqual(process.env.LONG, undefined);
assert.throws(() => process.env[long], refused);
assert.throws(() => childProcess.spawnSync(process.execPath, [long]), refused);
assert.throws(() => childProcess.spawnSync('cat', { input: long }), refused);
assert.throws(() => childProcess.spawn(process.execPath, [long]), refused);
assert.throws(() => childProcess.spawn(process.execPath, [], { env: { A: long } }), refused);
assert.throws(() => process.chdir(long), refused);
