// Standard streams of a worker: to the owner's own by default, streams of the worker object when asked for; nothing is lost at exit.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');

async function textOf(stream) {
  let text = '';
  for await (const piece of stream) text += piece;
  return text;
}

async function main() {
  const worker = new Worker(`
    let text = '';
    process.stdin.setEncoding('utf8').on('data', (d) => { text += d }).on('end', () => {
      console.log('out %s', text);
      console.error('err', { a: 1 });
      process.stdout.write('x'.repeat(100000));
      process.exit(0);
    })`, { eval: true, stdin: true, stdout: true, stderr: true });
  worker.stdin.write('some ');
  worker.stdin.end('input');
  const [out, err] = await Promise.all([textOf(worker.stdout), textOf(worker.stderr)]);
  assert.strictEqual(out, `out some input\n${'x'.repeat(100000)}`);
  assert.strictEqual(err, 'err { a: 1 }\n');

  const noInput = new Worker("process.stdin.resume().on('end', () => console.log('ended'))", { eval: true, stdout: true });
  assert.strictEqual(noInput.stdin, null);
  assert.strictEqual(await textOf(noInput.stdout), 'ended\n');

  // What waits when a worker fails goes out once.
  const failing = new Worker("for (let i = 0; i < 4; i++) console.log(i); process.on('exit', () => console.log('at exit')); throw new Error('x')", { eval: true, stdout: true });
  failing.on('error', () => {});
  assert.strictEqual(await textOf(failing.stdout), '0\n1\n2\n3\nat exit\n');

  const program = `
    const { Worker } = require('node:worker_threads');
    console.log('before');
    new Worker("console.log('in worker'); console.error('and here'); process.on('exit', () => console.log('at exit'))", { eval: true })
      .on('exit', () => console.log('after'));`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  assert.strictEqual(stdout, 'before\nin worker\nat exit\nafter\n');
  assert.strictEqual(stderr, 'and here\n');
  assert.strictEqual(status, 0);
}

let done = false;
main().then(() => { done = true; });
process.on('exit', () => assert(done));
