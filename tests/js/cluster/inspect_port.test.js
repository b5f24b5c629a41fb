// Each worker of a cluster that is inspected listens on a port of its own; settings.inspectPort says which.
'use strict';

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const cluster = require('node:cluster');

if (process.argv[2] === 'primary' && cluster.isPrimary) {
  cluster.setupPrimary({ inspectPort: process.argv[3] === 'own' ? () => 0 : undefined });
  const ports = [];
  for (let i = 0; i < 2; i++) {
    cluster.fork().on('message', (message) => {
      ports.push(message);
      if (ports.length === 2) process.stdout.write(JSON.stringify({ own: process.debugPort, ports }));
    });
  }
  for (const wrong of process.argv[3] === 'own' ? [-1, 80, 70000, 1.5] : []) {
    cluster.settings.inspectPort = wrong;
    assert.throws(() => cluster.fork(), { code: 'ERR_SOCKET_BAD_PORT' });
  }
  return;
}
if (cluster.isWorker) {
  process.send({ port: process.debugPort, url: require('node:inspector').url() });
  return process.disconnect();
}

const run = (options, ...args) => {
  const env = { ...process.env, NODE_OPTIONS: options };
  const { stdout, stderr } = spawnSync(process.execPath, [__filename, 'primary', ...args], { encoding: 'utf8', env });
  assert(stdout.startsWith('{'), stderr);
  return JSON.parse(stdout);
};
// Any free ports: the next numbers after the owner's may be taken.
const { own, ports } = run('--inspect=0', 'own');
assert.strictEqual(new Set([own, ...ports.map(({ port }) => port)]).size, 3);
for (const { port, url } of ports) assert(url.startsWith(`ws://127.0.0.1:${port}/`), url);
const without = run('');
assert.strictEqual(without.ports[0].url, undefined);
