// `using` and `await using` in CommonJS, ES modules, scripts of node:vm and contexts: order of disposal, errors, loops, and the program's own
// lines in stacks.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vm = require('node:vm');
const { pathToFileURL } = require('node:url');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'using-'));
const load = (name, text) => {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
};

const head = `
const log = [];
const res = (name, fails) => ({ [Symbol.dispose]() { log.push(name); if (fails) throw new Error('dispose ' + name); } });
const later = (name) => ({ async [Symbol.asyncDispose]() { await null; log.push(name); } });
`;

const common = require(load('common.cjs', `${head}
function block() {
  { using a = res('a'), b = res('b'); log.push('body'); }
  log.push('after');
}
function early() { using x = res('x'); return log.length; }
function failing() { using y = res('y', true); throw new Error('body'); }
function loops() {
  for (using i of [res('1'), null, res('2')]) log.push('loop');
  for (using j = res('j'); ;) { break; }
}
function wrong() { using n = {}; }
async function waits() {
  await using p = later('p');
  using q = res('q');
  log.push('in');
}
class S { static { using s = res('s'); } }
function place() {
  using r = null;
  throw new Error('here');
}
const using = 5;
exports.using = using;
Object.assign(exports, { log, block, early, failing, loops, wrong, waits, place });
`));

const taken = () => common.log.splice(0);
assert.deepStrictEqual(taken(), ['s']);
common.block();
assert.deepStrictEqual(taken(), ['body', 'b', 'a', 'after']);
assert.strictEqual(common.early(), 0);
assert.deepStrictEqual(taken(), ['x']);
assert.throws(common.failing, (error) => error instanceof SuppressedError && error.suppressed.message === 'body' && error.error.message === 'dispose y');
taken();
common.loops();
assert.deepStrictEqual(taken(), ['loop', '1', 'loop', 'loop', '2', 'j']);
assert.throws(common.wrong, TypeError);
assert.throws(common.place, (error) => /place \(.*common\.cjs:25:9\)/.test(error.stack));
assert.strictEqual(common.using, 5);

assert.deepStrictEqual(vm.runInThisContext(`${head} { using a = res('a'); } log`), ['a']);
const context = vm.createContext({});
assert.strictEqual(vm.runInContext(`${head} { using a = res('a'); } log.join()`, context), 'a');
assert.throws(() => vm.runInContext('{ using a = {}; }', context), (error) => error instanceof vm.runInContext('TypeError', context));
assert.throws(() => new vm.Script('using 5'), SyntaxError);

async function modules() {
  await common.waits();
  assert.deepStrictEqual(taken(), ['in', 'q', 'p']);
  const file = load('top.mjs', `import { basename } from 'node:path';
${head}
using top = res('top');
await using last = later('last');
export const value = basename('/a/b');
export let counted = log.length;
export function call() { return value + log.join(); }
export class Kept { get() { return call(); } }
const hidden = 'h';
export { hidden as shown, log };
export default class { static name2 = 1 }
log.push('body');
`);
  const found = await import(pathToFileURL(file));
  assert.deepStrictEqual(found.log, ['body', 'last', 'top']);
  assert.strictEqual(found.value, 'b');
  assert.strictEqual(found.counted, 0);
  assert.strictEqual(new found.Kept().get(), 'bbody,last,top');
  assert.strictEqual(found.shown, 'h');
  assert.strictEqual(found.default.name2, 1);
  const failing = load('fails.mjs', 'using a = { [Symbol.dispose]() { globalThis.wasDisposed = true; } };\nthrow new Error("top");\n');
  await assert.rejects(import(pathToFileURL(failing)), (error) => error.message === 'top' && /fails\.mjs:2:7/.test(error.stack));
  assert.strictEqual(globalThis.wasDisposed, true);
  fs.rmSync(folder, { recursive: true });
}
modules();
