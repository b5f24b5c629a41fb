// An import of a name that is not there: Node's words, a stack, the specifier as it was written; require(esm) with top-level await;
// require, module and their like in an ES module.
import assert from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { spawnSync } from 'node:child_process';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'missing-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const write = (name, text) => {
  fs.writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};
write('has.mjs', 'export const a = 1;');
write('old.cjs', 'module.exports = Object.create({ hidden: 1 });');
const esm = write('esm.mjs', "import { nope } from './has.mjs';");
const cjs = write('cjs.mjs', "import { nope } from './old.cjs';");
const awaits = write('awaits.mjs', 'await 1;');

await assert.rejects(import(esm), (error) => {
  assert(error instanceof SyntaxError);
  assert.strictEqual(error.message, "The requested module './has.mjs' does not provide an export named 'nope'");
  assert(error.stack.includes(`SyntaxError: ${error.message}\n    at `));
  return true;
});
await assert.rejects(import(cjs), { name: 'SyntaxError', message: /^Named export 'nope' not found\. The requested module '\.\/old\.cjs' is a CommonJS module, which may not support all module\.exports as named exports\.\nCommonJS modules can always be imported via the default export, for example using:\n\nimport pkg from '\.\/old\.cjs';\nconst \{ nope \} = pkg;\n$/ });
await assert.rejects(import(write('renamed.mjs', "import { nope as mine, fine } from './old.cjs';")), { message: /\nimport pkg from '\.\/old\.cjs';\nconst \{ nope: mine, fine \} = pkg;\n$/ });
await assert.rejects(import(write('lines.mjs', "import {\n  nope,\n  never,\n} from './old.cjs';")), { message: /^Named export 'nope' not found[^]*\nimport pkg from '\.\/old\.cjs';\n$/ });
await assert.rejects(import(write('default.mjs', "import d from './has.mjs';")), { message: "The requested module './has.mjs' does not provide an export named 'default'" });
// A quote in the name of the file.
write("o'ld.cjs", 'module.exports = {};');
await assert.rejects(import(write('quote.mjs', `import { nope } from "./o'ld.cjs";`)), { message: /^Named export 'nope' not found[^]*\nimport pkg from '\.\/o'ld\.cjs';\n/ });
const run = spawnSync(process.execPath, [esm], { encoding: 'utf8' });
assert.strictEqual(run.status, 1);
// The importer is named, of several the one that asks for the name.
assert(run.stderr.startsWith(`file://${esm}:1\nimport { nope } from './has.mjs';\n         ^^^^\nSyntaxError: `), run.stderr);
const passes = write('passes.mjs', "export { nope as z } from './has.mjs';");
await assert.rejects(import(passes), (error) => error.stack.startsWith(`file://${passes}:1\nexport { nope as z } from './has.mjs';\n         ^^^^^^^^^\nSyntaxError: The requested module './has.mjs' does not provide an export named 'nope'`));
write('fine.mjs', "import { a } from './has.mjs';");
const several = write('several.mjs', "import './fine.mjs';\nimport {\n  a,\n  nope as b,\n} from './has.mjs';");
await assert.rejects(import(several), (error) => error.stack.startsWith(`file://${several}:4\n  nope as b,\n  ^^^^\nSyntaxError: The requested module './has.mjs'`));
assert.match(run.stderr, /^SyntaxError: The requested module '\.\/has\.mjs' does not provide an export named 'nope'$/m);

const require = createRequire(import.meta.url);
assert.throws(() => require(awaits), (error) => {
  assert.strictEqual(error.code, 'ERR_REQUIRE_ASYNC_MODULE');
  assert.deepStrictEqual(error.requireStack, [import.meta.filename]);
  assert.match(error.message, /Require stack:\n- .*missing_export\.test\.mjs/);
  return true;
});

// Variables of CommonJS in a module's body.
write('package.json', '{ "type": "module" }');
for (const [name, text] of [['require', "require('x')"], ['module', 'module.exports = 1;'], ['__dirname', '__dirname']]) {
  const more = name === 'require' ? ', you can use import instead' : '';
  await assert.rejects(import(write(`${name}.mjs`, text)), { name: 'ReferenceError', message: `${name} is not defined in ES module scope${more}` });
}
await assert.rejects(import(write('typed.js', 'export default exports;')), { message: /^exports is not defined in ES module scope\nThis file is being treated as an ES module because it has a '\.js' file extension and '.*package\.json' contains "type": "module"\. To treat it as a CommonJS script, rename it to use the '\.cjs' file extension\.$/ });
await assert.rejects(import(write('other.mjs', 'unknown')), { message: 'unknown is not defined' });
