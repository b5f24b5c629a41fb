// types/: programs of ours beside @types/node, and pages beside TypeScript's DOM, are checked by tsc; each fixture has one mistake.
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const types = path.resolve(__dirname, '../../../types');
function check(fixture, declarations, ...options) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [require.resolve('typescript/bin/tsc'), '--noEmit', '--strict', '--pretty', 'false', '--target', 'es2022', '--module', 'nodenext',
     ...options, path.join(types, declarations), `fixtures/${fixture}`],
    { encoding: 'utf8', cwd: __dirname });
  return { status, lines: (stdout + stderr).trim().split('\n') };
}

const program = check('own_types.ts', 'index.d.ts', '--types', 'node');
assert.deepStrictEqual(program.lines, ["fixtures/own_types.ts(12,7): error TS2322: Type 'number' is not assignable to type 'string'."]);
assert.strictEqual(program.status, 2);

const page = check('page_types.ts', 'page.d.ts', '--lib', 'es2022,dom');
assert.deepStrictEqual(page.lines, ["fixtures/page_types.ts(5,7): error TS2322: Type 'number' is not assignable to type 'string'."]);
