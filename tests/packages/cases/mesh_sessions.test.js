// examples/mesh/sessions.cjs with express: a session lives in the mesh, so that with a NATS server two processes count the same visits.
'use strict';
const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const repository = path.join(__dirname, '../../..');
const { complete, hasNats, startNats } = require(path.join(repository, 'tests/fixtures/mesh'));

// Beside the packages, as its first lines say.
const example = path.join(__dirname, 'sessions_example.cjs');
fs.copyFileSync(path.join(repository, 'examples/mesh/sessions.cjs'), example);

async function start(environment) {
  const child = spawn(process.execPath, [example, '0'], { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill('SIGKILL'));
  for await (const chunk of child.stdout) return { child, url: `${chunk}`.trim() };
  assert.fail('it ended');
}

async function visit(url, cookie) {
  const response = await fetch(url, { headers: cookie === undefined ? {} : { cookie } });
  const [, count, pid] = /^visit (\d+), answered by process (\d+)\n$/.exec(await response.text());
  return { count: Number(count), pid: Number(pid), cookie: /session=[^;]+/.exec(response.headers.get('set-cookie'))[0] };
}

complete(async () => {
  const server = hasNats ? await startNats() : undefined;
  const environment = server === undefined ? {} : { RONDO_MESH: server.url };
  const one = await start(environment);
  const two = server === undefined ? one : await start(environment);
  const first = await visit(one.url);
  const second = await visit(two.url, first.cookie);
  assert.deepStrictEqual([first.count, second.count, second.cookie], [1, 2, first.cookie]);
  assert.deepStrictEqual([first.pid, second.pid], [one.child.pid, two.child.pid]);
  assert.strictEqual((await visit(one.url)).count, 1); // a session of its own
  // Visits at the same moment are all counted.
  const several = await Promise.all([one, two, one, two, one].map(({ url }) => visit(url, first.cookie)));
  assert.deepStrictEqual(several.map(({ count }) => count).sort((a, b) => a - b), [3, 4, 5, 6, 7]);
  one.child.kill();
  two.child.kill();
  await server?.stop();
});
