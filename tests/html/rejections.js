// S218: unhandledrejection comes after all microtasks, as a task; a handler attached in a later microtask of the checkpoint counts.
addEventListener('unhandledrejection', (event) => {
  console.log(event.type, event.reason, event.promise instanceof Promise, rondo.task.source);
  event.preventDefault();
  if (event.reason === 'late') setTimeout(() => event.promise.catch(() => console.log('caught at last')), 1);
});
addEventListener('rejectionhandled', (event) => console.log(event.type, event.reason));
Promise.reject('nobody cares');
const saved = Promise.reject('saved');
queueMicrotask(() => queueMicrotask(() => saved.catch(() => console.log('saved in a later microtask'))));
Promise.reject('late');
queueMicrotask(() => console.log('microtask'));
setTimeout(() => console.log('task'));
