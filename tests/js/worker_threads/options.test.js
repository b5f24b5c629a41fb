// A worker with arguments of its own has NODE_OPTIONS, too: those of its environment.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');

const program = `
  const { Worker } = require('worker_threads');
  const show = 'console.log(Error.stackTraceLimit)';
  const run = (options) => new Promise((resolve) => { new Worker(show, { eval: true, ...options }).on('exit', resolve); });
  (async () => {
    await run({});
    await run({ execArgv: [] });
    await run({ execArgv: [], env: {} });
    await run({ execArgv: ['--stack-trace-limit=7'] });
    await run({ execArgv: [], env: { NODE_OPTIONS: '--stack-trace-limit=4' } });
  })();`;
const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
  env: { ...process.env, NODE_OPTIONS: '--stack-trace-limit=5' },
  encoding: 'utf8',
});
const lines = stdout.split('\n');
assert.deepStrictEqual(lines, ['5', '5', '10', '7', '4', ''], stderr);
