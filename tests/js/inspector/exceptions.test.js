// Steps over await. Stops at exceptions, caught by the program or not; steps over what is caught; scripts that are skipped; log points; breakpoints that are off.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { InspectorClient } = require('../../fixtures/inspector_client.js');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'rondo-inspector-'));
const file = path.join(folder, 'program.js');
const url = pathToFileURL(file).href;
fs.writeFileSync(path.join(folder, 'helper.js'), `exports.call = (f) => {
  return f();
};
`);
fs.writeFileSync(file, `const { call } = require('./helper.js');
function caught() {
  try {
    throw new Error('caught');
  } catch (error) {
    return error.message;
  }
}
caught();
caught();
let count = 0;
for (let i = 0; i < 3; i++) {
  count += i;
}
call(() => {
  count++;
});
async function waits() {
  const first = await new Promise((done) => setImmediate(done, 'first'));
  return first;
}
process.on('uncaughtException', () => { count = -1; });
waits().then(() => setTimeout(() => {
  throw new RangeError('uncaught');
}, 1));
`);

const lineOf = ({ callFrames }) => callFrames[0].location.lineNumber;

(async () => {
  const client = await InspectorClient.start(['--inspect-brk=0', file]);
  await client.toFirstLine();
  const step = async (method, params) => {
    await client.post(method, params);
    return client.event('Debugger.paused');
  };

  // All exceptions: stops where it is thrown, and shows it.
  await client.post('Debugger.setPauseOnExceptions', { state: 'all' });
  const thrown = await step('Debugger.resume');
  assert.deepStrictEqual([thrown.reason, lineOf(thrown), thrown.data.className], ['exception', 3, 'Error']);
  assert.match(thrown.data.description, /^Error: caught\n/);

  // Uncaught ones only: a step over a call that throws and catches goes on.
  await client.post('Debugger.setPauseOnExceptions', { state: 'uncaught' });
  await client.post('Debugger.setBreakpointByUrl', { url, lineNumber: 9 });
  assert.strictEqual(lineOf(await step('Debugger.resume')), 9);
  assert.strictEqual(lineOf(await step('Debugger.stepOver')), 10);

  // A log point is a condition that is not true.
  const { breakpointId } = await client.post('Debugger.setBreakpointByUrl', {
    url, lineNumber: 12, condition: '/** DEVTOOLS_LOGPOINT */ console.log("i is", i)\n\n//# sourceURL=debugger://logpoint',
  });
  await client.post('Debugger.setBreakpointByUrl', { url, lineNumber: 14 });
  assert.strictEqual(lineOf(await step('Debugger.resume')), 14);
  for (const i of [0, 1, 2]) {
    const { args } = await client.event('Runtime.consoleAPICalled');
    assert.deepStrictEqual(args.map(({ value }) => value), ['i is', i]);
  }
  await client.post('Debugger.removeBreakpoint', { breakpointId });

  // A step into a script that is skipped goes through it.
  await client.post('Debugger.setBlackboxPatterns', { patterns: ['helper\\.js$'] });
  const inside = await step('Debugger.stepInto');
  assert.deepStrictEqual([lineOf(inside), inside.callFrames[0].url], [15, url]);

  // A step over an await ends in the same function.
  await client.post('Debugger.setBreakpointByUrl', { url, lineNumber: 18 });
  assert.strictEqual(lineOf(await step('Debugger.resume')), 18);
  const after = await step('Debugger.stepOver');
  assert.deepStrictEqual([after.reason, lineOf(after)], ['step', 19]);

  // Thrown in a timer: nothing of the program's catches it.
  const uncaught = await step('Debugger.resume');
  assert.deepStrictEqual([uncaught.reason, lineOf(uncaught), uncaught.data.className], ['exception', 23, 'RangeError']);
  const { result } = await client.post('Debugger.evaluateOnCallFrame', { callFrameId: uncaught.callFrames[0].callFrameId, expression: 'count' });
  assert.strictEqual(result.value, 4);
  await client.post('Debugger.resume');
  await client.event('Runtime.executionContextDestroyed');
  assert.strictEqual((await client.ask('Debugger.resume')).error.message, 'Can only perform operation while paused.');
  assert.strictEqual(await client.end(), 0);
  fs.rmSync(folder, { recursive: true });
})();
