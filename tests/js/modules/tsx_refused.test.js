// JSX is not lowered: a .tsx file is refused by its extension, alone and under --test; a program that registers the extension gets it.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tsx-'));
const file = path.join(folder, 'page.test.tsx');
fs.writeFileSync(file, "import { test } from 'node:test';\nconst page = <p>text</p>;\ntest('page', () => {});\n");
const hook = path.join(folder, 'hook.js');
fs.writeFileSync(hook, "require.extensions['.tsx'] = (module) => module._compile('console.log(\"taken\")', 'taken.js');\n");
const run = (...args) => spawnSync(process.execPath, args, { encoding: 'utf8' });

const alone = run(file);
assert.match(alone.stderr, /TypeError \[ERR_UNKNOWN_FILE_EXTENSION\]: Unknown file extension "\.tsx" for .*page\.test\.tsx/);
assert.strictEqual(alone.status, 1);
const tested = run('--test', file);
assert.match(tested.stdout + tested.stderr, /Unknown file extension "\.tsx"/);
assert.strictEqual(tested.status, 1);
assert.strictEqual(run('-r', hook, file).stdout, 'taken\n');
fs.rmSync(folder, { recursive: true });
