// natives: html
// rondo compare app.js: one file under Node's loop and under the HTML Standard's, what it prints side by side. Each line says in which
// phase, or in a task of which source, it was printed, and with --times how many milliseconds after the first line; lines that are not at
// the same place in both orders are marked. The two runs are children that mark what they print (--mark-lines). A global that one side
// lacks is replaced there by an object that does nothing, so that what both have can be compared.
'use strict';

const kTab = '\t';
const kPhases = {
  __proto__: null,
  Timeout: 'timers',
  Immediate: 'check',
  TickObject: 'nextTick',
  PROMISE: 'microtask',
  Microtask: 'microtask',
};
const kAbsent = 'RONDO_COMPARE_ABSENT';
const kMostAbsent = 20;

// In a child: every line of the console begins with where it was printed, and so does what goes uncaught.
function markLines() {
  const { format } = require('internal/util/util');
  const { isHtml } = native('html');
  const where = isHtml ? whereInHtml : whereInNode();
  let begun; // when the first line was printed
  const write = (place, text) => {
    const now = performanceNow();
    begun ??= now;
    for (const line of each(text.split('\n')))
      require('internal/fs/fs').writeSync(1, `${place}${kTab}${(now - begun).toFixed(1)}${kTab}${line}\n`);
  };
  const out = require('internal/console/program');
  for (const name of each(['log', 'info', 'debug', 'error', 'warn'])) out[name] = (...args) => write(where(), format(...each(args)));
  const uncaught = (error, isRejection) => write(isRejection ? 'rejection' : 'uncaught', firstLine(error));
  if (isHtml) require('html/agents/reports').setPrinted(uncaught);
  else process.on('uncaughtExceptionMonitor', (error, origin) => uncaught(error, origin === 'unhandledRejection'));
  globalsLacking = (process.env[kAbsent] ?? '').split(',').filter((name) => name !== '');
  if (!isHtml) giveAbsent(globalThis);
}

const performanceNow = () => Number(process.hrtime.bigint() / 1000n) / 1000;

function firstLine(error) {
  try {
    return `${typeof error?.stack === 'string' ? `${error.name}: ${error.message}` : require('internal/util/util').inspect(error)}`.split(
      '\n',
    )[0];
  } catch {
    return 'an error';
  }
}

// Globals of the other loop, on this one's global object: calls, constructions and properties are the same object again.
let globalsLacking = [];
function giveAbsent(target) {
  const nothing = new Proxy(function nothing() {}, {
    __proto__: null,
    get: (of, key) => (key === 'then' ? undefined : key === Symbol.toPrimitive ? () => '' : nothing),
    set: () => true,
    apply: () => nothing,
    construct: () => nothing,
  });
  for (const name of each(globalsLacking)) {
    if (!(name in target)) Object.defineProperty(target, name, { __proto__: null, value: nothing, writable: true, configurable: true });
  }
}

let isFirstTask = true;
function whereInHtml() {
  const task = native('html').runningTask();
  if (task === null) return 'rendering';
  if (task.id !== 1) isFirstTask = false;
  return isFirstTask && task.source === 'networking' ? 'script' : task.source;
}

// Async hooks know by what kind of resource the running code was brought forth. Code that they do not know is the script itself, or goes on
// after an await.
function whereInNode() {
  const { createHook, executionAsyncId } = require('internal/async_hooks/async_hooks');
  const types = new Map();
  let isScript = true;
  createHook({
    init(id, type) {
      types.set(id, kPhases[type] ?? 'poll');
    },
  }).enable();
  require('internal/queues/ticks').enqueue(() => {
    isScript = false;
  });
  return () => types.get(executionAsyncId()) ?? (isScript ? 'script' : 'microtask');
}

