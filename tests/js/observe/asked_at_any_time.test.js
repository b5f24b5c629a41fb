// Questions of a watcher that come while the library loads a file, or while another question is being answered, are answered when that
// has ended: nothing sees a file half loaded, and answers do not grow into each other.
'use strict';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const kHead = 5; // length and kind of a frame
const kQuestions = ['counts', 'noteOrigins', 'origins', 'usual', 'watchLateness', 'alive', 'lost', 'exit'];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-asked-'));
const address = path.join(folder, 'socket');

// Runs `program` as the watched process; `act(ask)` with ask(question) → promise of the answer. Ends it with act.
async function watched(program, act) {
  const server = net.createServer().listen(address);
  await once(server, 'listening');
  const env = { ...process.env, RONDO_WATCHED_BY: address };
  const child = spawn(process.execPath, ['--no-warnings', '-e', program], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text; });
  const [socket] = await once(server, 'connection');
  const waiting = new Map();
  let bytes = Buffer.alloc(0), last = 0;
  const gone = new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
  socket.on('data', (data) => {
    bytes = Buffer.concat([bytes, data]);
    while (bytes.length >= kHead && bytes.length >= kHead + bytes.readUInt32LE(0)) {
      const end = kHead + bytes.readUInt32LE(0);
      const { id, ...answer } = bytes[4] === 74 ? JSON.parse(bytes.toString('utf8', kHead, end)) : {};
      waiting.get(id)?.(answer);
      bytes = bytes.subarray(end);
    }
  });
  const ask = (question) => new Promise((resolve) => {
    waiting.set(`q${last}`, resolve);
    socket.write(`ask q${last++} 0 ${question}\n`);
  });
  socket.write('go\n');
  await act(ask, gone);
  child.kill('SIGKILL');
  await once(child, 'close');
  server.close();
  await once(server, 'close');
  assert.strictEqual(stderr, '');
}

function check({ said, stack }) {
  assert.ok(said, `no answer: ${JSON.stringify(stack)}`);
  for (const [name, place] of stack) {
    assert.ok(name !== '(top level)' || !place.startsWith('node:'), `asked in the midst of ${place}`);
    assert.ok(!place.startsWith('node:internal/observe/inside'), 'asked in the midst of an answer');
  }
}

(async () => {
  // One question after another while every file of the library is loaded.
  const loadsAll = "for (const name of require('node:module').builtinModules) try { require(name); } catch {}";
  await watched(loadsAll, async (ask, gone) => {
    for (let i = 0; ; i++) {
      const answer = await Promise.race([ask(kQuestions[i % kQuestions.length]), gone]);
      if (answer === undefined) return;
      check(answer);
    }
  });
  // Questions that come faster than they are answered, to a program that never rests.
  await watched('for (;;);', async (ask) => {
    const answers = [];
    for (let i = 0; i < 200; i++) {
      answers.push(ask('exit'));
      await new Promise(setImmediate);
    }
    for (const answer of await Promise.all(answers)) check(answer);
  });
  fs.rmSync(folder, { recursive: true });
})();
