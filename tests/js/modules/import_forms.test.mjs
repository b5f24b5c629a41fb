// Imports that the engine does not know by itself: of the source phase, of text, with attributes of all kinds; JSON shared with require().
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-import-forms-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const at = (name) => path.join(folder, name);
const write = (name, text) => fs.writeFileSync(at(name), text);
const url = (name) => pathToFileURL(at(name)).href;

// (module (func (export "f") (result i32) i32.const 7))
const bytes = Buffer.from('0061736d010000000105016000017f03020100070501016600000a0601040041070b', 'hex');
write('seven.wasm', bytes);
write('source.mjs', `import source /* a comment */ seven from './seven.wasm';
import source from './default.mjs'; // an ordinary import of that name
export { seven, source };
export const again = await import.source('./seven.wasm');
export const line = new Error().stack.split('\\n')[1].match(/:(\\d+:\\d+)\\)?$/)[1];
`);
write('default.mjs', 'export default "default";');
const found = await import(url('source.mjs'));
assert.ok(found.seven instanceof WebAssembly.Module);
assert.strictEqual(found.seven, found.again);
assert.strictEqual(found.source, 'default');
assert.strictEqual(found.line, '5:21');
assert.strictEqual(new WebAssembly.Instance(found.seven).exports.f(), 7);
assert.strictEqual((await import(url('seven.wasm'))).f(), 7);

// A module without a source object; a file whose format is found out by its text; CommonJS and vm.
const refused = { name: 'SyntaxError', code: 'ERR_SOURCE_PHASE_NOT_DEFINED' };
write('none.mjs', 'import source x from "./default.mjs";');
await assert.rejects(import(url('none.mjs')), refused);
write('guessed.js', 'import source seven from "./seven.wasm"; export default seven;');
assert.strictEqual((await import(url('guessed.js'))).default, found.seven);
write('common.cjs', 'module.exports = import.source("./seven.wasm");');
assert.strictEqual(await createRequire(import.meta.url)(at('common.cjs')), found.seven);
write('none.cjs', 'module.exports = import.source(Symbol());');
await assert.rejects(createRequire(import.meta.url)(at('none.cjs')), TypeError);
if (vm.SourceTextModule) {
  const phased = new vm.SourceTextModule('import source x from "y";');
  assert.deepStrictEqual({ ...phased.moduleRequests[0] }, { specifier: 'y', attributes: { __proto__: null }, phase: 'source' });
  await assert.rejects(phased.link(() => new vm.SourceTextModule('')), refused);
}

// Attributes are judged as Node judges them, of an import() and of a statement.
const codes = [
  ['default.mjs', { type: 'json' }, 'ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE'],
  ['default.mjs', { type: 'css' }, 'ERR_IMPORT_ATTRIBUTE_UNSUPPORTED'],
  ['default.mjs', { type: 'text' }, 'ERR_IMPORT_ATTRIBUTE_UNSUPPORTED'],
  ['default.mjs', { other: 'x' }, 'ERR_IMPORT_ATTRIBUTE_UNSUPPORTED'],
  ['default.mjs', { type: 'json', other: 'x' }, 'ERR_IMPORT_ATTRIBUTE_UNSUPPORTED'],
  ['value.json', {}, 'ERR_IMPORT_ATTRIBUTE_MISSING'],
];
write('value.json', '{"one": 1}');
for (const [i, [name, attributes, code]] of codes.entries()) {
  await assert.rejects(import(`${url(name)}?dynamic${i}`, { with: attributes }), { code }, JSON.stringify(attributes));
  write('statement.mjs', `import ${JSON.stringify(`./${name}?static${i}`)} with ${JSON.stringify(attributes)};`);
  await assert.rejects(import(`${url('statement.mjs')}?${i}`), { code }, `statement ${JSON.stringify(attributes)}`);
}
// At a later import, too.
await import(url('default.mjs'));
await assert.rejects(import(url('default.mjs'), { with: { type: 'json' } }), { code: 'ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE' });
await assert.rejects(import(url('default.mjs'), { with: { type: 1 } }), TypeError);
await assert.rejects(import(url('default.mjs'), 1), TypeError);
await assert.rejects(import(url('default.mjs'), { with: 1 }), TypeError);

// JSON is one object, whichever of require() and import comes first.
const { default: value } = await import(url('value.json'), { with: { type: 'json' } });
assert.strictEqual(createRequire(import.meta.url)(at('value.json')), value);

// --experimental-import-text: any file, without its byte order mark.
write('text.txt', '\ufeffline one\nline two\n');
write('text.mjs', `
import text from './text.txt' with { type: 'text' };
import code from "./text.mjs" with { "type": "text", };
console.log(JSON.stringify([text, code.length > 50, (await import('data:text/plain,%66%80', { with: { type: 'text' } })).default]));
await import('./text.txt').catch((error) => console.log(error.code));`);
const run = spawnSync(process.execPath, ['--experimental-import-text', at('text.mjs')], { encoding: 'utf8' });
assert.strictEqual(run.stdout, `${JSON.stringify(['line one\nline two\n', true, 'f\ufffd'])}\nERR_UNKNOWN_FILE_EXTENSION\n`, run.stderr);

// WebAssembly without an extension, in a folder of modules; a data: URL of no known type.
fs.mkdirSync(at('typed'));
write('typed/package.json', '{"type":"module"}');
write('typed/seven', bytes);
write('typed/text', 'export default 8;');
assert.strictEqual((await import(url('typed/seven'))).f(), 7);
assert.strictEqual((await import(url('typed/text'))).default, 8);
await assert.rejects(import('data:invalid,null'), { code: 'ERR_UNKNOWN_MODULE_FORMAT' });
await assert.rejects(import('data:text/css,'), { code: 'ERR_UNKNOWN_MODULE_FORMAT' });
