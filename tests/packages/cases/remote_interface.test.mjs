// chrome-remote-interface attached to a program: a breakpoint is hit, variables are seen and set, a step is made, a profile is taken.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import connect from 'chrome-remote-interface';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'attached-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, 'program.js');
fs.writeFileSync(file, `function add(left, right) {
  let sum = left + right;
  return sum * 2;
}
console.log('result', add(20, 1));
`);
const child = spawn(process.execPath, ['--inspect-brk=0', file], { stdio: ['ignore', 'pipe', 'pipe'] });
const ended = once(child, 'close');
let output = '', errors = '';
child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
const port = await new Promise((resolve) => {
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
    const found = /ws:\/\/127\.0\.0\.1:(\d+)\//.exec(errors);
    if (found) resolve(Number(found[1]));
  });
});

const [target] = await connect.List({ port });
assert.strictEqual(target.type, 'node');
assert.strictEqual((await connect.Version({ port }))['Protocol-Version'], '1.1');
const client = await connect({ port, local: true });
const { Debugger, Profiler, Runtime } = client;
const paused = () => new Promise((resolve) => client.once('Debugger.paused', resolve));
let stop = paused();
await Runtime.enable();
await Debugger.enable();
await Runtime.runIfWaitingForDebugger();
await stop;
const { locations } = await Debugger.setBreakpointByUrl({ lineNumber: 2, url: `file://${file}` });
assert.deepStrictEqual([locations.length, locations[0].lineNumber], [1, 2]);
stop = paused();
await Debugger.resume();
const { callFrames, hitBreakpoints } = await stop;
assert.deepStrictEqual([callFrames[0].functionName, callFrames[0].location.lineNumber, hitBreakpoints.length], ['add', 2, 1]);
const { result } = await Runtime.getProperties({ objectId: callFrames[0].scopeChain[0].object.objectId, ownProperties: true });
assert.deepStrictEqual(Object.fromEntries(result.map(({ name, value }) => [name, value.value])), { left: 20, right: 1, sum: 21 });
await Debugger.setVariableValue({ scopeNumber: 0, variableName: 'sum', newValue: { value: 50 }, callFrameId: callFrames[0].callFrameId });
const evaluated = await Debugger.evaluateOnCallFrame({ callFrameId: callFrames[0].callFrameId, expression: 'sum + left' });
assert.strictEqual(evaluated.result.value, 70);
stop = paused();
await Debugger.stepOut();
assert.strictEqual((await stop).callFrames[0].location.lineNumber, 4);
await Profiler.enable();
await Profiler.start();
await Runtime.evaluate({ expression: 'for (let i = 0; i < 1e6; i++) Math.sqrt(i)' });
const { profile } = await Profiler.stop();
assert.strictEqual(profile.nodes[0].callFrame.functionName, '(root)');
await Debugger.resume();
await client.close();
const [code] = await ended;
assert.deepStrictEqual([code, output], [0, 'result 100\n'], errors);
