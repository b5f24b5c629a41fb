// Drives the same debugging scenarios on two binaries and compares what they answer, without what must differ (ids, times, columns of
// stops, frames of the library):
//
//     rondo tests/inspector/compare.js path/to/rondo path/to/node
//
// Prints each difference and a count; exit code 1 when there is one. Not part of the tests: it needs Node.
'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const util = require('node:util');
const { pathToFileURL } = require('node:url');
const { InspectorClient } = require('../fixtures/inspector_client.js');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'inspector-compare-'));
const file = path.join(folder, 'program.js');
const url = pathToFileURL(file).href;
fs.writeFileSync(file, `'use strict';
const list = [1, 2, 3];
function outer(a, b) {
  let total = a;
  const inner = (step) => {
    total += step;
    return total;
  };
  for (const item of list) {
    const doubled = item * 2;
    inner(doubled + b);
  }
  return total;
}
class Animal {
  #secret = 1;
  constructor(name) {
    this.name = name;
  }
  get loud() {
    return this.name.toUpperCase();
  }
}
function fails() {
  try {
    null.x;
  } catch (error) {
    return error.name;
  }
}
async function later() {
  await null;
  const done = 'done';
  return done;
}
const dog = new Animal('dog');
console.log(outer(1, 2), fails());
console.warn({ a: 1 }, dog.loud);
later().then((value) => {
  console.info(value);
});
setTimeout(() => {
  console.error('timer', list.length);
}, 5);
`);
const lines = fs.readFileSync(file, 'utf8').split('\n');
const at = (text) => lines.findIndex((line) => line.includes(text));

// Expressions whose remote objects are compared.
const kExpressions = [
  '1 + 1', '"text"', 'true', 'undefined', 'null', 'NaN', '-0', '-Infinity', '12345678901234567890n', 'Symbol("s")', '[1, "a", null]', '({ a: 1, b: { c: 2 } })',
  'new Map([[1, { a: 1 }], ["k", 2]])', 'new Set([1, "x"])', 'new WeakMap()', '/ab+c/gi', 'new Error("boom").message', 'new Uint8Array([1, 2, 3])',
  'new ArrayBuffer(8)', 'new Date(0).getTime()', 'Promise.resolve(5)', '(class Foo { constructor() { this.x = 1; } })', 'new (class Foo { constructor() { this.x = 1; } })()',
  'Object.create(null)', '(function named(a) { return a; })', '[,1]', 'new Proxy({ a: 1 }, {})', '({ get x() { return 1; } })', 'new Array(200).fill(7)',
  '({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 })', 'Object(1n)', 'new String("boxed")', '"x".repeat(150)', '[[1, 2], [3]]', 'globalThis === this',
];

const kThrowing = ['throw new TypeError("no")', 'throw 5', 'nope', 'null.x', 'JSON.parse("{")', '('];
const strip = (value) => JSON.parse(JSON.stringify(value, (key, part) => {
  if (['objectId', 'uniqueId', 'exceptionId', 'scriptId', 'stackTrace', 'hash', 'timestamp', 'callFrameId', 'debuggerId'].includes(key)) return undefined;
  if (key === 'description' && typeof part === 'string') return part.split('\n')[0];
  if (key === 'preview' && part?.description) return { ...part, description: part.description.split('\n')[0] };
  return part;
}));

const scenarios = [];
const scenario = (name, run) => scenarios.push({ name, run });

