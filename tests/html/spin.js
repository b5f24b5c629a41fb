// S184: a microtask that spins the event loop goes on as a task of the microtask source; no other microtask runs meanwhile.
let done = false;
setTimeout(() => {
  console.log('task while it spins');
  queueMicrotask(() => console.log('microtask of that task'));
  done = true;
}, 5);
queueMicrotask(() => {
  console.log('spins', rondo.spin(() => done), performance.now());
});
queueMicrotask(() => console.log('second microtask'));
