'use strict';
// The excerpt above an uncaught error: file, line, the line's text and the caret, beside what Node 26 wrote for each program of excerpts.json.
const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const rows = JSON.parse(fs.readFileSync(path.join(__dirname, 'excerpts.json'), 'utf8'));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-excerpts-'));

function excerptOf(program, number) {
  const file = path.join(folder, `p${number}.cjs`);
  fs.writeFileSync(file, program);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    child.stderr.on('data', (chunk) => { text += chunk; });
    child.on('close', () => resolve(text.split('\n\n')[0].replace(file, 'p.cjs')));
  });
}

(async () => {
  let next = 0;
  const wrong = [];
  const work = async () => {
    // A machine that is busy with other things tries as many as it has time for.
    while (next < rows.length && (next < 60 || process.uptime() < 30)) {
      const number = next++;
      const [program, expected] = rows[number];
      const excerpt = await excerptOf(program, number);
      if (excerpt !== expected) wrong.push({ program, excerpt, expected });
    }
  };
  await Promise.all([work(), work()]);
  fs.rmSync(folder, { recursive: true });
  assert.deepStrictEqual(wrong, []);
  assert.ok(rows.length >= 190);
})();
