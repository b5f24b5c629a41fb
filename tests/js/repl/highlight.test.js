// flags: --expose-internals
// The line that is typed at rondo's prompt has the colours of inspect(); what is not finished yet keeps the terminal's.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { inspect, stripVTControlCharacters } = require('node:util');
const { highlight } = require('internal/repl/highlight');

function styled(style, text) {
  const [open, close] = inspect.colors[inspect.styles[style]];
  return `\x1b[${open}m${text}\x1b[${close}m`;
}

assert.strictEqual(highlight(''), '');
assert.strictEqual(
  highlight(`const a = 'b' + 12n // c`),
  `${styled('special', 'const')} a = ${styled('string', "'b'")} + ${styled('number', '12n')} ${styled('undefined', '// c')}`,
);
assert.strictEqual(highlight('f(true, null, Date, undefined)'),
                   `f(${styled('boolean', 'true')}, ${styled('null', 'null')}, ${styled('date', 'Date')}, ${styled('undefined', 'undefined')})`);
assert.strictEqual(highlight('/a(b)/g'), inspect(/a(b)/g, { colors: true }));
assert.strictEqual(highlight('return "unfinished'), `${styled('special', 'return')} "unfinished`);
for (const text of ['`a${1}b`', '\\', '#!x', '/* open', 'import(1)', '\u{1F600}', 'a ? .5 : 0x', '}}}((', "'\ud800'"]) {
  assert.strictEqual(stripVTControlCharacters(highlight(text)), text);
}

// At a real terminal, where `script` can make one.
const env = { ...process.env, TERM: 'xterm', NODE_REPL_HISTORY: '', NO_COLOR: undefined, FORCE_COLOR: undefined, NODE_DISABLE_COLORS: undefined };
const inTerminal = (command, input) => spawnSync('script', ['-qec', command, '/dev/null'], { input, env, encoding: 'utf8' });
if (inTerminal('echo works', '').stdout?.trim() === 'works') {
  const { stdout, stderr } = inTerminal(`'${process.execPath}'`, 'typeof 12\r.exit\r');
  assert.ok(stdout.includes(`> ${styled('special', 'typeof')} ${styled('number', '12')}`), JSON.stringify(stdout + stderr));
}
