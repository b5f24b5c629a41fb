// What C++ does with deeply nested data or text near the end of a thread's stack: the words for a JSON error, the way round a circle, the
// text of a failed call with templates in templates, messages. It may fail with an error; it does not end the process. In a worker too,
// whose stack is smaller and has less behind what JavaScript may use.
'use strict';

const assert = require('assert');
const { Worker, isMainThread, receiveMessageOnPort, MessageChannel } = require('worker_threads');

const circle = [];
let inner = circle;
for (let i = 0; i < 1500; i++) inner = inner[0] = [];
inner[0] = circle;

let template = 'missing()';
for (let i = 0; i < 300; i++) template = `\`\${${template}}\``;
const templates = new Function(`const missing = undefined; return ${template}`);

let parentheses = 'nothing.there';
for (let i = 0; i < 180; i++) parentheses = `(0 + (${parentheses}))`;
const expression = new Function('nothing', `return (${parentheses})()`);

const openBrackets = '['.repeat(5000);
const openBraces = '{"a":'.repeat(5000);
let maps = new Map();
for (let i = 0; i < 1500; i++) maps = new Map([[1, maps]]);

const kActions = [
  () => JSON.parse(openBrackets),
  () => JSON.parse(openBraces),
  () => JSON.stringify(circle),
  () => templates(),
  () => expression({}),
  () => structuredClone(maps),
  () => {
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(maps);
    receiveMessageOnPort(port2);
    port1.close();
  },
];

function nearTheEnd(action) {
  let deepest = 0;
  (function measure() {
    try {
      deepest++;
      measure();
    } catch { /* the end */ }
  })();
  function at(depth) {
    if (depth > 0) return at(depth - 1);
    try {
      action();
    } catch { /* any error will do */ }
  }
  const step = Math.max(25, Math.floor(deepest / 60));
  for (let depth = deepest >> 1; depth < deepest * 1.3; depth += step) {
    try {
      at(depth);
    } catch { /* no room to begin */ }
  }
}

for (const action of kActions) nearTheEnd(action);

assert.throws(() => JSON.parse(openBrackets), { name: 'SyntaxError', message: 'Unexpected end of JSON input' });
assert.throws(() => JSON.parse('[1, {"a": [2, {}], "b": {"c": [3 4]}}]'),
              { message: "Expected ',' or ']' after array element in JSON at position 33 (line 1 column 34)" });
assert.throws(() => JSON.parse('{"a": {"b": 1}, }'),
              { message: 'Expected double-quoted property name in JSON at position 16 (line 1 column 17)' });
assert.throws(() => JSON.parse('[[], {}, x]'), { message: 'Unexpected token \'x\', "[[], {}, x]" is not valid JSON' });
assert.throws(() => JSON.parse('{"a": [[]]}}'),
              { message: 'Unexpected non-whitespace character after JSON at position 11 (line 1 column 12)' });

if (isMainThread) {
  for (const resourceLimits of [{}, { stackSizeMb: 0.5 }]) {
    const worker = new Worker(__filename, { resourceLimits });
    worker.on('exit', (code) => assert.strictEqual(code, 0));
  }
  // A message deeper than the receiver's stack is an error there.
  let deep = [];
  for (let i = 0; i < 3000; i++) deep = new Map([[1, deep]]);
  const worker = new Worker(`const { parentPort } = require('worker_threads');
    parentPort.on('message', () => parentPort.postMessage('message'));
    parentPort.on('messageerror', (error) => { parentPort.postMessage(error.name); parentPort.close(); });`,
                            { eval: true, resourceLimits: { stackSizeMb: 0.25 } });
  let told;
  worker.on('message', (message) => { told = message; });
  worker.on('exit', (code) => {
    assert.strictEqual(told, 'RangeError');
    assert.strictEqual(code, 0);
  });
  worker.postMessage(deep);
}
