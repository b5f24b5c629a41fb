// natives: none
// scheduler.postTask and scheduler.yield (https://wicg.github.io/scheduling-apis/): tasks with a priority, in one queue for each.
// Each task of the scheduler's source runs the first of the highest priority that waits then.
'use strict';

const { loop, sources, queueTask, callScript, enterScript, define, defineAll, noteFunction, setAsOther } = require('html/agents/agent');

const kPriorities = ['user-blocking', 'user-visible', 'background'];

// The task that scheduler.yield() goes on with: it follows a task's promises and microtasks, and no other tasks.
let state;
function withState(task, run) {
  if (state === undefined) {
    state = new (require('internal/async_hooks/async_hooks').AsyncLocalStorage)();
    setAsOther(asOther);
  }
  return state.run(task, run);
}
const kIdleTask = { priority: 'background' };
const asIdle = (run) => withState(kIdleTask, run);
const asOther = (run) => (state === undefined ? run() : withState(undefined, run));

const checked = (priority) => {
  if (!kPriorities.includes(priority))
    throw new TypeError(`The provided value '${priority}' is not a valid enum value of type TaskPriority.`);
  return priority;
};

// The signals' own: their priorities, tasks that follow them, and signals whose priority is theirs.
const priorities = new WeakMap(); // TaskSignal → its priority
const moving = new WeakMap(); // TaskSignal → tasks that follow it
const dependents = new WeakMap(); // TaskSignal → signals whose priority is its own, in the order in which they were made
const followed = new WeakMap(); // such a signal → whose

// The scheduler task queues of a window (https://wicg.github.io/scheduling-apis/#scheduler-task-queue).
class TaskQueues {
  #window;
  #document;
  #queues = kPriorities.map(() => ({ continuations: [], tasks: [] }));
  #lastNumber = 0;

  constructor(window, document) {
    this.#window = window;
    this.#document = document;
  }

  #listOf(task) {
    const queue = this.#queues[kPriorities.indexOf(task.priority)];
    return task.isContinuation ? queue.continuations : queue.tasks;
  }

  enqueue(task) {
    task.isQueued = true;
    const list = this.#listOf(task);
    const place = list.findIndex((other) => other.number > task.number);
    list.splice(place < 0 ? list.length : place, 0, task);
    queueTask(sources.scheduler, () => this.#runNext(), this.#document);
  }

  dequeue(task) {
    if (!task.isQueued) return;
    task.isQueued = false;
    const list = this.#listOf(task);
    list.splice(list.indexOf(task), 1);
  }

  #runNext() {
    for (const queue of each(this.#queues)) {
      const task = queue.continuations[0] ?? queue.tasks[0];
      if (task === undefined) continue;
      this.dequeue(task);
      withState(task, task.run);
      return;
    }
  }

  schedule({ priority, signal, follows, delay, isContinuation, run }) {
    return new this.#window.Promise((resolve, reject) => {
      const task = { number: ++this.#lastNumber, priority, signal, follows, isContinuation, isQueued: false };
      let timer;
      const onAbort = () => {
        this.dequeue(task);
        if (timer !== undefined) loop.clearTimer(timer);
        reject(signal.reason);
      };
      task.run = () => {
        run(resolve, reject);
        signal?.removeEventListener('abort', onAbort);
      };
      signal?.addEventListener('abort', onAbort);
      if (follows !== undefined) moving.get(follows).add(task);
      const start = () => {
        if (follows !== undefined) task.priority = priorities.get(follows);
        this.enqueue(task);
      };
      if (delay > 0) timer = loop.setTimer(delay, false, start, this.#document);
      else start();
    });
  }
}

// The callback's microtasks run before anybody learns of its result.
function settle(callback, resolve, reject) {
  let result;
  try {
    noteFunction(callback);
    result = enterScript(() => callback());
  } catch (error) {
    return reject(error);
  }
  return resolve(result);
}

