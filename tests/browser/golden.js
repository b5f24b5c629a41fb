// A hundred random pages (tests/browser) run in an order that Chromium could give; golden.txt has Chromium's own, written by
// `tests/browser/run -g`. Here they are frames of one page, one after the other: `make deep` runs each as a page of its own, beside Chromium.
const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { generate, writeAll } = require('./pages.js');
const { Page, readLines } = require('./judge.js');

const golden = new Map(fs.readFileSync(path.join(__dirname, 'golden.txt'), 'utf8').trimEnd().split('\n')
  .map((line) => line.split(': ')).map(([seed, order]) => [Number(seed), order.split(' ')]));
assert.strictEqual(golden.size, 100);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo_pages_'));

async function run(first, count) {
  const place = path.join(folder, String(first));
  writeAll(place, first, count);
  const child = spawn(process.execPath, ['--loop=html', '--virtual-time', path.join(place, 'all.html')], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => { text += piece; });
  const code = await new Promise((resolve) => child.on('close', resolve));
  const found = readLines(text);
  for (let seed = first; seed < first + count; seed++) {
    const own = found.get(seed);
    assert.ok(own?.isWhole, `page ${seed} did not end: ${own?.line}`);
    assert.deepStrictEqual([seed, ...new Page(generate(seed)).judge(own.order, [golden.get(seed)])], [seed]);
  }
  assert.strictEqual(code, 0);
}

Promise.all([run(1, 50), run(51, 50)]).finally(() => fs.rmSync(folder, { recursive: true }));
