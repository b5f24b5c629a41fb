// Numbers that no integer of the native side holds: refused or cut, never undefined (the sanitizer's build tells).
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const tls = require('node:tls');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-far-numbers-'));
const file = path.join(folder, 'file');
fs.writeFileSync(file, 'x');

for (const time of [1e300, 1e19, 9.3e18]) assert.throws(() => fs.utimesSync(file, time, time), { code: 'EINVAL', syscall: 'utime' });
fs.utimesSync(file, 1e9, 1.5e9);
assert.strictEqual(fs.statSync(file).mtimeMs, 1.5e12);
fs.rmSync(folder, { recursive: true });

assert.strictEqual(spawnSync(process.execPath, ['-e', '0'], { timeout: Number.MAX_SAFE_INTEGER }).status, 0);
for (const secureOptions of [-1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) tls.createSecureContext({ secureOptions });
