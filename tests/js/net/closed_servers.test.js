// A closed server keeps no descriptor, also while the program keeps the server.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'closed-servers-'));
const descriptors = () => fs.readdirSync('/proc/self/fd').length;
const kept = [];

function openAndClose(...place) {
  return new Promise((resolve, reject) => {
    const server = net.createServer().on('error', reject);
    kept.push(server);
    server.listen(...place, () => server.close(resolve));
  });
}

(async () => {
  for (const place of [[0, '127.0.0.1'], [path.join(folder, 'socket')]]) {
    await openAndClose(...place);
    const before = descriptors();
    for (let i = 0; i < 40; i++) await openAndClose(...place);
    assert(descriptors() < before + 20, `${before} descriptors, then ${descriptors()}`);
  }
  assert.strictEqual(kept.length, 82);
  fs.rmSync(folder, { recursive: true });
})();
