// --inspect-brk: stops at the first statement; breakpoints, steps, scopes, variables and evaluating in a frame.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { InspectorClient } = require('../../fixtures/inspector_client.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-inspector-'));
const file = path.join(folder, 'program.js');
const url = pathToFileURL(fs.realpathSync(folder)).href + '/program.js';
fs.writeFileSync(file, `const names = ['a', 'b'];
function add(x, y) {
  const sum = x + y;
  let word = 'w';
  {
    let inner = 5;
    word += inner;
  }
  return sum;
}
console.log(add(1, 2), names.length);
console.log('end');
`);

const lineOf = ({ callFrames }) => callFrames[0].location.lineNumber;

(async () => {
  const client = await InspectorClient.start(['--inspect-brk=0', file]);
  const first = await client.toFirstLine();
  assert.strictEqual(first.reason, 'Break on start');
  assert.strictEqual(lineOf(first), 0);
  const { scriptId } = await client.event('Debugger.scriptParsed', (script) => script.url === url);
  assert.strictEqual(first.callFrames[0].location.scriptId, scriptId);
  assert.strictEqual((await client.post('Debugger.getScriptSource', { scriptId })).scriptSource, fs.readFileSync(file, 'utf8'));

  const { breakpointId, locations } = await client.post('Debugger.setBreakpointByUrl', { url, lineNumber: 2 });
  assert.strictEqual(breakpointId, `1:2:0:${url}`);
  assert.deepStrictEqual(locations.map(({ lineNumber }) => lineNumber), [2]);
  await client.post('Debugger.resume');
  const hit = await client.event('Debugger.paused');
  assert.deepStrictEqual(hit.hitBreakpoints, [breakpointId]);
  const [frame, caller] = hit.callFrames;
  assert.deepStrictEqual([frame.functionName, lineOf(hit), caller.location.lineNumber], ['add', 2, 10]);
  assert.strictEqual(frame.scopeChain[0].type, 'local');
  const local = await client.variables(frame.scopeChain[0]);
  assert.deepStrictEqual([local.x, local.y], [1, 2]);

  const { callFrameId } = frame;
  const value = await client.post('Debugger.evaluateOnCallFrame', { callFrameId, expression: 'x + y + names.length' });
  assert.deepStrictEqual(value.result, { type: 'number', value: 5, description: '5' });
  await client.post('Debugger.setVariableValue', { callFrameId, scopeNumber: 0, variableName: 'x', newValue: { value: 40 } });
  await client.post('Debugger.stepOver');
  const stepped = await client.event('Debugger.paused');
  assert.deepStrictEqual([stepped.reason, lineOf(stepped)], ['step', 3]);
  assert.strictEqual((await client.variables(stepped.callFrames[0].scopeChain[0])).sum, 42);

  await client.post('Debugger.setBreakpointByUrl', { urlRegex: 'program\\.js$', lineNumber: 6, condition: 'inner === 5' });
  await client.post('Debugger.resume');
  const inner = await client.event('Debugger.paused');
  assert.deepStrictEqual(inner.callFrames[0].scopeChain.slice(0, 2).map(({ type }) => type), ['block', 'local']);
  assert.deepStrictEqual(await client.variables(inner.callFrames[0].scopeChain[0]), { inner: 5 });
  await client.post('Debugger.stepOut');
  const out = await client.event('Debugger.paused');
  assert.strictEqual(out.callFrames[0].functionName, '');
  await client.post('Debugger.resume');
  const { args } = await client.event('Runtime.consoleAPICalled');
  assert.deepStrictEqual(args.map((argument) => argument.value), [42, 2]);
  await client.event('Runtime.executionContextDestroyed');
  assert.strictEqual(await client.end(), 0);
  assert.strictEqual(client.stdout, '42 2\nend\n');
  assert.match(client.stderr, /Debugger attached\.\nWaiting for the debugger to disconnect\.\.\.\n$/);
  fs.rmSync(folder, { recursive: true });
})();
