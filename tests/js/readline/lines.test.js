// node:readline: lines from pieces, questions, iteration, and editing keys on a (pretended) terminal.
'use strict';
const assert = require('node:assert');
const readline = require('node:readline');
const { createInterface: createPromised } = require('node:readline/promises');
const { PassThrough, Writable } = require('node:stream');

async function pieces() {
  const input = new PassThrough();
  const lines = [];
  const rl = readline.createInterface({ input });
  rl.on('line', (line) => lines.push(line));
  const closed = new Promise((resolve) => { rl.on('close', resolve); });
  for (const piece of ['on', 'e\nt', 'wo\r', '\nthr\u2028ee\n\nlast']) input.write(piece);
  input.end();
  await closed;
  assert.deepStrictEqual(lines, ['one', 'two', 'thr', 'ee', '', 'last']);
  assert.throws(() => rl.question('?', () => {}), { code: 'ERR_USE_AFTER_CLOSE' });
}

async function iteration() {
  const input = new PassThrough();
  input.end('a\nb\nc\n');
  const seen = [];
  for await (const line of readline.createInterface({ input, crlfDelay: Infinity })) seen.push(line);
  assert.deepStrictEqual(seen, ['a', 'b', 'c']);
}

async function questions() {
  const input = new PassThrough();
  let shown = '';
  const output = new Writable({ write(chunk, encoding, callback) { shown += chunk; callback(); } });
  const rl = createPromised({ input, output });
  const answer = rl.question('name? ');
  input.write('rondo\n');
  assert.strictEqual(await answer, 'rondo');
  assert.strictEqual(shown, 'name? ');
  const controller = new AbortController();
  const never = rl.question('again? ', { signal: controller.signal });
  controller.abort();
  await assert.rejects(never, { name: 'AbortError' });
  rl.close();
}

// Keys, and the line they make.
async function editing() {
  const cases = [
    [['a', 'b', 'c'], 'abc'],
    [['one two', { ctrl: true, name: 'w' }], 'one '],
    [['one two', { ctrl: true, name: 'a' }, 'x'], 'xone two'],
    [['one two', { meta: true, name: 'b' }, { ctrl: true, name: 'k' }], 'one '],
    [['one two', { meta: true, name: 'b' }, { ctrl: true, name: 'k' }, { ctrl: true, name: 'a' }, { ctrl: true, name: 'y' }], 'twoone '],
    [['abc', { name: 'left' }, { name: 'backspace' }], 'ac'],
    [['abc', { name: 'home' }, { name: 'delete' }], 'bc'],
    [['ab', { name: 'backspace' }, { sequence: '\x1f' }], 'ab'],
    [['\u{1F600}x', { name: 'left' }, { name: 'left' }, { name: 'delete' }], 'x'],
    [[{ name: 'up' }], 'newest'],
    [['ol', { name: 'up' }], 'older'],
  ];
  for (const [keys, expected] of cases) {
    const rl = readline.createInterface({
      input: new PassThrough(), output: new PassThrough().resume(), terminal: true, history: ['newest', 'older'],
    });
    for (const key of keys) {
      if (typeof key === 'string') rl.write(key);
      else rl.write(null, key);
    }
    assert.strictEqual(rl.line, expected);
    rl.close();
  }
}

async function keypresses() {
  const input = new PassThrough();
  const seen = [];
  input.on('keypress', (text, key) => seen.push(`${key.ctrl ? 'C-' : ''}${key.meta ? 'M-' : ''}${key.shift ? 'S-' : ''}${key.name}`));
  readline.emitKeypressEvents(input);
  input.write('aB\r\t\x03\x1b[A\x1b[1;5C\x1bx\x1b[3~\x1bOP');
  await new Promise((resolve) => { setImmediate(resolve); });
  assert.deepStrictEqual(seen, ['a', 'S-b', 'return', 'tab', 'C-c', 'up', 'C-right', 'M-x', 'delete', 'f1']);
}

let done = false;
(async () => { for (const part of [pieces, iteration, questions, editing, keypresses]) await part(); done = true; })();
process.on('exit', () => { assert.ok(done); });
