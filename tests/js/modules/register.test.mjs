// module.register: asynchronous hooks, apart from the program; in chains, with data, failing, and ending the process.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { register } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-register-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const write = (name, text) => {
  fs.writeFileSync(path.join(folder, name), text);
  return pathToFileURL(path.join(folder, name));
};
process.noDeprecation = true;

const virtual = write('virtual.mjs', `
  let known;
  import { isMainThread } from 'node:worker_threads';
  export async function initialize(data) { known = { ...await data, place: [isMainThread, typeof import.meta.resolve] }; globalThis.there = true; }
  export async function resolve(specifier, context, nextResolve) {
    if (specifier in known) return { url: 'virtual:' + specifier, format: 'module', shortCircuit: true };
    return nextResolve(specifier);
  }
  export async function load(url, context, nextLoad) {
    if (!url.startsWith('virtual:')) return nextLoad(url);
    await new Promise(setImmediate);
    return { format: 'module', source: 'export default ' + JSON.stringify(known[url.slice(8)]), shortCircuit: true };
  }`);
assert.strictEqual(register(virtual, { data: { 'no-file': [1, 2], 'other': 12 } }), undefined);
assert.deepStrictEqual((await import('no-file')).default, [1, 2]);
assert.strictEqual(globalThis.there, undefined);
assert.deepStrictEqual((await import('place')).default, [false, 'undefined']);

// The one registered last is asked first and may change what the others say.
register(write('change.mjs', `
  export async function load(url, context, nextLoad) {
    const loaded = await nextLoad(url, context);
    return url.startsWith('virtual:') ? { ...loaded, source: String(loaded.source).replace('2', '22') } : loaded;
  }`));
assert.deepStrictEqual((await import('other')).default, 122);
assert.strictEqual((await import(write('plain.cjs', 'exports.x = 5'))).x, 5);
assert.strictEqual((await import('node:path')).default, path);

// What hooks throw arrives with its class, code and message.
write('throwing.mjs', `
  export async function resolve(specifier, context, nextResolve) {
    if (specifier === 'throws') throw Object.assign(new RangeError('no'), { code: 'E_NO' });
    if (specifier === 'nothing') return {};
    return nextResolve(specifier);
  }`);
register('./throwing.mjs', `${pathToFileURL(folder)}/`);
await assert.rejects(import('throws'), (error) => error instanceof RangeError && error.code === 'E_NO' && error.message === 'no');
await assert.rejects(import('nothing'), { code: 'ERR_LOADER_CHAIN_INCOMPLETE' });
assert.throws(() => register('./not-there.mjs', import.meta.url), { code: 'ERR_MODULE_NOT_FOUND' });
assert.throws(() => register('./relative.mjs'), { code: 'ERR_UNSUPPORTED_RESOLVE_REQUEST' });
assert.throws(() => register(virtual, { transferList: [new MessageChannel().port1] }), { name: 'DataCloneError' });

// Hooks that end their process end the program; and --experimental-loader is the same thing.
const exiting = write('exiting.mjs', 'export async function load() { process.exit(42); }');
const empty = write('empty.mjs', '').pathname;
assert.strictEqual(spawnSync(process.execPath, ['--no-warnings', '--experimental-loader', exiting.href, empty]).status, 42);
const stuck = write('stuck.mjs', 'export function load() { return new Promise(() => {}); }');
assert.strictEqual(spawnSync(process.execPath, ['--no-warnings', '--loader', stuck.href, empty]).status, 13);

// A hook that never settles leaves an import pending and a synchronous request failed; the program goes on.
const never = write('never.mjs', `export function resolve(specifier, context, next) {
    return specifier === 'never' ? new Promise(() => {}) : next(specifier, context);
  }
  export function initialize(data) { if (data === 'never') return new Promise(() => {}); }`);
const asking = write('asking.mjs', `import { register } from 'node:module';
  register(${JSON.stringify(never.href)});
  let code;
  try { import.meta.resolve('never'); } catch (error) { ({ code } = error); }
  let other;
  try { register(${JSON.stringify(never.href)}, { data: 'never' }); } catch (error) { other = error.code; }
  import('never').then(() => console.log('settled'), () => console.log('settled'));
  console.log(code, other, await Promise.race([import('never'), 'won']));`);
const asked = spawnSync(process.execPath, ['--no-warnings', asking.pathname], { encoding: 'utf8' });
assert.strictEqual(asked.stdout, 'ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED won\n', asked.stderr);
assert.strictEqual(asked.status, 0);

// Hooks see the attributes of an import statement when they resolve.
const seeing = write('seeing.mjs', `export function resolve(specifier, context, next) {
    if (context.importAttributes.type === 'made-up') return { url: 'made:up', format: 'module', shortCircuit: true };
    return next(specifier, context);
  }
  export function load(url, context, next) {
    if (url !== 'made:up') return next(url, context);
    return { format: 'module', source: 'export default ' + JSON.stringify(context.importAttributes), shortCircuit: true };
  }`);
const attributed = write('attributed.mjs', `import made from 'x' with { type: 'made-up' }; console.log(JSON.stringify(made));`);
const shown = spawnSync(process.execPath, ['--no-warnings', '--loader', seeing.href, attributed.pathname], { encoding: 'utf8' });
assert.strictEqual(shown.stdout, '{"type":"made-up"}\n', shown.stderr);
