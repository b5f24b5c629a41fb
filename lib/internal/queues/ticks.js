// natives: runtime, ledger
// The nextTick queue and the drain between tasks: ticks until none is left, then microtasks, again until both are empty, then
// rejections. C++ (Turn) calls processTicksAndRejections after a task when the shared flags say there is something to do; the timers and
// immediates phases call runNextTicks between two callbacks.
'use strict';

const { kHasRejections, kHasQueuedWork, setCallback, sharedState } = native('runtime');
const { runMicrotasks } = require('internal/queues/microtasks');
const asyncContext = require('internal/async_hooks/context');
const ledger = native('ledger');
let traced = null; // while the program is traced
function setTraced(isOn) {
  traced = isOn ? require('internal/queues/traced').traced : null;
}
arrayPush.call(ledger.switches, setTraced);

// Two slots a tick: the callback, and its arguments (undefined, or an array). `head` is the next slot to run, `tail` the next to fill;
// an empty queue starts again at its first slot. While the program is traced the callback is wrapped (internal/queues/traced).
let queue = [];
let head = 0;
let tail = 0;
let ran = 0; // for observers

const kCompactAt = 2048;
const kKeep = 65536;

let isExiting = () => false;
function setExitCheck(check) {
  isExiting = check;
}

function nextTick(callback) {
  if (typeof callback !== 'function') {
    require('internal/util/validators').validateFunction(callback, 'callback');
  }
  if (isExiting()) return;
  let args;
  const count = arguments.length;
  if (count === 3) {
    args = [arguments[1], arguments[2]]; // the commonest of the library: an array that knows what it holds from the start
  } else if (count > 1) {
    args = new Array(count - 1);
    for (let i = 1; i < count; i++) args[i - 1] = arguments[i];
  }
  enqueue(callback, args);
}

// For library code: no validation, any array of arguments.
function enqueue(callback, args) {
  const given = callback;
  if (asyncContext.active) callback = asyncContext.bind(callback, 'TickObject');
  if (traced !== null) callback = traced(ledger.kTick, callback, given);
  if (head === tail) {
    sharedState[kHasQueuedWork] = 1;
    head = tail = 0;
  } else if (tail >= kCompactAt && head * 2 > tail) {
    moveToFront();
  }
  queue[tail] = callback;
  queue[tail + 1] = args;
  tail += 2;
}

function moveToFront() {
  queue = arraySlice.call(queue, head, tail);
  head = 0;
  tail = queue.length;
}

let processRejections = () => false;
function setRejectionProcessor(processor) {
  processRejections = processor;
}

// Called once, when the task that runs now and all that it led to have run.
let atRest = null;
function whenAtRest(callback) {
  atRest = callback;
  enqueue(() => {});
}

// A debugger's message may interrupt any call of a function, and queue something: between the look at a queue and the lowering of its flag
// there is none. Stacks show the function by Node's name, which packages look for when they shorten stacks.
function processTicksAndRejections() {
  if (asyncContext.onTaskEnd !== null) endMainScope();
  do {
    while (head !== tail) {
      const callback = queue[head];
      const args = queue[head + 1];
      queue[head] = queue[head + 1] = undefined;
      head += 2;
      ran++;
      if (args === undefined) callback();
      else if (args.length === 1) callback(args[0]);
      else if (args.length === 2) callback(args[0], args[1]);
      else callback(...each(args));
    }
    if (queue.length > kKeep) moveToFront();
    runMicrotasks();
    if (head === tail) sharedState[kHasQueuedWork] = 0;
  } while (head !== tail || processRejections() || sharedState[kHasQueuedWork] !== 0);
  sharedState[kHasRejections] = 0;
  if (atRest !== null) atRest();
}

// Between two callbacks of one phase.
function runNextTicks() {
  if (sharedState[kHasQueuedWork] !== 0 || sharedState[kHasRejections] !== 0) processTicksAndRejections();
}

// Async hooks are told that the main script is over.
function endMainScope() {
  const tell = asyncContext.onTaskEnd;
  asyncContext.onTaskEnd = null;
  tell();
}

function noteRejection() {
  sharedState[kHasRejections] = 1;
}

if (ledger.enabled) setTraced(true);
Object.defineProperty(processTicksAndRejections, 'name', { __proto__: null, value: 'process.processTicksAndRejections' });
setCallback('RunTicks', processTicksAndRejections);

const ticksRun = () => ran;

module.exports = {
  ticksRun,
  nextTick,
  enqueue,
  processTicksAndRejections,
  runNextTicks,
  noteRejection,
  setRejectionProcessor,
  setExitCheck,
  whenAtRest,
};
