// S35: a REPL over streams reads, evaluates and prints, and the loop runs between its lines: values and `_`, several lines, await at the
// top, errors with the input's own frames, strict mode, contexts.
'use strict';
const assert = require('node:assert');
const repl = require('node:repl');
const { PassThrough } = require('node:stream');

// A REPL that is written to like a pipe; `say` gives what it answers, without prompts.
function open(options) {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = '';
  output.on('data', (data) => { text += data; });
  const server = repl.start({ prompt: '', input, output, terminal: false, ...options });
  const say = (line) => {
    text = '';
    server.write(`${line}\n`);
    output.read();
    return text;
  };
  return { server, say, take: () => text };
}

function values() {
  const { server, say } = open();
  assert.strictEqual(say('1 + 1'), '2\n');
  assert.strictEqual(say('_ * 2'), '4\n');
  assert.strictEqual(say('{ a: 1 }'), '{ a: 1 }\n');
  assert.strictEqual(say('{ a: 1 };'), '1\n');
  assert.strictEqual(say('let x = 5'), 'undefined\n');
  assert.strictEqual(say('x'), '5\n');
  assert.match(say('let x = 6'), /^Uncaught SyntaxError: Identifier 'x' has already been declared/);
  assert.strictEqual(say('_ = 7'), 'Expression assignment to _ now disabled.\n7\n');
  assert.strictEqual(say('8; _'), '7\n');
  assert.strictEqual(say('typeof fs.readFile + typeof require + typeof module'), "'functionfunctionobject'\n");
  assert.strictEqual(say('.nothing'), 'Invalid REPL keyword\n');
  assert.strictEqual(say('"abc".match(/b(.)/) && RegExp.$1'), "'c'\n");
  assert.strictEqual(say('RegExp.$1'), "'c'\n");
  server.close();
}

function severalLines() {
  const { server, say } = open();
  assert.strictEqual(say('function f(a) {'), '| ');
  assert.strictEqual(say('return a * 2'), '| ');
  assert.strictEqual(say('}'), 'undefined\n');
  assert.strictEqual(say('f(21)'), '42\n');
  assert.strictEqual(say('`one'), '| ');
  assert.strictEqual(say('two`'), "'one\\ntwo'\n");
  assert.strictEqual(say('[1,'), '| ');
  assert.strictEqual(say('.break'), '');
  assert.strictEqual(say('3'), '3\n');
  server.close();
}

function errors() {
  const { server, say } = open();
  assert.strictEqual(say('throw new Error("no")'), 'Uncaught Error: no\n');
  assert.strictEqual(say('_error.message'), "'no'\n");
  assert.match(say('(function inner() { throw new TypeError("in") })()'), /^Uncaught TypeError: in\n {4}at inner \(REPL\d+:1:\d+\)\n$/);
  assert.strictEqual(say('throw null'), 'Uncaught null\n');
  assert.match(say('let a b'), /^let a b\n {6}\^\n\nUncaught SyntaxError: Unexpected identifier 'b'\n/);
  assert.match(say('import fs from "fs"'), /const \{ default: fs \} = await import\("fs"\);/);
  server.close();
}

function modes() {
  const strict = open({ replMode: repl.REPL_MODE_STRICT });
  assert.match(strict.say('undeclared = 1'), /^Uncaught ReferenceError/);
  strict.server.close();
  const own = open({ useGlobal: false });
  own.say('Array.prototype.touched = 1');
  assert.strictEqual([].touched, undefined);
  own.say('var kept = 1');
  assert.strictEqual(own.say('.clear'), 'Clearing context...\n');
  assert.match(own.say('kept'), /^Uncaught ReferenceError: kept is not defined/);
  own.server.close();
  const shared = open({ useGlobal: true });
  shared.say('globalThis.fromRepl = 3');
  assert.strictEqual(globalThis.fromRepl, 3);
  shared.server.close();
  const quiet = open({ ignoreUndefined: true, writer: (value) => `<${value}>` });
  assert.strictEqual(quiet.say('undefined'), '');
  assert.strictEqual(quiet.say('1'), '<1>\n');
  quiet.server.close();
}

// Lines that wait for the loop: the REPL answers when it has run.
async function loopBetweenLines() {
  const { server, say, take } = open({ useGlobal: true });
  const printed = async (pattern) => {
    while (!pattern.test(take())) await new Promise((resolve) => { setImmediate(resolve); });
  };
  say('await new Promise((resolve) => setTimeout(resolve, 1, 42))');
  await printed(/^42\n$/);
  say('const [late, { b }] = await Promise.resolve([1, { b: 2 }])');
  await printed(/^undefined\n$/);
  assert.strictEqual(say('late + b'), '3\n');
  say('globalThis.ran = 0; setTimeout(() => { globalThis.ran++; }, 1).unref(); 1');
  while (globalThis.ran === 0) await new Promise((resolve) => { setTimeout(resolve, 1); });
  assert.strictEqual(say('ran'), '1\n');
  say('await Promise.reject(new Error("later"))');
  await printed(/^Uncaught Error: later\n/);
  say('setImmediate(() => { throw new Error("alone") }); 5');
  await printed(/Uncaught Error: alone\n/);
  server.close();
}

values();
severalLines();
errors();
modes();
loopBetweenLines();
