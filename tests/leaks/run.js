// Repeats each of the kinds in kinds.js and fails if the second half of a run adds more to the process than its bound: what is kept for
// every operation shows there, caches that fill do not. Both quarters of that half count as the one that adds less: a leak grows in
// both, while the allocator's ups and downs come once.
//
//   rondo tests/leaks/run.js [PATTERN…]      kinds whose name contains one of them; a line each
//
// Called by tests/all deep. With `--kind NAME` it is the process that one kind runs in.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawn } = require('child_process');
const { kKinds, kPages } = require('./kinds.js');

const kBoundKb = 8000; // what a process of fifty megabytes goes up and down by
const kMostSeconds = 1200; // of a busy machine

function residentKb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'latin1'))[1]);
}

// The allocator gives memory back a while after it was freed: the least of some looks.
async function settled() {
  let least = Infinity;
  for (let i = 0; i < 8; i++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 40));
    least = Math.min(least, residentKb(process.pid));
  }
  return least;
}

async function repeat(once, times, together) {
  for (let done = 0; done < times; done += together) {
    const all = [];
    for (let i = 0; i < together; i++) all.push(once());
    await Promise.all(all);
  }
}

// Its own process: prints the kilobytes at the half, at three quarters and at the end.
async function runKind(name) {
  const kind = kKinds[name];
  const once = await kind.make();
  const quarter = Math.ceil(kind.count / 4);
  const together = kind.together ?? 1;
  await repeat(once, 2 * quarter, together);
  const marks = [await settled()];
  for (let i = 0; i < 2; i++) {
    await repeat(once, quarter, together);
    marks.push(await settled());
  }
  console.log(`\n${marks.join(' ')}`);
  process.exit(0);
}

// A page says where it is, and its process is looked at from here.
function pageText({ count, code }) {
  const quarter = Math.ceil(count / 4);
  const marks = JSON.stringify([2 * quarter, 3 * quarter, 4 * quarter]);
  if (code === 'reload') {
    return `<script>const n = Number(location.search.slice(1) || 0);
      if (${marks}.includes(n)) console.log('MARK');
      if (n < ${4 * quarter}) setTimeout(() => { location.href = location.href.split('?')[0] + '?' + (n + 1); }, 0);</script>`;
  }
  return `<body><script>(async () => { for (let n = 0; n <= ${4 * quarter}; n++) {
    if (${marks}.includes(n)) { for (let i = 0; i < 4; i++) { globalThis.gc?.(); await new Promise((r) => setTimeout(r, 40)); } console.log('MARK'); }
    ${code} } })();</script></body>`;
}

function measure(name) {
  const page = kPages[name];
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-leaks-'));
  const args = page ? ['--expose-gc', '--loop=html', path.join(work, 'page.html')] : ['--expose-gc', __filename, '--kind', name];
  if (page) fs.writeFileSync(path.join(work, 'page.html'), pageText(page));
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const marks = [];
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    if (page) for (let i = text.split('MARK').length; i > 1; i--) marks.push(residentKb(child.pid));
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => { errors += text; });
  const timer = setTimeout(() => child.kill('SIGKILL'), kMostSeconds * 1000);
  return new Promise((resolve) => child.on('close', (code, signal) => {
    clearTimeout(timer);
    fs.rmSync(work, { recursive: true, force: true });
    const [middle, later, end] = page ? marks : output.trim().split('\n').at(-1).split(' ').map(Number);
    const growth = 2 * Math.min(later - middle, end - later);
    resolve({ middle, later, end, growth, problem: code === 0 && end > 0 ? '' : `ended with ${signal ?? code}: ${errors.slice(-500)}` });
  }));
}

async function runAll(patterns) {
  const names = [...Object.keys(kKinds), ...Object.keys(kPages)]
    .filter((name) => patterns.length === 0 || patterns.some((pattern) => name.includes(pattern)));
  let failures = 0;
  for (const name of names) {
    const { count, bound = kBoundKb } = kKinds[name] ?? kPages[name];
    const { middle, later, end, growth, problem } = await measure(name);
    const isGood = !problem && growth <= bound;
    if (!isGood) failures++;
    const perOne = Math.round((growth * 1024) / (count / 2));
    console.log(`${isGood ? 'ok  ' : 'FAIL'} ${name}: ${problem || `${middle}, ${later}, ${end} KB: ${growth} of ${bound} KB in the second half, ${perOne} bytes each`}`);
  }
  console.log(`${names.length - failures} passed, ${failures} failed`);
  process.exitCode = failures > 0 ? 1 : 0;
}

const [first, second] = process.argv.slice(2);
if (first === '--kind') runKind(second);
else runAll(process.argv.slice(2));
