// natives: html
// rondo compare app.js: one file under Node's loop and under the HTML Standard's, what it prints side by side. Each line says in which phase, or in a
// task of which source, it was printed; lines that differ are marked. The two runs are children that mark what they print (--mark-lines).
'use strict';

const kTab = '\t';
const kPhases = { __proto__: null, Timeout: 'timers', Immediate: 'check', TickObject: 'nextTick', PROMISE: 'microtask', Microtask: 'microtask' };

// In a child: every line of the console begins with where it was printed.
function markLines() {
  const { format } = require('util');
  const where = native('html').isHtml ? whereInHtml : whereInNode();
  const out = require('console');
  for (const name of each(['log', 'info', 'debug', 'error', 'warn'])) {
    out[name] = (...args) => {
      for (const line of each(format(...each(args)).split('\n'))) require('fs').writeSync(1, `${where()}${kTab}${line}\n`);
    };
  }
}

let isFirstTask = true;
function whereInHtml() {
  const task = native('html').runningTask();
  if (task === null) return 'rendering';
  if (task.id !== 1) isFirstTask = false;
  return isFirstTask && task.source === 'networking' ? 'script' : task.source;
}

// Async hooks know by what kind of resource the running code was brought forth.
function whereInNode() {
  const { createHook, executionAsyncId } = require('async_hooks');
  const types = new Map([[1, 'script']]);
  createHook({ init(id, type) { types.set(id, kPhases[type] ?? 'poll'); } }).enable();
  return () => types.get(executionAsyncId()) ?? 'script';
}

function runUnder(loop, file, args) {
  const { spawnSync } = require('child_process');
  const { stdout, stderr, status } = spawnSync(process.execPath, [`--loop=${loop}`, '--mark-lines', file, ...each(args)], { encoding: 'utf8' });
  const lines = stdout.split('\n').slice(0, -1).map((line) => {
    const at = line.indexOf(kTab);
    return at < 0 ? { where: '', text: line } : { where: line.slice(0, at), text: line.slice(at + 1) };
  });
  const failure = status === 0 ? '' : stderr.split('\n').find((line) => /^\S*(Error|Uncaught)/.test(line)) ?? `exit code ${status}`;
  if (failure !== '') lines.push({ where: 'ended', text: failure });
  return lines;
}

function run(file, args) {
  try {
    require('fs').accessSync(file);
  } catch {
    process._rawDebug(`rondo compare: cannot read ${file}`);
    process.exitCode = 1;
    return;
  }
  const sides = [runUnder('node', file, args), runUnder('html', file, args)];
  const widthOf = (lines, key, least) => Math.min(60, lines.reduce((most, line) => Math.max(most, line[key].length), least));
  const widths = sides.map((lines) => ({ where: widthOf(lines, 'where', 4), text: widthOf(lines, 'text', 4) }));
  const cell = (line, width) => `${(line?.where ?? '').padEnd(width.where)}  ${(line?.text ?? '').padEnd(width.text)}`;
  const print = (mark, left, right) => {
    process.stdout.write(`${`${mark} ${cell(left, widths[0])} | ${cell(right, widths[1])}`.trimEnd()}\n`);
  };
  print(' ', { where: 'node', text: '' }, { where: 'html', text: '' });
  let differing = 0;
  for (let i = 0; i < Math.max(sides[0].length, sides[1].length); i++) {
    const isSame = sides[0][i]?.text === sides[1][i]?.text;
    if (!isSame) differing++;
    print(isSame ? ' ' : '*', sides[0][i], sides[1][i]);
  }
  process.stdout.write(differing === 0 ? 'the same order\n' : `${differing} lines differ\n`);
}

module.exports = { run, markLines };
