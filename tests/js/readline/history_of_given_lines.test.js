'use strict';
// A line with line ends that a program puts into readline.Interface#line is one entry, which replaces none before it.
const assert = require('node:assert');
const { EventEmitter } = require('node:events');
const readline = require('node:readline');

class Input extends EventEmitter {
  readable = true;
  resume() {}
  pause() {}
  write() {}
  end() {}
}
const input = new Input();
const lines = new readline.Interface({ input, output: input, terminal: true, removeHistoryDuplicates: true });
for (const line of ['one\ntwo', 'other', 'one\ntwo']) {
  lines.line = line;
  input.emit('keypress', '', { name: 'enter' });
}
assert.deepStrictEqual(lines.history, ['two\rone', 'other']);
lines.close();
