// The mission's servers with the real express 4 and 5 (S125, S162–S167): `compute` asks for itself again by setImmediate, by a promise, by
// nextTick, or by a promise library on setImmediate. The server answers in the first and the last; in the others it never does.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const program = path.join(__dirname, 'fixtures/compute.js');
const kBlocks = 2000;  // of compute, while the request waits: far longer than an answer takes
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-compute-'));
let runs = 0;

function start(args, poller) {
  const file = path.join(folder, `${runs++}`);
  fs.writeFileSync(file, '');
  const child = spawn(process.execPath, [...args, file], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, RONDO_POLLER: poller } });
  const state = { child, out: '', err: '', blocks: () => fs.statSync(file).size };
  child.stdout.setEncoding('latin1').on('data', (text) => { state.out += text; });
  child.stderr.setEncoding('latin1').on('data', (text) => { state.err += text; });
  return state;
}
async function until(state, holds) {
  while (!holds()) {
    assert(state.child.exitCode === null && state.child.signalCode === null, state.err);
    await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
}

async function exercise(name, how, answers, poller) {
  const state = start([program, name, how], poller);
  await until(state, () => state.out.includes('listening on port') && state.blocks() > 2);
  const port = Number(/listening on port (\d+)/.exec(state.out)[1]);
  let answer;
  const request = http.get({ host: '127.0.0.1', port, agent: false }, async (res) => {
    let text = '';
    for await (const part of res) text += part;
    answer = text;
  });
  request.on('error', () => {});
  await once(request, 'socket');
  const before = state.blocks();
  if (answers) {
    await once(request, 'close');
    assert.strictEqual(answer, '"ok"');
  } else {
    await until(state, () => state.blocks() > before + kBlocks);
    assert.strictEqual(answer, undefined, `${name} ${how} ${poller}`);
  }
  assert.strictEqual(state.out.split('listening on port').length, 2);
  assert(state.out.includes(Array.from({ length: 1000 }, (_, i) => `computing i=${i}...\n`).join('')));
  request.destroy();
  state.child.kill('SIGKILL');
  await once(state.child, 'exit');
}

// S167: rondo trace names the queue and the function as soon as it sees that nothing else runs.
async function named(how, queue) {
  const state = start(['trace', program, 'express', how], 'uring');
  await until(state, () => queue.test(state.err));
  assert.match(state.err, /compute \(.*compute\.js/);
  state.child.kill('SIGKILL');
  await once(state.child, 'exit');
}

(async () => {
  for (const poller of ['uring', 'epoll']) {
    for (const name of ['express4', 'express']) {
      await exercise(name, 'setImmediate', true, poller);
      await exercise(name, 'library', true, poller);
      await exercise(name, 'promise', false, poller);
      await exercise(name, 'nextTick', false, poller);
    }
  }
  await named('nextTick', /nextTick callbacks in a row/);
  await named('promise', /microtasks in a row/);
  fs.rmSync(folder, { recursive: true });
})();
