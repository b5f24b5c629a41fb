// .save, .load and commands of a program's own; handleError; listeners for uncaughtException are refused.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const repl = require('node:repl');
const { PassThrough } = require('node:stream');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'repl-'));
const file = path.join(folder, 'session.js');

function open(options) {
  const output = new PassThrough();
  const server = repl.start({ prompt: '', input: new PassThrough(), output, terminal: false, ...options });
  const say = (line) => {
    let text = '';
    const collect = (data) => { text += data; };
    output.on('data', collect);
    server.write(`${line}\n`);
    output.off('data', collect);
    return text;
  };
  return { server, say };
}

const first = open();
first.say('const a = 1');
first.say('function f() {');
first.say('return a');
first.say('}');
assert.strictEqual(first.say(`.save ${file}`), `Session saved to: ${file}\n`);
assert.strictEqual(fs.readFileSync(file, 'utf8'), 'const a = 1\nfunction f() {\nreturn a\n}');
assert.match(first.say('.save'), /The "file" argument must be specified/);
assert.match(first.say(`.save ${folder}`), /^Failed to save/);
first.server.defineCommand('hello', { help: 'greets', action(name) { this.output.write(`hello ${name}\n`); } });
assert.strictEqual(first.say('.hello you'), 'hello you\n');
assert.match(first.say('.help'), /\.hello +greets/);
assert.match(first.say('process.on("uncaughtException", () => {})'), /ERR_INVALID_REPL_INPUT/);
first.server.close();

const second = open();
assert.match(second.say(`.load ${file}`), /undefined\n$/);
assert.strictEqual(second.say('f()'), '1\n');
assert.match(second.say(`.load ${folder}`), /is not a valid file/);
second.server.close();

const seen = [];
const third = open({ handleError(error) {
  seen.push(error.message);
  return 'ignore';
} });
assert.strictEqual(third.say('throw new Error("quiet")'), '');
assert.deepStrictEqual(seen, ['quiet']);
third.server.close();

assert.throws(() => open({ breakEvalOnSigint: true, eval: () => {} }), { code: 'ERR_INVALID_REPL_EVAL_CONFIG' });
fs.rmSync(folder, { recursive: true });
