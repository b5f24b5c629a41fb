// Compares the order that a page logged with the orders that a browser logged for it, as far as the Standard determines it.
//
// - Callbacks of one task (a callback of a source, what it does at once, and its microtasks) stand together, in exactly the browser's order.
// - Of two tasks of one source and one window the order is determined, and is the browser's, when the same task queued both, or when the
//   tasks that queued them have a determined order themselves and the first was not to wait longer (a longer delay, a lower priority).
// - What a task queues comes after it; a script that the document waits for and the document's frames come before its load event.
// Nothing is demanded of tasks of different sources: the Standard leaves the choice to the implementation.
'use strict';

const { visit, MICRO, SYNCHRONOUS, PRIORITIES } = require('./pages.js');

const DOCUMENT = ['script', 'blocking', 'defer', 'module', 'ready', 'load'];

// The priority in which a continuation of scheduler.yield() goes on: that of the task above, as far as microtasks carry it.
function prioritySpoken(task, tasks) {
  for (let at = task; at; at = tasks.get(at.above)) {
    if (at.kind === 'idle') return 'background';
    if (at.kind === 'task' || at.kind === 'delayed') return at.priority ?? 'user-visible';
    if (at.kind !== 'yield') return 'user-visible';
  }
}

// Queue and place in it: of two tasks the one of the lower rank does not wait for the other's.
function sourceOf(task, tasks) {
  const { kind, view } = task;
  const rankOf = (priority, bonus) => PRIORITIES.indexOf(priority) * 2 - bonus;
  if (DOCUMENT.includes(kind)) return ['document', 0];
  if (kind === 'timer' || kind === 'interval') return [`timer of ${view}`, task.delay];
  if (kind === 'task') return [`scheduler of ${view}`, rankOf(task.priority ?? 'user-visible', 0)];
  if (kind === 'yield') return [`scheduler of ${view}`, rankOf(prioritySpoken(tasks.get(task.above), tasks), 1)];
  if (kind === 'delayed') return [`delayed task ${task.name}`, 0];  // a timer, then a task
  if (kind === 'async' || kind === 'fetched' || kind === 'frame' || kind === 'loaded') return [task.name, 0];
  if (kind === 'report') return ['message of page', 0];
  return [`${kind} of ${view}`, 0];
}

class Page {
  constructor(program) {
    this.tasks = new Map();   // name of a task: { name, kind, above: name of the task that queued it, … }
    this.taskOf = new Map();  // name of a callback: name of its task
    for (const root of program.roots) visit(root, (node, above) => this.learn(node, above));
    for (const task of this.tasks.values()) [task.source, task.rank] = sourceOf(task, this.tasks);
    this.load = program.roots.find((root) => root.kind === 'load').name;
  }

  learn(node, above) {
    if (above && (MICRO.includes(node.kind) || SYNCHRONOUS.includes(node.kind))) {
      this.taskOf.set(node.name, this.taskOf.get(above.name));
    } else {
      this.taskOf.set(node.name, node.name);
      const { name, kind, view, delay, priority } = node;
      // The frame's own load event is queued by the frame's script, as far as anyone can tell.
      this.tasks.set(name, { name, kind, view, delay, priority, above: above && this.taskOf.get(above.name) });
    }
  }

  callback(entry) { return entry.replace(/(\.|\(\d+\)|!)$/, ''); }

  // { groups: entries by task, place: of each task, faults }
  read(order) {
    const groups = new Map();
    const faults = [];
    let last;
    for (const entry of order) {
      const task = this.taskOf.get(this.callback(entry));
      if (task === undefined) { faults.push(`${entry} is not of this page`); continue; }
      if (task !== last && groups.has(task)) faults.push(`${entry} runs apart from its task ${task}`);
      if (!groups.has(task)) groups.set(task, []);
      groups.get(task).push(entry);
      last = task;
    }
    for (const name of this.tasks.keys()) if (!groups.has(name)) faults.push(`${name} never ran`);
    const place = new Map([...groups.keys()].map((name, index) => [name, index]));
    return { groups, place, faults };
  }

  isAbove(a, b) {
    for (let at = this.tasks.get(b).above; at; at = this.tasks.get(at).above) if (at === a) return true;
    return false;
  }

  // Whether a comes before b wherever `read` has it so: see the head of this file.
  isDetermined(a, b, read) {
    if (this.isAbove(a, b)) return true;
    const first = this.tasks.get(a);
    const second = this.tasks.get(b);
    if (b === this.load && first.kind === 'async') return true;
    if (first.source !== second.source) return false;
    if (first.above === second.above) return true;
    if (!first.above || !second.above || first.rank > second.rank) return false;
    return read.place.get(first.above) < read.place.get(second.above) && this.isDetermined(first.above, second.above, read);
  }

  // Of two timers that one task starts the shorter comes first, unless the task takes longer than the difference, as it may in a browser.
  dependsOnSpeed(a, b) {
    const first = this.tasks.get(a);
    const second = this.tasks.get(b);
    return first.source === second.source && first.delay !== second.delay;
  }

  // Faults of `order` against the orders of a browser; an empty list when it could have been the browser's. `isTimed`: the order is of a run
  // on a real clock.
  judge(order, browser, isTimed = false) {
    const own = this.read(order);
    const reads = browser.map((each) => this.read(each));
    const faults = [...own.faults];
    for (const [task, entries] of own.groups) {
      const wanted = reads.map((read) => (read.groups.get(task) ?? []).join(' '));
      if (!wanted.includes(entries.join(' '))) faults.push(`${task}: ${entries.join(' ')}, in the browser ${wanted[0]}`);
    }
    const names = [...reads[0].place.keys()];
    for (const a of names) {
      for (const b of names) {
        const isSo = reads.every((read) => read.place.get(a) < read.place.get(b) && this.isDetermined(a, b, read));
        if (isTimed && this.dependsOnSpeed(a, b)) continue;
        if (isSo && own.place.get(a) >= own.place.get(b)) faults.push(`${b} before ${a}`);
      }
    }
    return faults;
  }
}

// `ORDER seed: a b c` lines, by seed: { seed: [word, [entries]] }
function readLines(text) {
  const found = new Map();
  for (const [, word, seed, rest] of text.matchAll(/^(ORDER|UNFINISHED) (\d+): ?(.*)$/gm)) {
    found.set(Number(seed), { isWhole: word === 'ORDER', order: rest.split(' ').filter(Boolean), line: rest });
  }
  return found;
}

module.exports = { Page, readLines };
