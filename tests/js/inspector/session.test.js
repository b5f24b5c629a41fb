// node:inspector: a session inside the process evaluates, stops and goes on; errors have Node's codes.
'use strict';

const assert = require('node:assert');
const inspector = require('node:inspector');
const { Session: PromiseSession } = require('node:inspector/promises');

const session = new inspector.Session();
assert.throws(() => session.post('Runtime.enable'), { code: 'ERR_INSPECTOR_NOT_CONNECTED' });
session.connect();
assert.throws(() => session.connect(), { code: 'ERR_INSPECTOR_ALREADY_CONNECTED', message: 'The inspector session is already connected' });
assert.throws(() => session.connectToMainThread(), { code: 'ERR_INSPECTOR_NOT_WORKER' });
assert.throws(() => inspector.waitForDebugger(), { code: 'ERR_INSPECTOR_NOT_ACTIVE' });
assert.strictEqual(inspector.url(), undefined);

function post(method, params) {
  let answer;
  session.post(method, params, (error, result) => { answer = { error, result }; });
  return answer;  // a session of this thread answers at once
}
const evaluate = (expression, more) => post('Runtime.evaluate', { expression, ...more }).result;

assert.deepStrictEqual(evaluate('1 + 1').result, { type: 'number', value: 2, description: '2' });
assert.deepStrictEqual(evaluate('-0').result, { type: 'number', unserializableValue: '-0', description: '-0' });
assert.deepStrictEqual(evaluate('10n').result, { type: 'bigint', unserializableValue: '10n', description: '10n' });
assert.deepStrictEqual(evaluate('({ a: [1, { b: null }] })', { returnByValue: true }).result, { type: 'object', value: { a: [1, { b: null }] } });
const { result: map, exceptionDetails: none } = evaluate('new Map([[1, "x"]])', { generatePreview: true });
assert.strictEqual(none, undefined);
assert.deepStrictEqual([map.subtype, map.className, map.description], ['map', 'Map', 'Map(1)']);
assert.strictEqual(map.preview.entries[0].value.description, 'x');
const { exceptionDetails } = evaluate('throw new TypeError("no")');
assert.deepStrictEqual([exceptionDetails.text, exceptionDetails.exception.className], ['Uncaught', 'TypeError']);
assert.match(exceptionDetails.exception.description, /^TypeError: no\n {4}at /);
assert(!exceptionDetails.exception.description.includes('internal/inspector'));
assert.strictEqual(post('Runtime.getProperties', { objectId: 'none' }).error.message, 'Inspector error -32000: Could not find object with given id');
assert.strictEqual(post('No.such').error.code, 'ERR_INSPECTOR_COMMAND');
assert.strictEqual(post('Runtime.evaluate', {}).error.message, 'Inspector error -32602: Invalid parameters');

// A getter of the program's is shown, not called.
const { result: hidden } = evaluate('({ get x() { globalThis.wasCalled = true; return 1; } })', { generatePreview: true });
assert.strictEqual(hidden.preview.properties[0].type, 'accessor');
const { result: properties } = post('Runtime.getProperties', { objectId: hidden.objectId, ownProperties: true });
assert.strictEqual(properties.result[0].get.type, 'function');
assert.strictEqual(globalThis.wasCalled, undefined);
const called = post('Runtime.callFunctionOn', { objectId: hidden.objectId, functionDeclaration: 'function (a) { return this.x + a; }', arguments: [{ value: 2 }] });
assert.strictEqual(called.result.result.value, 3);

// Previews of built-in objects show what the language's own getters tell, and call no getter of the program's.
const previewed = (expression) => {
  const { preview: { description, overflow, properties: list } } = evaluate(expression, { generatePreview: true }).result;
  return [description, overflow, ...list.map(({ name, type, value }) => `${name} ${type} ${value}`)];
};
assert.deepStrictEqual(previewed('Object.assign(/a/gy, { x: 1 })'),
  ['/a/gy', true, 'x number 1', 'lastIndex number 0', 'dotAll boolean false', 'flags string gy', 'global boolean true']);
assert.deepStrictEqual(previewed('Object.defineProperty(/q/i, "flags", { enumerable: true, get() { globalThis.wereAsked = true; throw 1; } })'),
  ['/q/i', true, 'flags accessor undefined', 'lastIndex number 0', 'dotAll boolean false', 'global boolean false', 'hasIndices boolean false']);
assert.strictEqual(globalThis.wereAsked, undefined);
assert.deepStrictEqual(previewed('new Uint8Array([7])'),
  ['Uint8Array(1)', false, '0 number 7', 'buffer object ArrayBuffer(1)', 'byteLength number 1', 'byteOffset number 0',
    'length number 1', 'Symbol(Symbol.toStringTag) string Uint8Array']);
assert.deepStrictEqual(previewed('new Uint8Array(101)').length, 102);
assert.deepStrictEqual(previewed('new ArrayBuffer(8)'),
  ['ArrayBuffer(8)', false, 'byteLength number 8', 'maxByteLength number 8', 'resizable boolean false', 'detached boolean false']);
assert.deepStrictEqual(previewed('new SharedArrayBuffer(4)').slice(1),
  [false, 'byteLength number 4', 'maxByteLength number 4', 'growable boolean false']);
assert.deepStrictEqual(previewed('new DataView(new ArrayBuffer(8), 2)').slice(1),
  [false, 'buffer object ArrayBuffer(8)', 'byteLength number 6', 'byteOffset number 2']);

// Stopping in the same thread: the listener runs while the function is stopped.
const seen = [];
function stopped() {
  let value = 3;
  debugger;
  value++;
  return value;
}
session.on('Debugger.paused', ({ params: { callFrames: [frame] } }) => {
  const { result } = post('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression: 'value' });
  seen.push(frame.functionName, result.result.value);
  post('Debugger.setVariableValue', { callFrameId: frame.callFrameId, scopeNumber: 0, variableName: 'value', newValue: { value: 41 } });
});
post('Debugger.enable');
setImmediate(async () => {
  assert.strictEqual(stopped(), 42);
  assert.deepStrictEqual(seen, ['stopped', 3]);
  // What goes on behind an await has its function's name.
  const waits = async (value) => {
    await null;
    debugger;
    return value;
  };
  await waits(5);
  assert.deepStrictEqual(seen.slice(2), ['waits', 5]);
  session.disconnect();
  assert.throws(() => session.post('Runtime.enable'), { code: 'ERR_INSPECTOR_NOT_CONNECTED' });
  assert.strictEqual(stopped(), 4);  // nobody stops it any more
});

(async () => {
  const promising = new PromiseSession();
  promising.connect();
  const { result } = await promising.post('Runtime.evaluate', { expression: 'Promise.resolve(7)', awaitPromise: true });
  assert.strictEqual(result.value, 7);
  await assert.rejects(promising.post('No.such'), { code: 'ERR_INSPECTOR_COMMAND' });
  promising.disconnect();
})();
