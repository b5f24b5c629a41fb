'use strict';
// node:tty: what is a terminal, how many colours it has, and, where script(1) can make one, its size, raw mode and cursor.
const assert = require('node:assert');
const fs = require('node:fs');
const tty = require('node:tty');
const { spawnSync } = require('node:child_process');

const file = fs.openSync(__filename, 'r');
assert.strictEqual(tty.isatty(file), false);
assert.strictEqual(tty.isatty(-1), false);
assert.strictEqual(tty.isatty('0'), false);
assert.throws(() => new tty.ReadStream(-1), { code: 'ERR_INVALID_FD' });
assert.throws(() => new tty.WriteStream(file), { code: 'ERR_TTY_INIT_FAILED', name: 'SystemError' });

const { getColorDepth, hasColors } = tty.WriteStream.prototype;
const depths = [
  [{ TERM: 'xterm-256color' }, 8], [{ TERM: 'xterm' }, 4], [{ TERM: 'dumb' }, 1], [{}, 1], [{ COLORTERM: 'truecolor' }, 24],
  [{ TMUX: '1' }, 24], [{ CI: '1', GITHUB_ACTIONS: '1' }, 24], [{ CI: '1' }, 1], [{ TERM: 'xterm', NO_COLOR: '1' }, 1],
  [{ FORCE_COLOR: '2' }, 8], [{ FORCE_COLOR: '0' }, 1], [{ TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.0' }, 24],
];
for (const [env, depth] of depths) assert.strictEqual(getColorDepth(env), depth, JSON.stringify(env));
assert.strictEqual(hasColors(256, { TERM: 'xterm-256color' }), true);
assert.strictEqual(hasColors(257, { TERM: 'xterm-256color' }), false);
assert.throws(() => hasColors(1), { code: 'ERR_OUT_OF_RANGE' });

const program = `
const { stdin, stdout } = process;
stdout.write(JSON.stringify([stdin.isTTY, stdout.isTTY, stdout instanceof require('tty').WriteStream, stdout.getWindowSize()]) + '\\n');
stdin.setRawMode(true);
stdout.write(JSON.stringify([stdin.isRaw]) + '\\n');
stdin.setRawMode(false);
stdout.cursorTo(3);
`;
const { status, stdout, error } = spawnSync('script', ['-qec', `stty cols 77 rows 22; '${process.execPath}' -e "$RONDO_TTY_PROGRAM"`, '/dev/null'],
  { encoding: 'utf8', env: { ...process.env, RONDO_TTY_PROGRAM: program, NO_COLOR: '1' }, stdio: ['pipe', 'pipe', 'pipe'] });
if (error === undefined && status === 0 && stdout.includes('true')) {
  assert.match(stdout, /\[true,true,true,\[77,22\]\]/);
  assert.match(stdout, /\[true\]/);
  assert.ok(stdout.includes('\x1b[4G'));
}
