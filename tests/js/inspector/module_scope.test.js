// The variables of a module's top level are in the scope of a stop there: imports, var, let, const and functions.
'use strict';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-module-'));
const file = path.join(folder, 'main.mjs');
fs.writeFileSync(path.join(folder, 'other.mjs'), 'export const imported = 5;');
fs.writeFileSync(file, `import { imported } from './other.mjs';
var a = 1;
let b = 2;
export const c = 3;
function f() { return a + b + c + imported; }
f();
debugger;
`);

const child = spawn(process.execPath, ['--inspect-wait=0', file], { stdio: ['ignore', 'ignore', 'pipe'] });
let stderr = '';
child.stderr.on('data', (data) => {
  const isFirst = !stderr.includes('ws://');
  stderr += data;
  if (isFirst && stderr.includes('ws://')) attach(/ws:\/\/\S+/.exec(stderr)[0]);
});

function attach(url) {
  const socket = new WebSocket(url);
  const waiting = new Map();
  let last = 0;
  const send = (method, params) => new Promise((resolve) => {
    waiting.set(++last, resolve);
    socket.send(JSON.stringify({ id: last, method, params }));
  });
  socket.onmessage = async ({ data }) => {
    const { id, result, method, params } = JSON.parse(data);
    if (id !== undefined) return waiting.get(id)(result);
    if (method !== 'Debugger.paused') return;
    const [{ object, type }] = params.callFrames[0].scopeChain;
    const { result: list } = await send('Runtime.getProperties', { objectId: object.objectId });
    const values = Object.fromEntries(list.map(({ name, value }) => [name, value.value ?? value.type]));
    const { imported, a, b, c, f } = values;
    assert.deepStrictEqual({ type, imported, a, b, c, f }, { type: 'local', imported: 5, a: 1, b: 2, c: 3, f: 'function' });
    socket.close(); // the program goes on and ends
  };
  socket.onopen = async () => {
    await send('Debugger.enable');
    await send('Runtime.runIfWaitingForDebugger');
  };
}
child.on('exit', (code) => {
  assert.strictEqual(code, 0, stderr);
  fs.rmSync(folder, { recursive: true });
});