for (const expression of kExpressions) {
  scenario(`evaluate ${expression}`, async (client) => strip(await client.ask('Runtime.evaluate', { expression, generatePreview: true })));
}
for (const expression of ['({ a: [1, { b: null }] })', '[1, [2]]', '5', 'new Map()', '(() => {})']) {
  scenario(`by value ${expression}`, async (client) => strip(await client.ask('Runtime.evaluate', { expression, returnByValue: true })));
}
for (const expression of kThrowing) {
  scenario(`throws ${expression}`, async (client) => {
    const { result } = await client.ask('Runtime.evaluate', { expression });
    const { text, exception } = result.exceptionDetails;
    return { text, type: exception.type, className: exception.className, value: exception.value, subtype: exception.subtype };
  });
}
scenario('await a promise', async (client) => strip(await client.ask('Runtime.evaluate', { expression: 'Promise.resolve({ a: 1 })', awaitPromise: true, returnByValue: true })));
scenario('await a rejected promise', async (client) => (await client.post('Runtime.evaluate', { expression: 'Promise.reject(3)', awaitPromise: true })).exceptionDetails.text);
scenario('call a function', async (client) => {
  const { result } = await client.post('Runtime.evaluate', { expression: '({ n: 3 })' });
  const call = { objectId: result.objectId, functionDeclaration: 'function (a, b) { return this.n * a + b; }', arguments: [{ value: 2 }, { unserializableValue: 'Infinity' }] };
  return strip(await client.post('Runtime.callFunctionOn', call));
});
scenario('own properties', async (client) => {
  const { result } = await client.post('Runtime.evaluate', { expression: '({ a: 1, get b() { return 2; }, [Symbol("s")]: 3, 7: 8 })' });
  const { result: list } = await client.post('Runtime.getProperties', { objectId: result.objectId, ownProperties: true });
  return list.map(({ name, value, get, enumerable, isOwn }) => [name, value?.value, get?.type, enumerable, isOwn]);
});
scenario('internal properties', async (client) => {
  const { result } = await client.post('Runtime.evaluate', { expression: 'Promise.resolve(1)' });
  const { internalProperties } = await client.post('Runtime.getProperties', { objectId: result.objectId, ownProperties: true });
  return internalProperties.map(({ name, value }) => [name, value.value]);
});
scenario('properties of what has been released', async (client) => {
  const { result } = await client.post('Runtime.evaluate', { expression: '({})', objectGroup: 'g' });
  await client.post('Runtime.releaseObjectGroup', { objectGroup: 'g' });
  return (await client.ask('Runtime.getProperties', { objectId: result.objectId })).error;
});
scenario('compile and run', async (client) => {
  const { scriptId } = await client.post('Runtime.compileScript', { expression: '40 + 2', sourceURL: 'x.js', persistScript: true });
  return strip(await client.post('Runtime.runScript', { scriptId }));
});
scenario('a syntax error when compiling', async (client) => {
  const { exceptionDetails } = await client.post('Runtime.compileScript', { expression: 'a b', sourceURL: 'x.js', persistScript: false });
  return exceptionDetails.exception.className;
});
scenario('a binding', async (client) => {
  await client.post('Runtime.addBinding', { name: 'tellMe' });
  await client.post('Runtime.evaluate', { expression: 'tellMe("x")' });
  const { name, payload } = await client.event('Runtime.bindingCalled');
  return { name, payload };
});
for (const [method, params] of [['No.such', {}], ['Runtime.nope', {}], ['Runtime.evaluate', { expression: 5 }], ['Debugger.removeBreakpoint', {}],
  ['Debugger.setPauseOnExceptions', { state: 'sometimes' }], ['Runtime.evaluate', { expression: '1', contextId: 99 }], ['Debugger.evaluateOnCallFrame', { callFrameId: 'x', expression: '1' }]]) {
  scenario(`error of ${method} ${JSON.stringify(params)}`, async (client) => {
    const { error } = await client.ask(method, params);
    return { code: error.code, message: error.message };
  });
}

