// S109–S111, S154, S156, S158–S160: what node:crypto does on the pool, told by the trace of the same program with other settings: how
// many threads there are, which of them ran a job, and which jobs overlapped. Nothing here depends on how fast the machine is.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-crypto-pool-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

function jobsOf(source, env, pollers = ['epoll', 'uring']) {
  const file = path.join(folder, 'program.js');
  fs.writeFileSync(file, source);
  return pollers.map((poller) => {
    const child = spawnSync(process.execPath, ['trace', '--json', file], {
      encoding: 'utf8', env: { ...process.env, RONDO_POLLER: poller, ...env }, maxBuffer: 1 << 26,
    });
    assert.strictEqual(child.status, 0, child.stderr);
    const records = child.stdout.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    const out = child.stdout.split('\n').filter((line) => line.startsWith('out:'));
    const ends = new Map(records.filter((r) => r.kind === 'job.end').map((r) => [r.id, r]));
    const jobs = records.filter((r) => r.kind === 'job.begin').map((r) => ({
      id: r.id, what: r.what, thread: r.payload, begin: r.time, end: ends.get(r.id).time,
    }));
    return { poller, jobs, out, records };
  });
}
const threadsOf = (jobs) => new Set(jobs.map((job) => job.thread)).size;
// The most jobs that ran at one moment.
function together(jobs) {
  return Math.max(...jobs.map((one) => jobs.filter((other) => other.begin <= one.begin && one.begin < other.end).length));
}
// Long enough for every thread to have started before the first one is over, however the machine is loaded.
const derive = (count, rounds = 150000) => `
  const crypto = require('crypto');
  for (let i = 0; i < ${count}; i++) crypto.pbkdf2('pwd', 'salt', ${rounds}, 64, 'sha512', (error) => { if (error) throw error; });`;

// Four threads by default, however many jobs there are (S110), and four derivations run together (S158).
for (const { jobs, poller } of jobsOf(derive(8), { UV_THREADPOOL_SIZE: undefined })) {
  const crypto = jobs.filter((job) => job.what === 'crypto');
  assert.strictEqual(crypto.length, 8, poller);
  assert.strictEqual(threadsOf(crypto), 4, poller);
  assert.strictEqual(together(crypto), 4, poller);
}

// S159: with one thread they run in a row.
for (const { jobs, poller } of jobsOf(derive(4, 20000), { UV_THREADPOOL_SIZE: '1' })) {
  const crypto = jobs.filter((job) => job.what === 'crypto').sort((a, b) => a.begin - b.begin);
  assert.strictEqual(crypto.length, 4, poller);
  assert.strictEqual(threadsOf(crypto), 1, poller);
  for (let i = 1; i < crypto.length; i++) assert.ok(crypto[i].begin >= crypto[i - 1].end, `${poller}: job ${i} waits for the one before`);
}

// S160: the variable is obeyed; what is no number of threads leaves the default.
for (const [size, threads] of [['2', 2], ['8', 8], ['abc', 4]]) {
  for (const { jobs, poller } of jobsOf(derive(10, 100000), { UV_THREADPOOL_SIZE: size }, ['epoll'])) {
    assert.strictEqual(threadsOf(jobs.filter((job) => job.what === 'crypto')), threads, `${poller}, ${size}`);
  }
}

// S111, S156: which APIs make jobs, and of which class; each job runs on a thread of the pool.
const asked = {
  pbkdf2: "crypto.pbkdf2('a', 'b', 1, 8, 'sha1', () => {})",
  scrypt: "crypto.scrypt('a', 'b', 8, () => {})",
  hkdf: "crypto.hkdf('sha1', 'a', 'b', 'c', 8, () => {})",
  randomBytes: 'crypto.randomBytes(8, () => {})',
  generateKeyPair: "crypto.generateKeyPair('ed25519', () => {})",
  sign: "crypto.sign(null, Buffer.from('a'), crypto.generateKeyPairSync('ed25519').privateKey, () => {})",
  digest: "globalThis.crypto.subtle.digest('SHA-256', new Uint8Array(4))",
};
for (const name of Object.keys(asked)) {
  for (const { jobs, poller } of jobsOf(`const crypto = require('crypto'); ${asked[name]};`, {}, ['epoll'])) {
    assert.deepStrictEqual(jobs.map((job) => job.what), ['crypto'], `${name}, ${poller}`);
  }
}
for (const { jobs } of jobsOf("require('dns').lookup('localhost', () => {})", {}, ['epoll'])) assert.deepStrictEqual(jobs.map((job) => job.what), ['dns']);
for (const { jobs } of jobsOf("require('fs').stat('.', () => {})", { RONDO_FS: 'pool' }, ['epoll'])) assert.ok(jobs.some((job) => job.what === 'fs'));
const sockets = `
  const net = require('net');
  const server = net.createServer((socket) => { socket.end('x'); server.close(); });
  server.listen(0, '127.0.0.1', () => net.connect(server.address().port, '127.0.0.1').resume());`;
for (const { jobs, poller } of jobsOf(sockets, {})) assert.deepStrictEqual(jobs, [], poller);
for (const { jobs } of jobsOf("require('crypto').pbkdf2Sync('a', 'b', 1, 8, 'sha1')", {}, ['epoll'])) assert.deepStrictEqual(jobs, []);

// S109, S154: callbacks of pool jobs run on the thread that runs the script, one at a time.
const where = `
  const fs = require('fs');
  const me = () => fs.readlinkSync('/proc/thread-self').split('/').pop();
  const first = me();
  ${derive(4, 1000).replace('if (error) throw error;', "if (me() !== first) throw new Error('another thread');")}
  fs.stat('.', () => { if (me() !== first) throw new Error('another thread'); });
  setTimeout(() => { if (me() !== first) throw new Error('another thread'); }, 1);`;
for (const { records, poller } of jobsOf(where, {})) {
  let running = 0;
  for (const { kind, what } of records) {
    if (kind === 'task.begin' && what !== 'microtask' && what !== 'tick') assert.ok(++running <= 1, poller);
    if (kind === 'task.end' && what !== 'microtask' && what !== 'tick') running--;
  }
}

// A class with waiting jobs gets a thread: slow derivations on every thread of the pool stop no file.
const mixed = `
  const fs = require('fs');
  const order = [];
  let left = 4;
  const crypto = require('crypto');
  for (let i = 0; i < 4; i++) {
    crypto.pbkdf2('pwd', 'salt', 300000, 64, 'sha512', () => { order.push('hash'); if (--left === 0) process.stdout.write('out:' + order[0] + '\\n'); });
  }
  fs.readFile(__filename, () => order.push('file'));`;
for (const kind of ['pool', 'ring']) {
  for (const { out, poller } of jobsOf(mixed, { RONDO_FS: kind })) assert.deepStrictEqual(out, ['out:file'], `${poller}, ${kind}`);
}
