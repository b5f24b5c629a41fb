'use strict';
// Runtime.globalLexicalScopeNames, [[FunctionLocation]], and debug() of the console.
const assert = require('node:assert');
const { Session } = require('node:inspector');
const vm = require('node:vm');

const session = new Session();
session.connect();
const post = (method, params) => {
  let answer;
  session.post(method, params, (error, result) => (answer = error ?? result));
  return answer;
};
assert.deepStrictEqual(post('Runtime.globalLexicalScopeNames').names, []);
vm.runInThisContext('let first = 1; const second = 2; class Third {} var none; function neither() {}');
assert.deepStrictEqual(post('Runtime.globalLexicalScopeNames', { executionContextId: 1 }).names, ['first', 'second', 'Third']);
assert.match(post('Runtime.globalLexicalScopeNames', { executionContextId: 77 }).message, /Cannot find context with specified id/);

function target(a) {
  return a;
}
globalThis.target = target;
const placeOf = (expression) => {
  const { objectId } = post('Runtime.evaluate', { expression }).result;
  const found = post('Runtime.getProperties', { objectId, ownProperties: true }).internalProperties.find(({ name }) => name === '[[FunctionLocation]]');
  return found?.value.value;
};
const line = require('node:fs').readFileSync(__filename, 'utf8').split('\n').indexOf('function target(a) {');
const { scriptId, lineNumber, columnNumber } = placeOf('target');
assert.deepStrictEqual([lineNumber, columnNumber], [line, 15]);
assert.strictEqual(placeOf('Math.max'), undefined);

post('Debugger.enable');
const stops = [];
session.on('Debugger.paused', ({ params: { reason, callFrames, hitBreakpoints } }) => {
  stops.push([reason, callFrames[0].functionName, callFrames[0].location.scriptId, hitBreakpoints.length]);
  post('Debugger.resume');
});
const run = (expression) => post('Runtime.evaluate', { expression, includeCommandLineAPI: true });
run('debug(target)');
run('debug(target)');
assert.strictEqual(target(5), 5);
assert.deepStrictEqual(stops, [['debugCommand', 'target', scriptId, 1]]);
run('undebug(target)');
target(6);
run('debug(Math.max)');
run('debug(7)');
Math.max(1, 2);
assert.strictEqual(stops.length, 1);
assert.strictEqual(typeof globalThis.debug, 'undefined');
console.log('ok');
