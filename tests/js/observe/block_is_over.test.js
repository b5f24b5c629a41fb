// flags: --expose-internals
// On a busy machine pulses of a process come later than answers of its thread: a block that is over by the time of the answers is no finding,
// and what runs then has not blocked.
'use strict';

const assert = require('node:assert');
const { Doctor } = require('internal/observe/doctor');

const kStack = [['later', '/srv/app.js:9:3']];

// Pulses of a callback that runs long; answers come `callbacks` callbacks after the start of the loop, with many microtasks between them.
async function findings(callbacks) {
  const found = [];
  let microtasks = 0;
  const peer = {
    pid: process.pid,
    ask: async () => ({ stack: kStack, callbacks, said: { ticks: 0, microtasks: (microtasks += 100), timers: 0 } }),
    askLater: () => new Promise(() => {}),
    look: async () => ({ stack: kStack }),
    send: () => {},
  };
  const doctor = new Doctor(peer, { threshold: 100, threads: 4 }, (finding) => found.push(finding.class));
  const known = doctor.runtime(0);
  const clock = { look: () => {}, read: () => performance.now(), when: (time) => time, part: (time) => time };
  known.clock = clock;
  known.questions.known = known;
  const begin = performance.now();
  const pulse = { runtime: 0, thread: process.pid, now: begin, busy: 150, phaseTime: 150, phaseCallbacks: 1, iteration: 3, phase: 'poll', event: '', callbacks: 7 };
  const rest = { messages: 0, budget: 0, idle: 0, jobs: [0, 0], jobWait: 0, jobStack: [], handles: {}, heap: 0, collections: 0, collecting: 0 };
  doctor.see({ ...pulse, ...rest });
  while (known.isAsking) await new Promise(setImmediate);
  return found;
}

(async () => {
  assert.deepStrictEqual(await findings(7), ['microtask-recursion']);
  assert.deepStrictEqual(await findings(9), []);
})();
