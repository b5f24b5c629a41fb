// natives: none
// Sentences about a run: why a task ran when it did, what it waited behind, what the loop is doing, in words for people and screen readers.
'use strict';

const { firstAfter } = require('internal/observe/page/spans');
const { kRules: kPageRules } = require('internal/observe/page/html_loop');

const kMostCauses = 50;
const kMostBehind = 3;
const kFar = 5000; // tasks looked at before one

// Files without their folders, and without who asked for a step of the library. Such a step without a name: "node:http itself".
function short(name) {
  return String(name)
    .replace(/, (?:queued in|for) .*$/, '')
    .replace(/^node:internal\/(\w+)\/?\S*$/, 'node:$1 itself')
    .replace(/(^|[\s(])(?:file:\/\/)?\/[^():]*\/([^\s():/]+:\d+)/g, '$1$2');
}

// Of a page: "timer task → f (…)" is "f (…)" where its source is said already.
const withoutSource = (name) => name.replace(/^[a-zA-Z ]+ task (?:→ )?(?=\S)/, '');

// Two digits behind the point, four below a tenth, none from a hundred on.
function ms(ns) {
  const value = ns / 1e6;
  const digits = value >= 100 ? 0 : value >= 0.1 ? 2 : 4;
  return `${Number(value.toFixed(digits))} ms`;
}

function seconds(ns) {
  return ns >= 1e9 ? `${Number((ns / 1e9).toFixed(2))} s` : ms(ns);
}

function bytes(count) {
  return count >= 1e6 ? `${Math.round(count / 1e5) / 10} MB` : `${Math.round(count / 1e3)} kB`;
}

// "what → name (file:line:column)" → { file, line, column }; file is '' where none of the program's own is named.
function placeOf(label) {
  const own = label.replace(/, (?:queued in|for) .*$/, '');
  const found = /(?:^|[\s(])((?:file:\/\/)?\/[^()]*?):(\d+):(\d+)\)?$/.exec(own);
  if (found === null) return { file: '', line: 0, column: 0 };
  return { file: found[1].replace(/^file:\/\//, ''), line: Number(found[2]), column: Number(found[3]) };
}

function causes(model, id) {
  const chain = [];
  let task = model.tasks.get(id);
  while (task !== undefined && task.id !== 0 && chain.length < kMostCauses) {
    task = model.tasks.get(task.cause);
    if (task !== undefined) chain.push(model.label(task.id));
  }
  return chain;
}

// Tasks that ran between the moment it was ready and its turn, the longest of them: [{ id, name, ns }].
function behind(model, id) {
  const task = model.tasks.get(id);
  if (task === undefined || task.begin === null || task.queued === null) return [];
  const ready = Math.min(task.queued + task.delay, task.begin - task.ready, task.begin);
  const list = model.begunTasks();
  const found = [];
  const look = (other) => {
    if (other.id === id) return;
    const end = Math.min(other.end ?? task.begin, task.begin);
    const from = Math.max(other.begin, ready);
    const isOver = other.end === null || other.end <= task.begin || other.id === 0;
    if (end > from && isOver && other.kind !== 'call') found.push({ id: other.id, name: other.name, ns: end - from });
  };
  const last = firstAfter(list, task.begin);
  for (let i = last - 1; i >= Math.max(1, last - kFar); i--) look(list[i]);
  if (list.length > 0) look(list[0]);
  return found.sort((a, b) => b.ns - a.ns).slice(0, kMostBehind);
}

const kRules = {
  script: 'is the program itself',
  tick: 'ran before promises and before the loop went on, as all nextTick callbacks do',
  microtask: 'ran before the loop went on, because all microtasks do',
  timer: 'ran in the timers phase, when it was due',
  immediate: 'ran in the check phase, after poll',
  io: 'ran in poll, when its event had come',
  event: 'ran because the process has an event of its own',
  call: 'was called',
  rendering: 'ran when the page was rendered',
  idle: 'ran while the page had nothing to do',
};

function waitOf(task) {
  if (task.begin === null || task.queued === null) return 0;
  return Math.max(task.begin - task.queued - task.delay, task.ready, 0);
}

function whyNow(model, id) {
  const task = model.tasks.get(id);
  if (task === undefined) return '';
  const rules = model.isPage ? kPageRules : kRules;
  let text = `${short(task.name) || 'It'} ${rules[task.kind] ?? 'ran'}`;
  const cause = task.id !== 0 ? model.tasks.get(task.cause) : undefined;
  if (cause !== undefined) text += `; queued by ${short(cause.name)}`;
  const waited = waitOf(task);
  if (waited > 0) text += `; waited ${ms(waited)}`;
  const list = task.kind === 'call' ? [] : behind(model, id);
  if (list.length > 0) text += ` behind ${list.map((other) => `${short(other.name)} (${ms(other.ns)})`).join(', ')}`;
  if (task.cancelled !== null) text += '; it was cancelled';
  return `${text}.`;
}

function placeOfState(model, { iteration, phase }) {
  if (iteration === 0) return model.isPage ? 'before the first turn' : 'before the first iteration';
  return model.isPage ? `turn ${iteration}, ${phase}` : `iteration ${iteration}, phase ${phase}`;
}

// The wheel as text.
function inWords(model, step) {
  const state = model.stateAt(step);
  const top = state.stack[state.stack.length - 1];
  const running = top === undefined ? 'nothing runs' : `${short(model.label(top).name)} runs`;
  const queues = Object.entries(state.queues)
    .filter(([, queue]) => queue.size > 0)
    .map(([name, queue]) => `${name} ${queue.size}`);
  const where = placeOfState(model, state);
  const waits = state.waits ? ', waiting for events' : '';
  return `Now ${where}${waits}: ${running}. ${queues.length > 0 ? `Queued: ${queues.join(', ')}.` : 'All queues are empty.'}`;
}

// A step in words: "onTick (app.js:3:9) begins".
const kHappenings = {
  'phase.begin': (record) => `the ${record.phase} phase begins`,
  'wait.begin': ({ payload }) => (payload === 0 ? 'poll looks for events' : 'poll waits for events'),
  'wait.end': ({ payload }) => (payload === 0 ? 'poll goes on without an event' : `poll has ${counted(payload, 'event')}`),
  'task.queued': (record, task) => `${nameOf(task)} is queued`,
  'task.begin': (record, task) => `${nameOf(task)} begins`,
  'task.end': (record, task) => `${nameOf(task)} ends${task?.begin == null ? '' : ` after ${ms(record.time - task.begin)}`}`,
  'task.cancelled': (record, task) => `${nameOf(task)} ${record.payload === 0 ? 'is cancelled' : 'is over without a callback'}`,
  exit: ({ payload }) => `the program ends with code ${payload}`,
  output: ({ name }) => `prints ${JSON.stringify(name)}`,
  'job.queued': () => 'a job is queued for the thread pool',
  'job.begin': ({ payload }) => `a job begins on pool thread ${payload}`,
  'job.end': ({ payload }) => `a job ends on pool thread ${payload}`,
};

const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;
const nameOf = (task) => short(task?.name || 'a promise reaction');

function stepWords(model, step) {
  const record = model.stepRecord(step);
  return record === undefined ? '' : (kHappenings[record.kind]?.(record, model.tasks.get(record.id)) ?? record.kind);
}

module.exports = { short, withoutSource, ms, seconds, bytes, placeOf, causes, behind, waitOf, whyNow, inWords, stepWords, counted };
