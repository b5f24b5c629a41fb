'use strict';
// `rondo inspect`: a program debugged at the prompt by the commands of `node inspect`, and by probes; what is refused.
const assert = require('node:assert');
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inspect-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, 'program.js');
fs.writeFileSync(
  file,
  `let total = 0;
function add(left, right) {
  return left + right;
}
for (let i = 0; i < 3; i++) {
  total = add(total, i);
}
console.log('total', total);
const last = add(1, 1);
debugger;
console.log(new Map([['a', 1]]).size);
`,
);

class Terminal {
  constructor(args, env) {
    this.child = spawn(process.execPath, ['inspect', ...args], { cwd: folder, env: { ...process.env, ...env } });
    this.text = '';
    this.wake = () => {};
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.text += text.replaceAll('\b', '');
        this.wake();
      });
    }
    this.closed = new Promise((resolve) => this.child.on('close', resolve));
  }
  async until(pattern) {
    while (!pattern.test(this.text)) {
      const isOver = await Promise.race([this.closed.then(() => true), new Promise((resolve) => (this.wake = () => resolve(false)))]);
      assert.ok(!isOver || pattern.test(this.text), `ended before ${pattern}: ${this.text}`);
    }
    return this.text;
  }
  // A command, and what is printed until `pattern`.
  command(line, pattern) {
    this.text = '';
    this.child.stdin.write(`${line}\n`);
    return this.until(pattern);
  }
  end() {
    this.child.stdin.end();
    return this.closed;
  }
}

async function commands() {
  const terminal = new Terminal(['--port=0', 'program.js']);
  await terminal.until(/Break on start in program\.js:1\n> 1 let total = 0;[^]*debug> $/);
  assert.match(terminal.text, /^< Debugger listening on ws:\/\/127\.0\.0\.1:\d+\//m);
  assert.match(await terminal.command("sb('add()')", /debug> $/), /^debug> $/);
  assert.match(await terminal.command("watch('total')", /debug> $/), /^debug> $/);
  await terminal.command('c', /debugCommand in program\.js:3\nWatchers:\n {2}0: total = 0\n\n[^]*> 3 {3}return left \+ right;[^]*debug> $/);
  assert.match(await terminal.command('bt', /debug> $/), /^#0 add program\.js:3:2\n#1 \(anonymous\) program\.js:6:\d+\n/);
  assert.match(await terminal.command('exec [left, right, typeof total]', /debug> $/), /^\[ 0, 0, 'number' \]\n/);
  assert.match(await terminal.command('p left = 40', /debug> $/), /^40\n/);
  assert.match(await terminal.command("exec .scope", /debug> $/), /'left'[^]*'right'/);
  assert.match(await terminal.command("sb('program.js', 8)", /debug> $/), /> 8 console\.log\('total', total\);/);
  assert.match(await terminal.command("exec undebug(add)", /debug> $/), /debug> $/);
  assert.match(await terminal.command('breakpoints', /debug> $/), /#0 program\.js:8/);
  await terminal.command('out', /in program\.js:[56]\n[^]*debug> $/);
  assert.match(await terminal.command('repl', /leave debug repl\n> > $/), /Press Ctrl\+C to leave debug repl/);
  assert.match(await terminal.command('({ total, map: new Map([[1, {}]]) })', /map[^]*> $/), /^\{ total: \d+, map: Map\(1\) \}\n/);
  await terminal.command('.interrupt', /debug> $/);
  assert.match(await terminal.command('clearBreakpoint("program.js", 1)', /debug> $/), /Could not find breakpoint at program\.js:1/);
  assert.match(await terminal.command('scripts', /debug> $/), /^\* \d+: program\.js$/m);
  assert.match(await terminal.command('Debugger', /debug> $/), /\[Agent Debugger\]/);
  assert.match(await terminal.command('kill', /debug> $/), /debug> $/);
  assert.match(await terminal.command('c', /debug> $/), /Use `run` to start the app again/);
  await terminal.command('run', /1 breakpoints restored\.[^]*Break on start in program\.js:1\n[^]*debug> $/);
  await terminal.command('c', /break in program\.js:8\n[^]*debug> $/);
  await terminal.command('n', /< total 3\n[^]*step in program\.js:9\n[^]*debug> $/);
  assert.strictEqual(await terminal.end(), 0);
}

async function startsWithoutStop() {
  const terminal = new Terminal(['--port=0', 'program.js'], { NODE_INSPECT_RESUME_ON_START: '1' });
  await terminal.until(/break in program\.js:10\n[^]*debug> $/);
  assert.strictEqual(await terminal.end(), 0);
}

function probes() {
  const args = ['inspect', '--json', '--probe', 'program.js:6', '--expr', 'i', '--cond', 'i > 0', '--probe', 'program.js:8', '--expr', 'none'];
  const { stdout, status } = spawnSync(process.execPath, [...args, 'program.js'], { cwd: folder, encoding: 'utf8' });
  const { v, results } = JSON.parse(stdout);
  assert.deepStrictEqual([v, status], [2, 0]);
  assert.deepStrictEqual(
    results.map(({ probe, event, hit, result, error }) => [probe, event, hit, result?.value ?? error?.message.split('\n')[0]]),
    [
      [0, 'hit', 1, 1],
      [0, 'hit', 2, 2],
      [1, 'hit', 1, 'ReferenceError: none is not defined'],
      [undefined, 'completed', undefined, undefined],
    ],
  );
  const text = spawnSync(process.execPath, ['inspect', '--probe', 'other.js:1', '--expr', '1', 'program.js'], { cwd: folder, encoding: 'utf8' });
  assert.deepStrictEqual([text.stdout, text.status], ['Missed probes: other.js:1\n', 0]);
}

function refusals() {
  const run = (...args) => spawnSync(process.execPath, ['inspect', ...args], { cwd: folder, encoding: 'utf8' });
  assert.match(run().stderr, /^Usage: rondo inspect /);
  assert.strictEqual(run().status, 9);
  assert.match(run('--help').stdout, /^Usage: rondo inspect /);
  assert.match(run('--probe', 'a.js:0', '--expr', 'x', 'program.js').stderr, /^Invalid probe location: /);
  assert.match(run('--probe', 'a.js:1', 'program.js').stderr, /^Each --probe must be followed immediately by --expr <expr>/);
  const missing = run('-p', '4194304');
  assert.deepStrictEqual([missing.stderr, missing.status], ["Target process: 4194304 doesn't exist.\n", 1]);
}

(async () => {
  refusals();
  probes();
  await commands();
  await startsWithoutStop();
})().then(
  () => console.log('ok'),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
