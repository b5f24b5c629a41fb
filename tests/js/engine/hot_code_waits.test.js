// A function that waits for its compilation is called at full speed: it asks the compiler's thread now and then, not at each call.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');

// Compiling the function takes long, calling it does not.
const body = Array.from({ length: 3000 }, (_, i) => `x = x * ${i} + y[${i}];`).join('\n');
const program = `
  function large(x, y) { if (x) { ${body} } return y; }
  for (let i = 0; i < 3000; i++) large(0, i);
`;
const { status, stderr, error } = spawnSync(process.execPath, ['-e', program], {
  env: { ...process.env, JSC_verboseOSR: '1', JSC_useDFGJIT: '0' },
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
assert.strictEqual(status, 0, error ?? stderr);
// The engine writes a line for each question of interpreted code. One that is asked when the function begins comes at its first hot call;
// after that the counter is met every tenth call, when the function ends.
const questions = stderr.split('\n').filter((line) => line.includes('large#') && line.includes('Entered entry_osr'));
assert.ok(questions.length > 0, stderr.slice(0, 1000));
assert.ok(questions.length < 10, `${questions.length} calls asked`);
