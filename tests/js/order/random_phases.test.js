// S36, S64, S76, K9, K19: 240 random programs over all phases run in the order that Node 26 runs them in (tests/random_phases/golden.txt, written by
// Node: `node tests/random_phases/programs.js 1 240`), on both pollers and with files both ways.
const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const folder = path.join(__dirname, '../../random_phases');
const golden = fs.readFileSync(path.join(folder, 'golden.txt'), 'utf8').trimEnd().split('\n');

async function check(poller, files) {
  const env = { ...process.env, RONDO_POLLER: poller, RONDO_FS: files };
  const child = spawn(process.execPath, [path.join(folder, 'programs.js'), '1', String(golden.length)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => { text += piece; });
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.strictEqual(code, 0);
  const lines = text.trimEnd().split('\n');
  const isDifferent = (line, i) => line !== golden[i];
  assert.deepStrictEqual({ poller, files, order: lines.filter(isDifferent) }, { poller, files, order: golden.filter((line, i) => isDifferent(lines[i], i)) });
}

Promise.all([check('uring', 'ring'), check('uring', 'pool'), check('epoll', 'pool')]);
