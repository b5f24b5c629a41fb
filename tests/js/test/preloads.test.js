'use strict';
// `rondo --test` with a process for each file: --require runs in the parent, too, --import in the files' processes alone; the coverage report
// has the files of the tests, not the reporter's.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'preloads-'));
const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
write('a.test.js', "require('node:test')('a', () => { require('./used.js')(); });");
write('used.js', 'module.exports = () => 1;');
write('log.cjs', "require('fs').appendFileSync('log', 'require\\n');");
write('log.mjs', "import fs from 'fs'; fs.appendFileSync('log', 'import\\n');");
write('reporter.mjs', "export default async function* (source) { for await (const { type, data } of source) if (type === 'test:coverage') yield data.summary.files.map((file) => file.path.split('/').pop()).join(); }");

const { stdout, stderr, status } = spawnSync(
  process.execPath,
  ['-r', './log.cjs', '--import', './log.mjs', '--test', '--experimental-test-coverage', '--test-coverage-exclude=*.test.js', '--test-reporter=./reporter.mjs'],
  { cwd: folder, encoding: 'utf8' },
);
assert.strictEqual(stderr, '');
assert.strictEqual(status, 0);
const log = fs.readFileSync(path.join(folder, 'log'), 'utf8').split('\n').filter(Boolean);
assert.deepStrictEqual(log, ['require', 'require', 'import']);
assert.deepStrictEqual(stdout.trim().split(',').filter((name) => !name.startsWith('log.')), ['used.js']);
fs.rmSync(folder, { recursive: true });
