// rondo --test page.test.html, and scripts with --loop=html: tests that run in a page, reported like any others.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');
const fs = require('fs');
const { join } = require('path');

const folder = fs.mkdtempSync(join(require('os').tmpdir(), 'rondo-page-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
fs.writeFileSync(join(folder, 'page.test.html'), `<!doctype html><p id="p">text</p><script>
describe('page', () => {
  it('has a document', () => { assert.strictEqual(document.getElementById('p').textContent, 'text'); });
  it('draws frames', async () => { await new Promise((resolve) => requestAnimationFrame(resolve)); });
  it('fails', () => { throw new TypeError('in the page'); });
});
</script>`);
fs.writeFileSync(join(folder, 'script.test.js'), `
test('a window', async () => { assert.strictEqual(typeof requestAnimationFrame, 'function'); await new Promise((resolve) => setTimeout(resolve, 1)); });`);

function run(...args) {
  return spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...args], { encoding: 'utf8', cwd: folder, timeout: 120000 });
}

const page = run('page.test.html');
assert.match(page.stdout, /^ {4}ok 1 - has a document$/m, page.stdout + page.stderr);
assert.match(page.stdout, /^ {4}ok 2 - draws frames$/m);
assert.match(page.stdout, /^ {4}not ok 3 - fails$[^]*error: 'in the page'[^]*name: 'TypeError'/m);
assert.match(page.stdout, /^# tests 3\n# suites 1\n# pass 2\n# fail 1$/m);
assert.strictEqual(page.status, 1);

const script = run('--loop=html', 'script.test.js');
assert.match(script.stdout, /^ok 1 - a window$/m, script.stdout + script.stderr);
assert.strictEqual(script.status, 0);
