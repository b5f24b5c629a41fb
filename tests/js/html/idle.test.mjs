// A page that waits, for a timer or for somebody to speak to it, uses no CPU on the real clock: no thread of it wakes.
import assert from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const kTicksASecond = 100;  // what /proc counts in
const kMost = 1;  // a page that wakes once a frame takes four
const kPatience = 30;  // seconds that compilers and collectors may go on after the start

const pages = {
  timer: 'setTimeout(() => {}, 1e9);',
  listeners: `setTimeout(() => {}, 1e9);
    new MessageChannel().port1.onmessage = () => {};
    addEventListener('click', () => {});
    new BroadcastChannel('a').onmessage = () => {};
    new IntersectionObserver(() => {}).observe(document.body);
    new MutationObserver(() => {}).observe(document.body, { childList: true });
    const worker = new Worker('data:,onmessage = () => {}');
    worker.onmessage = () => {};`,
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-idle-'));

// Of all threads of the process, in ticks.
function cpuOf(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

async function ticksWhenAtRest(pid) {
  let least = Infinity;
  for (let second = 0; second < kPatience && least > kMost; second++) {
    const before = cpuOf(pid);
    await sleep(1000);
    least = Math.min(least, cpuOf(pid) - before);
  }
  return least;
}

assert.strictEqual(Number(execFileSync('getconf', ['CLK_TCK'])), kTicksASecond);
try {
  for (const [name, script] of Object.entries(pages)) {
    const file = path.join(folder, `${name}.html`);
    fs.writeFileSync(file, `<!doctype html><body><script>${script}\nconsole.log('ready');</script>`);
    const page = spawn(process.execPath, ['--loop=html', file], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await new Promise((resolve, reject) => page.stdout.once('data', resolve).once('end', () => reject(new Error(`${name}: ended`))));
      const ticks = await ticksWhenAtRest(page.pid);
      assert.ok(ticks <= kMost, `${name}: ${ticks} of ${kTicksASecond} ticks of a second`);
      assert.strictEqual(page.exitCode, null, `${name}: it waits still`);
    } finally {
      page.kill('SIGKILL');
    }
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