function makeScheduler(window, queues) {
  // A window that is gone has no document that is fully active.
  const gone = () => window.Promise.reject(new window.DOMException('The document is not fully active.', 'NotSupportedError'));

  const scheduler = {
    postTask(callback, options = {}) {
      if (window.closed) return gone();
      if (typeof callback !== 'function')
        return window.Promise.reject(
          new window.TypeError("Failed to execute 'postTask' on 'Scheduler': parameter 1 is not of type 'Function'."),
        );
      const { signal, priority, delay = 0 } = options ?? {};
      try {
        if (priority !== undefined) checked(priority);
      } catch (error) {
        return window.Promise.reject(error);
      }
      if (signal?.aborted) return window.Promise.reject(signal.reason);
      const follows = priority === undefined && signal !== undefined && priorities.has(signal) ? signal : undefined;
      return queues.schedule({
        priority: priority ?? (follows === undefined ? 'user-visible' : priorities.get(follows)),
        signal,
        follows,
        delay: Math.max(0, Math.trunc(+delay) || 0),
        isContinuation: false,
        run: (resolve, reject) => settle(callback, resolve, reject),
      });
    },
    yield() {
      if (window.closed) return gone();
      const running = state?.getStore();
      const signal = running?.signal;
      if (signal?.aborted) return window.Promise.reject(signal.reason);
      return queues.schedule({
        priority: running?.priority ?? 'user-visible',
        signal,
        follows: running?.follows,
        delay: 0,
        isContinuation: true,
        run: (resolve) => callScript(resolve, undefined, []),
      });
    },
  };
  define(scheduler, Symbol.toStringTag, 'Scheduler', false);
  return scheduler;
}

function signalClass(window) {
  class TaskSignal extends window.AbortSignal {
    constructor() {
      throw new window.TypeError('Illegal constructor');
    }
    get priority() {
      return priorities.get(this);
    }
    static any(signals, { priority = 'user-visible' } = {}) {
      const made = window.AbortSignal.any(signals);
      adopt(TaskSignal, made, typeof priority === 'string' ? checked(priority) : priorities.get(priority));
      if (typeof priority !== 'string') {
        const source = followed.get(priority) ?? priority;
        followed.set(made, source);
        dependents.get(source).push(made);
      }
      return made;
    }
  }
  require('html/window/handler_attribute').attribute(TaskSignal.prototype, 'prioritychange');
  return TaskSignal;
}

// Makes a TaskSignal of an AbortSignal.
function adopt(TaskSignal, signal, priority) {
  Object.setPrototypeOf(signal, TaskSignal.prototype);
  priorities.set(signal, priority);
  moving.set(signal, new Set());
  dependents.set(signal, []);
}

function setPriority(queues, signal, priority, tell) {
  const previousPriority = priorities.get(signal);
  if (previousPriority === priority) return;
  priorities.set(signal, priority);
  for (const task of each(moving.get(signal))) {
    if (!task.isQueued) continue;
    queues.dequeue(task);
    task.priority = priority;
    queues.enqueue(task);
  }
  tell(signal, previousPriority);
  for (const dependent of each(dependents.get(signal))) setPriority(queues, dependent, priority, tell);
}

function install(window, document) {
  const { eventClass, fire } = require('html/window/events');
  const queues = new TaskQueues(window, document);
  const TaskSignal = signalClass(window);
  const TaskPriorityChangeEvent = eventClass(window, 'TaskPriorityChangeEvent', { previousPriority: 'user-visible' });
  const tell = (signal, previousPriority) => fire(window, signal, new TaskPriorityChangeEvent('prioritychange', { previousPriority }));
  const changing = new WeakSet();

  class TaskController extends window.AbortController {
    constructor({ priority = 'user-visible' } = {}) {
      super();
      adopt(TaskSignal, this.signal, checked(priority));
    }
    setPriority(priority) {
      checked(priority);
      if (changing.has(this))
        throw new window.DOMException('Cannot change priority when a prioritychange event is in progress.', 'NotAllowedError');
      changing.add(this);
      try {
        setPriority(queues, this.signal, priority, tell);
      } finally {
        changing.delete(this);
      }
    }
  }
  defineAll(window, { scheduler: makeScheduler(window, queues), TaskController, TaskSignal, TaskPriorityChangeEvent });
}

module.exports = { install, asIdle, asOther };
