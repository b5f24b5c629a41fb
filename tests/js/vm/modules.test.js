// vm.SourceTextModule and vm.SyntheticModule: linking, evaluation, import.meta, import() in scripts, functions and modules.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');

if (!process.execArgv.includes('--experimental-vm-modules')) {
  assert.deepStrictEqual(Object.keys(require('vm')).filter((name) => name.endsWith('Module')), []);
  const { status } = spawnSync(process.execPath, ['--no-warnings', '--experimental-vm-modules', __filename], { stdio: 'inherit' });
  process.exit(status);
}

const vm = require('vm');
const { SourceTextModule, SyntheticModule } = vm;
const { inspect } = require('util');

const alone = async (text, options) => {
  const module = new SourceTextModule(text, options);
  await module.link(() => assert.fail());
  return module;
};

async function linking() {
  const synthetic = new SyntheticModule(['default', 'x'], function evaluate() { this.setExport('x', 1); });
  assert.strictEqual(synthetic.status, 'linked');
  const root = new SourceTextModule('import d, { x } from "s"; import * as again from "s"; export { d, x as y }; export const read = () => again.x + x;');
  assert.strictEqual(root.status, 'unlinked');
  assert.deepStrictEqual(root.dependencySpecifiers, ['s']);
  assert.ok(Object.isFrozen(root.moduleRequests));
  assert.throws(() => root.namespace, { code: 'ERR_VM_MODULE_STATUS' });
  assert.throws(() => root.instantiate(), { code: 'ERR_VM_MODULE_LINK_FAILURE' });
  const asked = [];
  const linked = root.link((...args) => { asked.push(args); return synthetic; });
  assert.strictEqual(root.status, 'linking');
  await linked;
  assert.strictEqual(asked[0][1], root);
  await assert.rejects(root.link(() => {}), { code: 'ERR_VM_MODULE_ALREADY_LINKED' });
  await root.evaluate();
  assert.deepStrictEqual({ ...root.namespace, read: 0 }, { d: undefined, y: 1, read: 0 });
  for (let i = 0; i < 20_000; i++) assert.ok(root.namespace.read() === 2);  // compiled by now
  synthetic.setExport('x', 5);
  assert.strictEqual(root.namespace.read(), 10);
  assert.throws(() => synthetic.setExport('nothing', 1), { name: 'ReferenceError' });

  for (const [answer, code] of [[{}, 'ERR_VM_MODULE_NOT_MODULE'], [await alone('', { context: vm.createContext() }), 'ERR_VM_MODULE_DIFFERENT_CONTEXT']]) {
    const refused = new SourceTextModule('import "x"');
    await assert.rejects(refused.link(() => answer), { code });
    assert.strictEqual(refused.status, 'errored');
  }
  const missing = new SourceTextModule('import { no } from "x"');
  const empty = await alone('');
  await assert.rejects(missing.link(() => empty), { name: 'SyntaxError' });
}

async function cyclesAndOrder() {
  globalThis.log = [];
  const texts = {
    a: 'import { b } from "b"; import "slow"; import "fast"; export function a() { return 1; } log.push("a" + b);',
    b: 'import { a } from "a"; export const b = a(); log.push("b");',
    slow: 'log.push("slow"); await null; await null; log.push("slow2");', fast: 'log.push("fast")',
  };
  const modules = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, new SourceTextModule(text)]));
  for (const module of Object.values(modules)) module.linkRequests(module.dependencySpecifiers.map((name) => modules[name]));
  assert.throws(() => modules.a.linkRequests([]), { code: 'ERR_MODULE_LINK_MISMATCH' });
  modules.a.instantiate();
  assert.ok(modules.a.hasAsyncGraph() && modules.slow.hasTopLevelAwait() && !modules.a.hasTopLevelAwait());
  const evaluation = modules.a.evaluate();
  assert.strictEqual(modules.a.status, 'evaluated');
  assert.match(inspect(evaluation), /pending/);
  await evaluation;
  assert.deepStrictEqual(globalThis.log, ['b', 'slow', 'fast', 'slow2', 'a1']);

  const error = globalThis.error = new Error('mine');
  const throwing = await alone('throw error');
  const first = throwing.evaluate();
  assert.match(inspect(first), /rejected/);
  await assert.rejects(first, error);
  await assert.rejects(throwing.evaluate(), error);
  assert.strictEqual(throwing.error, error);
  const after = new SourceTextModule('import "x"');
  await assert.rejects(after.link(() => throwing), { code: 'ERR_VM_MODULE_LINK_FAILURE', cause: error });

  const endless = await alone('for (;;);');
  await assert.rejects(endless.evaluate({ timeout: 20 }), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
}

async function contextsAndImports() {
  const context = vm.createContext({ a: 5 });
  const seen = [];
  const target = await alone('export const here = 7;');
  await target.evaluate();
  const importModuleDynamically = (specifier, referrer, attributes, phase) => {
    seen.push([specifier, referrer, { ...attributes }, phase]);
    return target;
  };
  const module = new SourceTextModule('export const b = a + 1; export const meta = import.meta; export const load = () => import("m");', {
    context, identifier: 'file:///own.mjs', importModuleDynamically, initializeImportMeta(meta, from) { meta.from = from; },
  });
  assert.strictEqual(module.context, context);
  await module.link(() => {});
  await module.evaluate();
  assert.strictEqual(module.namespace.b, 6);
  assert.strictEqual(module.namespace.meta.from, module);
  const script = new vm.Script('import("s", { with: { type: "json" } })', { importModuleDynamically });
  const compiled = vm.compileFunction('return import("f")', [], { importModuleDynamically });
  for (const namespace of await Promise.all([module.namespace.load(), script.runInContext(context), script.runInThisContext(), compiled()])) {
    assert.strictEqual(namespace, target.namespace);
  }
  assert.deepStrictEqual(seen, [
    ['m', module, {}, 'evaluation'], ['s', script, { type: 'json' }, 'evaluation'], ['s', script, { type: 'json' }, 'evaluation'],
    ['f', compiled, {}, 'evaluation'],
  ]);
  const main = { importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER, filename: __filename };
  for (const run of [vm.runInThisContext, (code, options) => vm.runInContext(code, context, options)]) {
    assert.ok((await run('import("./modules.test.js")', main)).default);
    await assert.rejects(run('import("x")', { importModuleDynamically: () => ({}) }), { code: 'ERR_VM_MODULE_NOT_MODULE' });
    await assert.rejects(run('import("x")', {}), { code: 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING' });
  }

  const cachedData = new SourceTextModule('export default 1').createCachedData();
  const cached = await alone('export default 1', { cachedData });
  await cached.evaluate();
  assert.strictEqual(cached.namespace.default, 1);
  assert.throws(() => new SourceTextModule('export default 2', { cachedData }), { code: 'ERR_VM_MODULE_CACHED_DATA_REJECTED' });
}

linking().then(cyclesAndOrder).then(contextsAndImports);
