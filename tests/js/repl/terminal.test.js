// A REPL on a (pretended) terminal: completion, preview, reverse search, editor, history in a file, several lines in one entry.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const repl = require('node:repl');
const { Readable, Writable } = require('node:stream');

process.env.TERM = 'xterm';

function open(options) {
  const input = new Readable({ read() {} });
  input.setRawMode = () => {};
  let text = '';
  const output = new Writable({
    write(chunk, encoding, done) {
      text += chunk;
      done();
    },
  });
  output.columns = 80;
  const server = repl.start({ prompt: '> ', input, output, terminal: true, useColors: false, ...options });
  const type = (keys) => {
    text = '';
    for (const key of keys) input.emit('data', key);
    return text;
  };
  return { server, type };
}

const completions = (server, line) => {
  let found;
  server.complete(line, (error, [list]) => { found = list; });
  return found;
};

function completion() {
  const { server, type } = open({ allowBlockingCompletions: true });
  type('let someName = { alpha: 1, get beta() { throw new Error("ran") } }\r');
  assert.deepStrictEqual(completions(server, 'someN'), ['someName']);
  assert.ok(completions(server, 'someName.').includes('someName.alpha'));
  assert.deepStrictEqual(completions(server, 'someName.al'), ['someName.alpha']);
  assert.deepStrictEqual(completions(server, 'someName.beta.'), []);
  assert.deepStrictEqual(completions(server, 'const a = someName?.al'), ['someName?.alpha']);
  assert.deepStrictEqual(completions(server, '.br'), ['break']);
  assert.ok(completions(server, 'require("rea').includes('readline/promises'));
  assert.ok(completions(server, 'import("node:f').includes('node:fs'));
  assert.deepStrictEqual(completions(server, 'f(someName'), []);
  server.close();
}

function preview() {
  const { server, type } = open({ useColors: true });
  assert.match(type('1 + 41'), /\n\x1b\[90m42\x1b\[39m/);
  type('\x15');
  type('globalThis.touched = 0\r');
  type('touched+');
  assert.doesNotMatch(type('+'), /\x1b\[90m/);
  type('\x15');
  assert.match(type('[1, 2].length'), /\x1b\[90m2\x1b\[39m/);
  type('\x15');
  assert.match(type('touch'), /\x1b\[90med\x1b\[39m/);
  assert.match(type('\r'), /0/);
  assert.strictEqual(server.last, 0);
  server.close();
}

function historyAndSearch() {
  const { server, type } = open({ preview: false });
  type('"first"\r');
  type('if (true) {\r');
  type('7\r');
  type('}\r');
  assert.strictEqual(server.last, 7);
  assert.deepStrictEqual([...server.history], ['}\r7\rif (true) {', '"first"']);
  type('\x1b[A');
  assert.strictEqual(server.line, 'if (true) {\n7\n}');
  type('\x1b[A\x1b[A');
  assert.strictEqual(server.line, 'if (true) {\n7\n}');   // the cursor goes up inside it
  type('\x05\x15\x0b');
  const shown = type('\x12fir');
  assert.match(shown, /bck-i-search: fir_/);
  type('\r');
  assert.strictEqual(server.last, 'first');
  server.close();
}

function editor() {
  const { server, type } = open({ preview: false });
  assert.match(type('.editor\r'), /Entering editor mode/);
  type('const inEditor = 1\r');
  type('inEditor + 1');
  assert.match(type('\x04'), /\n2\n/);
  server.close();
}

async function historyFile() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'repl-'));
  const file = path.join(folder, 'history');
  fs.writeFileSync(file, '"older"\n"oldest"');
  const { server, type } = open({ preview: false });
  await new Promise((resolve, reject) => { server.setupHistory(file, (error) => (error ? reject(error) : resolve())); });
  type('\x1b[A');
  assert.strictEqual(server.line, '"older"');
  type('\x15');
  const flushed = new Promise((resolve) => { server.once('flushHistory', resolve); });
  type('"newest"\r');
  await flushed;
  assert.strictEqual(fs.readFileSync(file, 'utf8'), '"newest"\n"older"\n"oldest"');
  assert.strictEqual(fs.statSync(file).mode & 0o777, 0o644);   // as it was
  await new Promise((resolve) => {
    server.on('exit', resolve);
    server.close();
  });
  fs.rmSync(folder, { recursive: true });
}

completion();
preview();
historyAndSearch();
editor();
historyFile();
