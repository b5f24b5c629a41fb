// typescript: compiles a file with the API and with tsc, reports its errors, and what it wrote runs.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const ts = require('typescript');

const source = path.join(__dirname, 'fixtures/shapes.ts');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'typescript-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const options = { outDir: folder, target: ts.ScriptTarget.ES2020, module: ts.ModuleKind.CommonJS, types: [], strict: true, declaration: true };

const program = ts.createProgram([source], options);
const { emitSkipped } = program.emit();
assert.strictEqual(emitSkipped, false);
const found = ts.getPreEmitDiagnostics(program).filter((item) => item.file?.fileName === source.replaceAll(path.sep, '/'));
assert.deepStrictEqual(found.map((item) => ts.flattenDiagnosticMessageText(item.messageText, '\n')), ["Type 'string' is not assignable to type 'number'."]);
const { Circle, Unit } = require(path.join(folder, 'shapes.js'));
assert.strictEqual(new Circle(2).area(), 13);
assert.strictEqual(Unit.Foot, 'ft');
assert.match(fs.readFileSync(path.join(folder, 'shapes.d.ts'), 'utf8'), /export declare class Circle implements Shape/);

const tsc = spawnSync(process.execPath, [require.resolve('typescript/bin/tsc'), '--noEmit', '--strict', '--pretty', 'false', source], { encoding: 'utf8', cwd: __dirname });
assert.strictEqual(tsc.status, 2, tsc.stdout + tsc.stderr);
assert.match(tsc.stdout, /fixtures\/shapes\.ts\(7,7\): error TS2322: /);
import('typescript').then(({ default: imported }) => assert.strictEqual(imported.version, ts.version));
