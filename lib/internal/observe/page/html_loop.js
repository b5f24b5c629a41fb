// natives: none
// The HTML Standard's loop as the model sees it: which part of a turn runs, and which queue a task is in. Records of a page have turns and
// tasks with the kind of their source (docs/trace-format.md); Node's phases are those of its reactor alone.
'use strict';

// In the order of a turn: a task, microtasks, the steps of "update the rendering", the idle period; beside it what runs in parallel.
const kParts = [
  'task',
  'microtasks',
  'resize',
  'scroll',
  'media queries',
  'animations',
  'animation frames',
  'resize observers',
  'intersection observers',
  'paint',
  'idle period',
  'in parallel',
];
const kRendering = 'rendering';
const kLibrary = new Set(['io', 'tick', 'immediate']);

const kQueueOf = {
  script: 'dom',
  dom: 'dom',
  interaction: 'interaction',
  networking: 'networking',
  history: 'history',
  timer: 'timers',
  message: 'message',
  scheduler: 'scheduler',
  database: 'database',
  event: 'dom',
  microtask: 'microtasks',
  rendering: 'rendering',
  idle: 'idle',
  io: 'parallel',
  tick: 'parallel',
  immediate: 'parallel',
};
const kQueues = [
  'dom',
  'interaction',
  'networking',
  'history',
  'timers',
  'message',
  'scheduler',
  'database',
  'microtasks',
  'rendering',
  'idle',
  'parallel',
];
const kAlwaysShown = ['dom', 'timers', 'microtasks', 'rendering'];

// "animation frame → frame (…)" is in animation frames, "resize steps" in resize.
function stepOf(name) {
  if (name.startsWith('animation frame')) return 'animation frames';
  return kParts.find((part) => name.startsWith(part)) ?? kRendering;
}

// Of the tasks on the stack, outermost first.
function partOf(stack) {
  const tasks = stack.filter((task) => task !== undefined && task.kind !== 'call');
  const top = tasks[tasks.length - 1];
  if (top === undefined) return 'in parallel';
  if (top.kind === 'microtask') return 'microtasks';
  const rendering = tasks.findLast((task) => task.kind === 'rendering');
  if (rendering !== undefined) return stepOf(rendering.name);
  if (tasks.some((task) => task.kind === 'idle')) return 'idle period';
  return kLibrary.has(tasks[0].kind) ? 'in parallel' : 'task';
}

// Queues that a run has used, and those that every page has.
function usedQueues(kindCounts) {
  const used = new Set(kAlwaysShown);
  for (const kind of Object.keys(kindCounts)) if (kQueueOf[kind] !== undefined) used.add(kQueueOf[kind]);
  return kQueues.filter((name) => used.has(name));
}

// Why a task ran when it did.
const kRules = {
  script: 'is a script of the page',
  microtask: 'ran at a microtask checkpoint: all microtasks run before the next task',
  timer: 'ran as a task of the timer task source, when it was due',
  rendering: 'ran when the page was rendered',
  idle: 'ran in an idle period, when the page had nothing else to do',
  call: 'was called',
  dom: 'ran when the loop chose the DOM manipulation task source',
  interaction: 'ran when the loop chose the user interaction task source',
  networking: 'ran when the loop chose the networking task source',
  history: 'ran when the loop chose the history traversal task source',
  message: 'ran when the loop chose the posted message task source',
  scheduler: 'ran when the loop chose the queue of scheduler.postTask',
  database: 'ran when the loop chose the database access task source',
  event: 'is an event of the page',
  io: 'ran in parallel to the page, when its event had come',
  tick: 'ran in parallel to the page, in its library',
  immediate: 'ran in parallel to the page, in its library',
};

module.exports = { kParts, kQueueOf, kQueues, kRules, partOf, usedQueues };