// The program itself, in the order of its lines.
const line = ({ callFrames }) => callFrames[0].location.lineNumber;
async function stepTo(client, method, params) {
  await client.post(method, params);
  return client.event('Debugger.paused');
}
scenario('stops at the start', async (client) => {
  await client.post('Runtime.runIfWaitingForDebugger');
  const paused = client.paused = await client.event('Debugger.paused');
  return [paused.reason, paused.hitBreakpoints, paused.callFrames[0].functionName];
});
scenario('breakpoint by URL', async (client) => {
  const set = await client.post('Debugger.setBreakpointByUrl', { url, lineNumber: at('let total') });
  return [set.breakpointId.replace(url, 'URL'), set.locations.map(({ lineNumber }) => lineNumber)];
});
scenario('breakpoint twice', async (client) => (await client.ask('Debugger.setBreakpointByUrl', { url, lineNumber: at('let total') })).error);
scenario('breakpoint on an empty line moves on', async (client) => {
  const { locations, breakpointId } = await client.post('Debugger.setBreakpointByUrl', { url, lineNumber: at('class Animal') + 6 });
  await client.post('Debugger.removeBreakpoint', { breakpointId });
  return locations.length;
});
scenario('breakpoint of no script', async (client) => (await client.post('Debugger.setBreakpointByUrl', { url: 'file:///none.js', lineNumber: 1 })).locations);
scenario('is hit', async (client) => {
  client.paused = await stepTo(client, 'Debugger.resume');
  const { reason, hitBreakpoints, callFrames } = client.paused;
  return [reason, hitBreakpoints.length, line(client.paused), callFrames[0].functionName, callFrames[1].location.lineNumber];
});
scenario('scopes', async (client) => client.paused.callFrames[0].scopeChain.map(({ type, name }) => [type, name]).slice(0, 1));
scenario('arguments', async (client) => {
  const { a, b } = await client.variables(client.paused.callFrames[0].scopeChain[0]);
  return [a, b];
});
scenario('evaluate in a frame', async (client) => strip(await client.post('Debugger.evaluateOnCallFrame', { callFrameId: client.paused.callFrames[0].callFrameId, expression: 'a + b + list.length' })));
scenario('step over', async (client) => line(client.paused = await stepTo(client, 'Debugger.stepOver')));
scenario('set a variable', async (client) => {
  await client.post('Debugger.setVariableValue', { callFrameId: client.paused.callFrames[0].callFrameId, scopeNumber: 0, variableName: 'total', newValue: { value: 100 } });
  return (await client.variables(client.paused.callFrames[0].scopeChain[0])).total;
});
scenario('a condition', async (client) => {
  await client.post('Debugger.setBreakpointByUrl', { url, lineNumber: at('inner(doubled'), condition: 'item === 3' });
  client.paused = await stepTo(client, 'Debugger.resume');
  const block = client.paused.callFrames[0].scopeChain[0];
  return [line(client.paused), block.type, (await client.variables(block)).doubled];
});
scenario('step into', async (client) => {
  client.paused = await stepTo(client, 'Debugger.stepInto');
  return [line(client.paused), client.paused.callFrames[0].functionName, client.paused.callFrames[0].scopeChain[0].type, client.paused.callFrames[0].scopeChain[1].type];
});
scenario('closure', async (client) => (await client.variables(client.paused.callFrames[0].scopeChain[1])).total);
scenario('step out', async (client) => {
  client.paused = await stepTo(client, 'Debugger.stepOut');
  return client.paused.callFrames[0].functionName;
});
scenario('caught exception', async (client) => {
  await client.post('Debugger.setPauseOnExceptions', { state: 'all' });
  client.paused = await stepTo(client, 'Debugger.resume');
  const { reason, data } = client.paused;
  return [reason, line(client.paused), data.className, data.subtype];
});
scenario('a location', async (client) => {
  await client.post('Debugger.setPauseOnExceptions', { state: 'none' });
  const location = { scriptId: client.paused.callFrames[0].location.scriptId, lineNumber: at('console.warn') };
  return line(client.paused = await stepTo(client, 'Debugger.continueToLocation', { location }));
});
scenario('console messages', async (client) => {
  const messages = [];
  await client.post('Debugger.setBreakpointByUrl', { url, lineNumber: at("const done") });
  client.paused = await stepTo(client, 'Debugger.resume');
  for (let i = 0; i < 2; i++) {
    const { type, args, stackTrace } = await client.event('Runtime.consoleAPICalled');
    messages.push([type, strip(args), stackTrace.callFrames[0].lineNumber]);
  }
  return messages;
});
scenario('in an async function', async (client) => [line(client.paused), client.paused.callFrames[0].functionName]);
scenario('possible breakpoints', async (client) => {
  const { scriptId } = client.paused.callFrames[0].location;
  const start = { scriptId, lineNumber: at('total += step'), columnNumber: 0 };
  const { locations } = await client.post('Debugger.getPossibleBreakpoints', { start, end: { scriptId, lineNumber: at('return total') + 1, columnNumber: 0 } });
  return [...new Set(locations.map(({ lineNumber }) => lineNumber))].slice(0, 2);
});
scenario('source', async (client) => {
  const { scriptSource } = await client.post('Debugger.getScriptSource', { scriptId: client.paused.callFrames[0].location.scriptId });
  return scriptSource === fs.readFileSync(file, 'utf8');
});
scenario('search', async (client) => {
  const { result } = await client.post('Debugger.searchInContent', { scriptId: client.paused.callFrames[0].location.scriptId, query: 'return' });
  return result.length;
});
scenario('goes on to the end', async (client) => {
  await client.post('Debugger.disable');
  const messages = [];
  for (let i = 0; i < 2; i++) {
    const { type, args } = await client.event('Runtime.consoleAPICalled');
    messages.push([type, args.map(({ value }) => value)]);
  }
  await client.event('Runtime.executionContextDestroyed');
  return messages;
});

async function drive(binary) {
  const answers = new Map();
  const client = await InspectorClient.start(['--inspect-brk=0', file], { binary });
  const timer = setTimeout(() => client.child.kill('SIGKILL'), 60000);
  await client.post('Runtime.enable');
  await client.post('Debugger.enable');
  for (const { name, run } of scenarios) {
    const limit = new Promise((resolve) => { setTimeout(resolve, 5000, 'no answer').unref(); });
    answers.set(name, await Promise.race([run(client).catch((error) => `failed: ${error.message}`), limit]));
  }
  clearTimeout(timer);
  client.child.kill('SIGKILL');
  return answers;
}

(async () => {
  const [ours, theirs] = [await drive(process.argv[2]), await drive(process.argv[3])];
  let same = 0;
  for (const { name } of scenarios) {
    if (util.isDeepStrictEqual(ours.get(name), theirs.get(name))) same++;
    else console.log(`${name}\n  ${JSON.stringify(ours.get(name))}\n  ${JSON.stringify(theirs.get(name))}`);
  }
  console.log(`${same} of ${scenarios.length} scenarios are the same`);
  fs.rmSync(folder, { recursive: true });
  process.exit(same === scenarios.length ? 0 : 1);
})();
