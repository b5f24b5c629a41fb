// The scope of a worker's text is a module's: no builtin modules as globals, which -e has. And process in a worker refuses what is the
// whole process's, by functions that stand there before any program looks.
'use strict';

const assert = require('assert');
const { execFileSync } = require('child_process');
const { Worker } = require('worker_threads');

function valueIn(text, options) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(`require('worker_threads').parentPort.postMessage((() => { ${text} })())`, { eval: true, ...options });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

(async () => {
  assert.deepStrictEqual(await valueIn('return [typeof fs, typeof path, typeof zlib]'), ['undefined', 'undefined', 'undefined']);
  assert.strictEqual(execFileSync(process.execPath, ['-p', 'typeof fs + typeof path'], { encoding: 'utf8' }), 'objectobject\n');

  const names = ['module', 'exports', 'require', '__filename', '__dirname'];
  assert.deepStrictEqual(await valueIn(`return ${JSON.stringify(names)}.map((name) => Object.getOwnPropertyDescriptor(globalThis, name).enumerable)`),
                         [true, true, true, true, true]);
  assert.deepStrictEqual(await valueIn('return [__filename, __dirname, module.id, module.path, module.filename, module.paths[0], require.main]'), [
    '[worker eval]', '.', '[worker eval]', '.', `${process.cwd()}/[worker eval]`, `${process.cwd()}/node_modules`, undefined,
  ]);

  const refused = ['abort', 'chdir', 'initgroups', 'setgroups', 'setegid', 'seteuid', 'setgid', 'setuid'];
  const told = await valueIn(`return ${JSON.stringify(refused)}.map((name) => {
    try { process[name](); } catch ({ code, message }) { return [code, message, process[name].disabled, Object.keys(process).includes(name)]; }
  })`);
  assert.deepStrictEqual(told, refused.map((name) => [
    'ERR_WORKER_UNSUPPORTED_OPERATION', `process.${name}() is not supported in workers`, true, true,
  ]));
  assert.strictEqual(await valueIn('try { process.execve() } catch (error) { return error.message }'), 'Calling process.execve is not supported in workers');
  assert.strictEqual(await valueIn('return process.umask()'), process.umask());
  assert.strictEqual(await valueIn("return '_debugProcess' in process || '_debugEnd' in process"), false);
  assert.strictEqual(await valueIn("return process.listenerCount('newListener')"), 0);

  // Options of the owner, and NODE_PATH as it was when the worker began.
  assert.strictEqual(await valueIn('return require("module").globalPaths.includes("/nowhere/at/all")', { env: { ...process.env, NODE_PATH: '/nowhere/at/all' } }), true);
  assert.strictEqual(await valueIn('process.env.NODE_PATH = "/too/late"; return require("module").globalPaths.includes("/too/late")'), false);
  assert.strictEqual(await valueIn('process.env.NODE_PATH = "/in/time"; const { Module } = require("module"); Module._initPaths(); return Module.globalPaths.includes("/in/time")'), true);
})();
