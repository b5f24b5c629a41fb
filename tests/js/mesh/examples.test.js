'use strict';
// examples/mesh over a server, several processes each: a line of one chat is seen in the other, a cron's time has its run in one process, pictures that one
// pushes are done by another. tests/cli/mesh_examples.test.sh has them without a server.
const assert = require('node:assert');
const { spawn } = require('node:child_process');
const path = require('node:path');
const { complete, hasNats, startNats, until } = require('../../fixtures/mesh');

const folder = path.join(__dirname, '../../../examples/mesh');

complete(async () => {
  if (!hasNats) return console.log('skipped: nats-server is not installed');
  const server = await startNats();
  const start = (name, ...args) => {
    const child = spawn(process.execPath, [path.join(folder, name), ...args], { env: { ...process.env, RONDO_MESH: server.url }, stdio: ['pipe', 'pipe', 'inherit'] });
    const run = { child, out: '', ended: new Promise((resolve) => child.once('close', resolve)) };
    child.stdout.setEncoding('utf8').on('data', (text) => (run.out += text));
    return run;
  };

  const [ada, bob] = [start('chat.js', 'ada'), start('chat.js', 'bob')];
  await until(() => /here\./.test(ada.out) && /here\./.test(bob.out));
  ada.child.stdin.write('hello from ada\n');
  await until(() => bob.out.includes('ada: hello from ada\n'));
  assert.ok(!ada.out.includes('ada: '));
  bob.child.stdin.end('bye\n');
  await until(() => ada.out.includes('bob: bye\n'));
  ada.child.stdin.end();
  assert.deepStrictEqual(await Promise.all([ada.ended, bob.ended]), [0, 0]);

  const crons = [start('cron.js', '2'), start('cron.js', '2')];
  assert.deepStrictEqual(await Promise.all(crons.map(({ ended }) => ended)), [0, 0]);
  const times = crons.flatMap(({ out }) => [...out.matchAll(/runs the one of (\S+), token/g)].map((found) => found[1]));
  assert.strictEqual(times.length, 4);
  assert.strictEqual(new Set(times).size, 4, `${times}`);

  const pushed = start('pictures.js', 'push', '5');
  assert.strictEqual(await pushed.ended, 0);
  assert.match(pushed.out, /^5 pushed, 5 in the queue$/m);
  const worked = start('pictures.js', 'both', '5'); // the same keys: nothing is pushed twice
  assert.strictEqual(await worked.ended, 0);
  assert.match(worked.out, /^5 done; picture 3 has 1024 pixels$/m);
  await server.stop();
});
