// scheduler.postTask: the highest priority first, order kept within one; continuations of yield before new tasks.
const say = (word) => () => console.log(word);
scheduler.postTask(say('background'), { priority: 'background' });
scheduler.postTask(say('visible 1'));
scheduler.postTask(say('blocking'), { priority: 'user-blocking' });
scheduler.postTask(say('visible 2')).then(say('reaction of visible 2'));
const controller = new TaskController({ priority: 'background' });
scheduler.postTask(say('raised'), { signal: controller.signal });
controller.signal.addEventListener('prioritychange', (event) => console.log('was', event.previousPriority, 'is', controller.signal.priority));
controller.setPriority('user-blocking');
scheduler.postTask(say('delayed'), { delay: 10 }).then(() => console.log(performance.now()));
const aborted = new AbortController();
scheduler.postTask(say('never'), { signal: aborted.signal }).catch((error) => console.log(error.name));
aborted.abort();
scheduler.postTask(async () => {
  console.log('part 1');
  const rest = scheduler.yield();
  scheduler.postTask(say('queued by part 1'));
  await rest;
  console.log('part 2');
});
