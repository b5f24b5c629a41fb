// NodeWorker: a session reaches a worker that waits at its start, sets a breakpoint there and steps; a worker's session to the main thread.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { InspectorClient } = require('../../fixtures/inspector_client.js');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'rondo-inspector-'));
const file = path.join(folder, 'program.js');
fs.writeFileSync(file, `const { Worker, isMainThread, workerData } = require('node:worker_threads');
if (isMainThread) {
  globalThis.answer = 42;
  new Worker(__filename, { workerData: 'data' }).on('exit', () => console.log('worker ended'));
} else {
  const seen = workerData;
  debugger;
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: 'answer' }, (error, { result }) => {
    console.log(seen, result.value);
    session.disconnect();
    process.exit();
  });
  setInterval(() => {}, 10000);
}
`);

(async () => {
  const client = await InspectorClient.start(['--inspect-wait=0', file]);
  await client.post('NodeWorker.enable', { waitForDebuggerOnStart: true });
  await client.post('Runtime.runIfWaitingForDebugger');
  const { sessionId, workerInfo, waitingForDebugger } = await client.event('NodeWorker.attachedToWorker');
  assert.deepStrictEqual([workerInfo.type, waitingForDebugger], ['worker', true]);
  let last = 0;
  const ask = async (method, params) => {
    const id = ++last;
    await client.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method, params }) });
    const { message } = await client.event('NodeWorker.receivedMessageFromWorker', (event) => JSON.parse(event.message).id === id);
    return JSON.parse(message).result;
  };
  const workerEvent = async (name) => {
    const { message } = await client.event('NodeWorker.receivedMessageFromWorker', (event) => JSON.parse(event.message).method === name);
    return JSON.parse(message).params;
  };
  await ask('Debugger.enable');
  await ask('Runtime.runIfWaitingForDebugger');
  const { callFrames: [frame] } = await workerEvent('Debugger.paused');
  assert.strictEqual(frame.location.lineNumber, 6);
  const { result } = await ask('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression: 'seen' });
  assert.strictEqual(result.value, 'data');
  // The main thread answers meanwhile.
  assert.strictEqual((await client.post('Runtime.evaluate', { expression: 'answer' })).result.value, 42);
  await ask('Debugger.resume');
  assert.deepStrictEqual(await client.event('NodeWorker.detachedFromWorker'), { sessionId });
  await client.until(() => client.stderr.includes('Waiting for the debugger'));
  assert.strictEqual(await client.end(), 0);
  assert.strictEqual(client.stdout, 'data 42\nworker ended\n');
  fs.rmSync(folder, { recursive: true });
})();
