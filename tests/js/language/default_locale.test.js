// The default locale is the environment's: LC_ALL before LC_MESSAGES before LANG.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');

function shown(locale) {
  const env = { ...locale, ...(process.env.ASAN_OPTIONS && { ASAN_OPTIONS: process.env.ASAN_OPTIONS }) };  // what a sanitizer's build needs to start
  const code = '(1234.5).toLocaleString() + " " + Intl.DateTimeFormat().resolvedOptions().locale';
  const { stdout } = spawnSync(process.execPath, ['-p', code], { encoding: 'utf8', env });
  return stdout.trim();
}

assert.strictEqual(shown({ LC_ALL: 'de_DE.UTF-8' }), '1.234,5 de-DE');
assert.strictEqual(shown({ LANG: 'de_DE.UTF-8' }), '1.234,5 de-DE');
assert.strictEqual(shown({ LC_ALL: 'en_GB', LANG: 'de_DE.UTF-8' }), '1,234.5 en-GB');
assert.strictEqual(shown({ LC_MESSAGES: 'de_AT', LANG: 'fr_FR' }), '1.234,5 de-AT'.replace('1.234', '1\u00a0234'));
for (const value of ['C', 'POSIX', 'C.UTF-8', '', '%%%']) assert.strictEqual(shown({ LC_ALL: value }), '1,234.5 en-US', value);
assert.strictEqual(shown({}), '1,234.5 en-US');
