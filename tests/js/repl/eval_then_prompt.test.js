'use strict';
// `rondo -i -e TEXT`: the text runs first, and `module` is the prompt's own afterwards.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');

const { stdout } = spawnSync(process.execPath, ['--interactive', '-e', 'globalThis.early = 41'], {
  input: 'module.id\nearly + 1\n.exit\n', encoding: 'utf8',
});
assert.match(stdout, /'<repl>'/);
assert.match(stdout, /> 42/);
