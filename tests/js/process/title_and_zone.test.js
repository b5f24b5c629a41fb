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

// A date that was asked before follows, too, in compiled code as well.
const old = new Date(1523709296000);
const seen = new Set();
for (const zone of ['Europe/Amsterdam', 'Asia/Tokyo', 'UTC', 'America/New_York']) {
  process.env.TZ = zone;
  for (let i = 0; i < 20000; i++) seen.add(old.getHours());
  seen.add(old.toString().slice(16, 33));
}
assert.deepStrictEqual([...seen], [14, '14:34:56 GMT+0200', 21, '21:34:56 GMT+0900', 12, '12:34:56 GMT+0000', 8, '08:34:56 GMT-0400']);
delete process.env.TZ;
assert.match(old.toString(), /^\w+ \w+ 14 2018 /);
