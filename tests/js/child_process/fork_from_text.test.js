// fork() from -e and -p does not hand the text on: the child runs the file and nothing else.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');

if (process.argv[2] === 'child') {
  console.log('execArgv', process.execArgv.join());
} else {
  // A child that gets the text says so and starts no more.
  const text = `if (process.env.RONDO_TEST_FORKED) { console.log('again'); process.exit(1); }
    process.env.RONDO_TEST_FORKED = '1'; require('child_process').fork(${JSON.stringify(__filename)}, ['child']); 0`;
  for (const [flags, shown] of [[['-e'], ''], [['-p'], ''], [['--no-warnings', '-pe'], '--no-warnings']]) {
    const { stdout } = spawnSync(process.execPath, [...flags, text], { encoding: 'utf8' });
    assert.ok(!stdout.includes('again'), stdout);
    assert.match(stdout, new RegExp(`^execArgv ${shown}$`, 'm'));
  }
  const { stdout } = spawnSync(process.execPath, ['-'], { input: 'console.log(process._eval.length)', encoding: 'utf8' });
  assert.strictEqual(stdout, '33\n');
}