function runUnder(loop, file, args, absent) {
  const { spawnSync } = require('internal/child_process/child_process');
  const env = { ...process.env, [kAbsent]: absent.join(',') };
  const { stdout, stderr, status } = spawnSync(process.execPath, [`--loop=${loop}`, '--mark-lines', file, ...each(args)], {
    encoding: 'utf8',
    env,
    maxBuffer: Infinity,
  });
  const lines = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const parts = line.split(kTab);
      return parts.length < 3 ? { where: '', time: '', text: line } : { where: parts[0], time: parts[1], text: parts.slice(2).join(kTab) };
    });
  if (status !== 0 && !lines.some(({ where }) => where === 'uncaught' || where === 'rejection')) {
    lines.push({
      where: 'ended',
      time: '',
      text: stderr.split('\n').find((line) => /^\S*(Error|Uncaught)/.test(line)) ?? `exit code ${status}`,
    });
  }
  return lines;
}

// The name that a run ended for want of, or undefined.
const lackingIn = (lines) =>
  lines
    .map(({ text }) => /^ReferenceError: (?:Can't find variable: )?([\w$]+)(?: is not defined)?$/.exec(text)?.[1])
    .find((name) => name !== undefined);

// Both runs; repeated with what one lacks and the other has.
function runBoth(file, args) {
  const loops = ['node', 'html'];
  const absent = { node: [], html: [] };
  let sides = loops.map((loop) => runUnder(loop, file, args, []));
  for (let i = 0; i < kMostAbsent; i++) {
    const names = sides.map(lackingIn);
    const at = names.findIndex((name, side) => name !== undefined && name !== names[1 - side] && !absent[loops[side]].includes(name));
    if (at < 0) break;
    absent[loops[at]].push(names[at]);
    sides = sides.map((lines, side) => (side === at ? runUnder(loops[at], file, args, absent[loops[at]]) : lines));
  }
  return { sides, absent };
}

// Rows of the longest common order: what both print at the same place shares a row, the rest stands alone.
function rowsOf(left, right) {
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i][j] = left[i].text === right[j].text ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const rows = [];
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    if (i < left.length && j < right.length && left[i].text === right[j].text) rows.push([left[i++], right[j++]]);
    else if (j >= right.length || (i < left.length && lengths[i + 1][j] >= lengths[i][j + 1])) rows.push([left[i++], undefined]);
    else rows.push([undefined, right[j++]]);
  }
  return rows;
}

function run(file, args) {
  const hasTimes = require('internal/process/options').getOptionValue('--times');
  try {
    require('internal/fs/fs').accessSync(file);
  } catch {
    process._rawDebug(`rondo compare: cannot read ${file}`);
    process.exitCode = 1;
    return;
  }
  const { sides, absent } = runBoth(file, args);
  const widthOf = (lines, key, least) =>
    Math.min(
      60,
      lines.reduce((most, line) => Math.max(most, line[key].length), least),
    );
  const widths = sides.map((lines) => ({
    where: widthOf(lines, 'where', 4),
    time: widthOf(lines, 'time', 2),
    text: widthOf(lines, 'text', 4),
  }));
  const timeOf = (line, width) => (hasTimes ? `  ${(line?.time ?? '').padStart(width.time)}` : '');
  const cell = (line, width) =>
    `${(line?.where ?? '').padEnd(width.where)}${timeOf(line, width)}  ${(line?.text ?? '').padEnd(width.text)}`;
  const print = (mark, left, right) => {
    process.stdout.write(`${`${mark} ${cell(left, widths[0])} | ${cell(right, widths[1])}`.trimEnd()}\n`);
  };
  print(' ', { where: 'node', time: 'ms', text: '' }, { where: 'html', time: 'ms', text: '' });
  const rows = rowsOf(sides[0], sides[1]);
  for (const [left, right] of eachEntry(rows)) print(left !== undefined && right !== undefined ? ' ' : '*', left, right);
  for (const loop of each(['node', 'html']))
    if (absent[loop].length > 0) process.stdout.write(`not in ${loop}, where it does nothing: ${absent[loop].join(', ')}\n`);
  const differing = rows.filter((row) => row[0] === undefined || row[1] === undefined).length;
  process.stdout.write(differing === 0 ? 'the same order\n' : differing === 1 ? '1 line differs\n' : `${differing} lines differ\n`);
}

module.exports = { run, markLines, giveAbsent };
