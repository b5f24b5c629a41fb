// S185, S186, S187, S203, S217: promises and queueMicrotask share one queue, first in, first out, empty before the next task.
setTimeout(() => console.log('task', rondo.task.source));
Promise.resolve().then(() => {
  console.log('promise 1');
  queueMicrotask(() => console.log('microtask of a microtask'));
}).then(() => console.log('promise 2'));
queueMicrotask(() => console.log('microtask 1', rondo.task.source));
(async () => {
  await null;
  console.log('await');
})();
console.log('Object.observe', typeof Object.observe);
console.log('script end');
