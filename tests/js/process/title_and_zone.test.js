// process.title reaches the kernel, argv0 is the word the program was called by, TZ moves local time.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const { spawnSync } = require('node:child_process');

process.title = 'a title';
assert.strictEqual(process.title, 'a title');
assert.ok(fs.readFileSync('/proc/self/cmdline', 'utf8').startsWith('a title\0'));
process.title = 'x'.repeat(100000);
assert.ok(process.title.length < 100000 && /^x+$/.test(process.title));

const run = (args, options) => spawnSync(process.execPath, args, { encoding: 'utf8', ...options }).stdout;
assert.strictEqual(run(['-p', 'process.argv0 + process.argv[0]'], { argv0: 'called' }), `called${process.execPath}\n`);
assert.strictEqual(run(['--title=given', '-p', 'process.title']), 'given\n');

const hours = () => new Date(1523709296000).getHours();
process.env.TZ = 'Europe/Amsterdam';
assert.strictEqual(hours(), 14);
process.env.TZ = 'Asia/Tokyo';
assert.strictEqual(hours(), 21);
assert.strictEqual(new Intl.DateTimeFormat().resolvedOptions().timeZone, 'Asia/Tokyo');
process.env.TZ = 'UTC';
assert.strictEqual(hours(), 12);
