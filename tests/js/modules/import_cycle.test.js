'use strict';
// A module that require() asked for imports one that is being evaluated: the error names the specifier as written, and the importer.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cycle-'));
fs.writeFileSync(path.join(folder, 'a.mjs'), 'import "./b.cjs";');
fs.writeFileSync(path.join(folder, 'b.cjs'), 'require("./c.mjs");');
fs.writeFileSync(path.join(folder, 'c.mjs'), 'import "./a.mjs";');
const { stderr, status } = spawnSync(process.execPath, [path.join(folder, 'a.mjs')], { encoding: 'utf8' });
assert.strictEqual(status, 1);
assert.match(stderr, /ERR_REQUIRE_CYCLE_MODULE.*Cannot import Module \.\/a\.mjs in a cycle\. \(from \/.*c\.mjs\)/);

// The same with CommonJS, of which import knows no unfinished exports.
const { stderr: words, status: code } = spawnSync(process.execPath, [path.join(folder, 'b.cjs')], { encoding: 'utf8' });
assert.strictEqual(code, 1);
assert.match(words, /Cannot import CommonJS Module \.\/b\.cjs in a cycle\. \(from \/.*a\.mjs\)/);
fs.rmSync(folder, { recursive: true });
