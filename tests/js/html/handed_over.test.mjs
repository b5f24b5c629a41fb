// Values that the library hands to a page's functions, getters, iterables and proxies (tests/fixtures/html_realm/handed_over.js) lead nowhere.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

test('nothing that the library hands over compiles code elsewhere or has inner members', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-handed-'));
  fs.copyFileSync(new URL('../../fixtures/html_realm/handed_over.js', import.meta.url), path.join(folder, 'handed_over.js'));
  fs.writeFileSync(path.join(folder, 'page.html'), '<body><p id=p class=a>x</p><script src="handed_over.js"></script>');
  const { stdout, stderr } = spawnSync(process.execPath, ['--loop=html', path.join(folder, 'page.html')], { encoding: 'utf8', maxBuffer: 1 << 26 });
  fs.rmSync(folder, { recursive: true });
  const line = stdout.split('\n').map((text) => text.trim()).find((text) => text.startsWith('RESULT '));
  assert.ok(line, stderr.slice(-2000));
  const { ways, calls, found } = JSON.parse(line.slice('RESULT '.length));
  assert.deepStrictEqual(found, []);
  assert.ok(ways > 100 && calls > 60, `${ways} ways, ${calls} calls`);
});
