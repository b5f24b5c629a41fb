// flags: --expose-internals
// A program is not to blame for the time before its first line, in which its watcher was slow, nor for the time that its thread was ready and had no
// processor, also before the watcher's first look at it.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { ThreadClock, now } = require('internal/observe/thread_clock');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-busy-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

// A thread that has run for two seconds and waited for eight when it is first seen: of any second before, a fifth counts.
{
  const say = (ran, waited) => fs.writeFileSync(path.join(folder, 'schedstat'), `${ran * 1e6} ${waited * 1e6} 100\n`);
  fs.writeFileSync(path.join(folder, 'stat'), '1 (a b) S 0\n');
  say(2000, 8000);
  const before = now();
  const clock = new ThreadClock(0, 0, folder);
  const first = now();
  clock.look(); // what passes between two looks has been slept
  const part = clock.part(1000, first);
  assert.ok(part > 190 && part <= 210 + (now() - before), `${part} of 1000 ms`);
  // One that has slept before: all of that time counts, as of a program that waits for a file.
  const early = clock.part(60_000, first);
  assert.ok(early > 51_900 && early <= 52_100 + (now() - before), `${early} of 60 s`);
}

// A watcher that says "go" after a while: the program's main script is not busy since before that.
const kFrameHead = 5;
const script = path.join(folder, 'wait.js');
fs.writeFileSync(script, 'require("node:fs").readSync(0, Buffer.alloc(1));');  // busy until its input ends
const address = path.join(folder, 'watcher.sock');
let child;
const server = net.createServer((socket) => {
  let bytes = Buffer.alloc(0);
  let toldAt;
  let judged = false;
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= kFrameHead && bytes.length >= kFrameHead + bytes.readUInt32LE(0)) {
      const end = kFrameHead + bytes.readUInt32LE(0);
      take(JSON.parse(bytes.toString('utf8', kFrameHead, end)));
      bytes = bytes.subarray(end);
    }
  });
  function take({ kind, busy, iteration }) {
    if (kind === 'hello') {
      socket.write('pulse\n');
      setTimeout(() => {
        toldAt = now();
        socket.write('go\n');
      }, 1000);
    } else if (kind === 'pulse' && !judged) {
      judged = true;
      assert.strictEqual(iteration, 0);
      assert.ok(toldAt !== undefined && busy <= now() - toldAt + 1, `busy for ${busy} ms, told to go ${now() - toldAt} ms ago`);
      child.stdin.end();
    } else if (kind === 'exit') {
      assert.ok(judged);
      socket.destroy();
      server.close();
    }
  }
});
server.listen(address, () => {
  child = spawn(process.execPath, [script], { stdio: ['pipe', 'inherit', 'inherit'], env: { ...process.env, RONDO_WATCHED_BY: address } });
  child.on('exit', (code) => assert.strictEqual(code, 0));
});
