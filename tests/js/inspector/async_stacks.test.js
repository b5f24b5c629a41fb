// Stacks across asynchronous calls: with setAsyncCallStackDepth a stop says where the timer, promise or request was started, as far back as
// asked; without it nothing is noted.
'use strict';

const assert = require('node:assert');
const inspector = require('node:inspector');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

if (!isMainThread) {
  const session = new inspector.Session();
  session.connectToMainThread();
  const post = (method, params) => new Promise((resolve, reject) => {
    session.post(method, params, (error, result) => (error ? reject(error) : resolve(result)));
  });
  session.on('Debugger.paused', async ({ params }) => {
    const { callFrames, asyncStackTrace } = params;
    const names = [];
    for (let stack = asyncStackTrace; stack; stack = stack.parent) {
      names.push([stack.description, stack.callFrames.find(({ url }) => url.startsWith('file:'))?.functionName]);
    }
    parentPort.postMessage({ where: callFrames[0].functionName, names });
    await post('Debugger.resume');
  });
  parentPort.on('message', async ({ method, params }) => {
    const error = await post(method, params).then(() => undefined, (failed) => failed.message);
    parentPort.postMessage({ done: method, error });
    if (method === 'Debugger.disable') process.exit();
  });
  return;
}

const worker = new Worker(__filename);
const stops = [];
let onDone;
worker.on('message', (message) => {
  if (message.done) onDone(message.error);
  else stops.push(message);
});
const send = (method, params) => new Promise((resolve) => {
  onDone = resolve;
  worker.postMessage({ method, params });
});

function timer(run) { setTimeout(function inTimer() { run(); }, 1); }
function promise(run) { Promise.resolve().then(function inPromise() { run(); }); }
function stop() { debugger; }
async function until(count) { while (stops.length < count) await new Promise((resolve) => setImmediate(resolve)); }

worker.once('online', async () => {
  await send('Debugger.enable');
  timer(stop);
  await until(1);
  await send('Debugger.setAsyncCallStackDepth', { maxDepth: 8 });
  (function startsTimer() { timer(stop); })();
  await until(2);
  (function startsBoth() { timer(() => promise(stop)); })();
  await until(3);
  await send('Debugger.setAsyncCallStackDepth', { maxDepth: 1 });
  timer(() => promise(stop));
  await until(4);
  assert.deepStrictEqual(stops.map(({ where }) => where), ['stop', 'stop', 'stop', 'stop']);
  assert.deepStrictEqual(stops[0].names, []);
  assert.deepStrictEqual(stops[1].names[0], ['Timeout', 'timer']);
  assert.deepStrictEqual(stops[2].names.slice(0, 2), [['Promise.then', 'promise'], ['Timeout', 'timer']]);
  assert.deepStrictEqual(stops[3].names, [['Promise.then', 'promise']]);
  await send('Debugger.disable');
});
