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
