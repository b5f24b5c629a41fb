// scheduler.yield() goes on with its task's priority across promises and microtasks, in idle callbacks as a background task, and timers know nothing of it.
const order = [];
const log = (name) => order.push(name);
scheduler.postTask(async () => {
  log('task');
  await null;
  queueMicrotask(async () => { await scheduler.yield(); log('yielded in a microtask'); });
  scheduler.postTask(() => log('another of its priority'), { priority: 'user-blocking' });
  scheduler.postTask(() => log('visible'));
  await scheduler.yield();
  log('yielded');
}, { priority: 'user-blocking' });

const signalled = new TaskController({ priority: 'background' });
const any = TaskSignal.any([], { priority: signalled.signal });
for (const [name, signal] of Object.entries({ any, own: signalled.signal })) signal.onprioritychange = ({ type, previousPriority }) => log(`${name} ${type} ${previousPriority}`);
signalled.setPriority('user-visible');

const aborted = new TaskController();
scheduler.postTask(async () => { aborted.abort(); await scheduler.yield().catch((error) => log(`yield: ${error.name}`)); }, { signal: aborted.signal })
  .catch((error) => log(`task: ${error.name}`));
setTimeout(() => console.log(order.join('\n')), 100);
