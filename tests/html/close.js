// S190: when the last browsing context is gone the loop goes too, and what waits is dropped.
setTimeout(() => console.log('never'), 1);
setTimeout(() => {
  console.log('closing');
  close();
  queueMicrotask(() => console.log('never either'));
});
setInterval(() => console.log('never'), 5);
