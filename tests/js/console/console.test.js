// Console on streams of one's own: every method's text.
'use strict';

const assert = require('assert');
const { Console } = require('console');
const { Writable } = require('stream');

function collect() {
  const lines = [];
  return [new Writable({ decodeStrings: false, write(chunk, encoding, done) { lines.push(chunk); done(); } }), lines];
}

const [stdout, out] = collect();
const [stderr, err] = collect();
const c = new Console({ stdout, stderr });
assert.ok(c instanceof Console && globalThis.console instanceof Console);
c.log('%s is', 'a', { b: 1 });
c.error('e');
c.group('G');
c.log('in\nside');
c.groupEnd();
c.count('n');
c.count('n');
c.countReset('n');
c.dir({ a: { b: { c: {} } } }, { depth: 0 });
c.assert(true, 'not shown');
c.assert(false, 'shown %d', 5);
c.table([{ a: 1, b: 'x' }, { a: 2 }]);
c.table(new Map([['k', 1]]));
c.table(5);
assert.deepStrictEqual(out, [
  'a is { b: 1 }\n', 'G\n', '  in\n  side\n', 'n: 1\n', 'n: 2\n', '{ a: [Object] }\n',
  '┌─────────┬───┬─────┐\n│ (index) │ a │ b   │\n├─────────┼───┼─────┤\n│ 0       │ 1 │ \'x\' │\n│ 1       │ 2 │     │\n└─────────┴───┴─────┘\n',
  '┌───────────────────┬─────┬────────┐\n│ (iteration index) │ Key │ Values │\n├───────────────────┼─────┼────────┤\n' +
  '│ 0                 │ \'k\' │ 1      │\n└───────────────────┴─────┴────────┘\n',
  '5\n',
]);
assert.deepStrictEqual(err, ['e\n', 'Assertion failed: shown 5\n']);

c.time('t');
c.timeLog('t', 1);
c.timeEnd('t');
assert.match(out.slice(-2).join(''), /^t: [\d.]+ms 1\nt: [\d.]+ms\n$/);
c.trace('here');
assert.ok(err.at(-1).startsWith(`Trace: here\n    at Object.<anonymous> (${__filename}:`), err.at(-1));

assert.throws(() => new Console({}), { code: 'ERR_CONSOLE_WRITABLE_STREAM' });
const [colored, lines] = collect();
new Console({ stdout: colored, colorMode: true }).log({ a: 1 });
assert.deepStrictEqual(lines, ['{ a: \x1B[33m1\x1B[39m }\n']);
