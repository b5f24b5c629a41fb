// Compilers and bundlers written in Rust: @swc/core, rollup, lightningcss, oxc-parser; and their errors.
import assert from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import swc from '@swc/core';
import * as css from 'lightningcss';
import { parseSync } from 'oxc-parser';
import { rollup } from 'rollup';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'compilers-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

const { code } = await swc.transform('const a: number = 1; export default a', { jsc: { parser: { syntax: 'typescript' } } });
assert.match(code, /var a = 1;\s+export default a;/);
assert.strictEqual(swc.minifySync('let  value = 1 + 2; console.log(value)', { compress: true, mangle: true, module: true }).code, 'console.log(3);');
await assert.rejects(swc.transform('let ='), /Expected ident|Syntax Error|x/i);

fs.writeFileSync(path.join(folder, 'main.js'), 'import { a } from "./other.js"; console.log(a)');
fs.writeFileSync(path.join(folder, 'other.js'), 'export const a = 1, unused = 2;');
const bundle = await rollup({ input: path.join(folder, 'main.js') });
const { output } = await bundle.generate({ format: 'es' });
assert.strictEqual(output[0].code, 'const a = 1;\n\nconsole.log(a);\n');
await bundle.close();
await assert.rejects(rollup({ input: path.join(folder, 'none.js') }), { code: 'UNRESOLVED_ENTRY' });

const styled = css.transform({ filename: 'a.css', code: Buffer.from('.a { color: #ff0000; margin: 0px 0px }'), minify: true });
assert.strictEqual(styled.code.toString(), '.a{color:red;margin:0}');
assert.throws(() => css.transform({ filename: 'a.css', code: Buffer.from('.a { color: ') , minify: true, errorRecovery: false, visitor: { Rule() { throw new Error('mine'); } } }), /mine|Unexpected/);
assert.strictEqual(parseSync('a.ts', 'const a: number = 1').program.body[0].type, 'VariableDeclaration');
