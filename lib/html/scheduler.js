// natives: none
// scheduler.postTask and scheduler.yield (https://wicg.github.io/scheduling-apis/): tasks with a priority, in one queue for each. Each task
// of the scheduler's source runs the first of the highest priority that waits then.
'use strict';

const { loop, sources, queueTask, callScript, enterScript, define, defineAll } = require('html/agent');

const kPriorities = ['user-blocking', 'user-visible', 'background'];

// The task that scheduler.yield() goes on with: it follows a task's promises and microtasks, and no other tasks.
let state;
function withState(task, run) {
  if (state === undefined) state = new (require('internal/async_hooks/async_hooks').AsyncLocalStorage)();
  return state.run(task, run);
}
const kIdleTask = { priority: 'background' };
const asIdle = (run) => withState(kIdleTask, run);
const asOther = (run) => (state === undefined ? run() : withState(undefined, run));

function install(window, document) {
  const queues = kPriorities.map(() => ({ continuations: [], tasks: [] }));
  const priorities = new WeakMap(); // TaskSignal → its priority
  const moving = new WeakMap(); // TaskSignal → tasks that follow it
  const dependents = new WeakMap(); // TaskSignal → signals whose priority is its own, in the order in which they were made
  const followed = new WeakMap(); // such a signal → whose

  const checked = (priority) => {
    if (!kPriorities.includes(priority))
      throw new TypeError(`The provided value '${priority}' is not a valid enum value of type TaskPriority.`);
    return priority;
  };
  const queueOf = (task) => queues[kPriorities.indexOf(task.priority)];
  const listOf = (task) => (task.isContinuation ? queueOf(task).continuations : queueOf(task).tasks);

  function enqueue(task) {
    task.isQueued = true;
    const list = listOf(task);
    const place = list.findIndex((other) => other.number > task.number);
    list.splice(place < 0 ? list.length : place, 0, task);
    queueTask(sources.scheduler, runNext, document);
  }

  function dequeue(task) {
    if (!task.isQueued) return;
    task.isQueued = false;
    const list = listOf(task);
    list.splice(list.indexOf(task), 1);
  }

  function runNext() {
    for (const queue of each(queues)) {
      const task = queue.continuations[0] ?? queue.tasks[0];
      if (task === undefined) continue;
      dequeue(task);
      withState(task, task.run);
      return;
    }
  }

  let lastNumber = 0;
  function schedule({ priority, signal, follows, delay, isContinuation, run }) {
    return new window.Promise((resolve, reject) => {
      const task = { number: ++lastNumber, priority, signal, follows, isContinuation, isQueued: false };
      let timer;
      const onAbort = () => {
        dequeue(task);
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
        enqueue(task);
      };
      if (delay > 0) timer = loop.setTimer(delay, false, start, document);
      else start();
    });
  }

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
      return schedule({
        priority: priority ?? (follows === undefined ? 'user-visible' : priorities.get(follows)),
        signal,
        follows,
        delay: Math.max(0, Math.trunc(+delay) || 0),
        isContinuation: false,
        // The callback's microtasks run before anybody learns of its result.
        run(resolve, reject) {
          let result;
          try {
            result = enterScript(() => callback());
          } catch (error) {
            return reject(error);
          }
          return resolve(result);
        },
      });
    },
    yield() {
      if (window.closed) return gone();
      const running = state?.getStore();
      const signal = running?.signal;
      if (signal?.aborted) return window.Promise.reject(signal.reason);
      return schedule({
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

  class TaskSignal extends window.AbortSignal {
    constructor() {
      throw new window.TypeError('Illegal constructor');
    }
    get priority() {
      return priorities.get(this);
    }
    static any(signals, { priority = 'user-visible' } = {}) {
      const made = window.AbortSignal.any(signals);
      adopt(made, typeof priority === 'string' ? checked(priority) : priorities.get(priority));
      if (typeof priority !== 'string') {
        const source = followed.get(priority) ?? priority;
        followed.set(made, source);
        dependents.get(source).push(made);
      }
      return made;
    }
  }

  function adopt(signal, priority) {
    Object.setPrototypeOf(signal, TaskSignal.prototype);
    priorities.set(signal, priority);
    moving.set(signal, new Set());
    dependents.set(signal, []);
  }

  const { eventClass, fire } = require('html/events');
  const TaskPriorityChangeEvent = eventClass(window, 'TaskPriorityChangeEvent', { previousPriority: 'user-visible' });

  function setPriority(signal, priority) {
    const previousPriority = priorities.get(signal);
    if (previousPriority === priority) return;
    priorities.set(signal, priority);
    for (const task of each(moving.get(signal))) {
      if (!task.isQueued) continue;
      dequeue(task);
      task.priority = priority;
      enqueue(task);
    }
    fire(window, signal, new TaskPriorityChangeEvent('prioritychange', { previousPriority }));
    for (const dependent of each(dependents.get(signal))) setPriority(dependent, priority);
  }
  require('html/messaging').attribute(TaskSignal.prototype, 'prioritychange');

  const changing = new WeakSet();
  class TaskController extends window.AbortController {
    constructor({ priority = 'user-visible' } = {}) {
      super();
      adopt(this.signal, checked(priority));
    }
    setPriority(priority) {
      checked(priority);
      if (changing.has(this))
        throw new window.DOMException('Cannot change priority when a prioritychange event is in progress.', 'NotAllowedError');
      changing.add(this);
      try {
        setPriority(this.signal, priority);
      } finally {
        changing.delete(this);
      }
    }
  }
  defineAll(window, { scheduler, TaskController, TaskSignal, TaskPriorityChangeEvent });
}

module.exports = { install, asIdle, asOther };
