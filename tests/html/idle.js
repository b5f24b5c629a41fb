// S212: an idle period begins when no task, microtask or rendering is left; its deadline is 50 ms off at most, less before a timer.
requestIdleCallback((idle) => {
  console.log('idle 1', idle.timeRemaining(), idle.didTimeout, performance.now());
  requestIdleCallback((next) => console.log('idle 2', next.timeRemaining(), performance.now()));
});
queueMicrotask(() => console.log('microtask'));
postMessage('task', '*');
onmessage = (event) => console.log(event.data);
setTimeout(() => console.log('timer', performance.now()), 20);
setTimeout(() => {
  // Tasks without end: only the timeout lets an idle callback in between.
  requestIdleCallback((idle) => console.log('timed out', idle.didTimeout, idle.timeRemaining(), performance.now() < 240), { timeout: 30 });
  let left = 100;
  (function busy() {
    rondo.advance(1);
    if (--left > 0) scheduler.postTask(busy);
    else console.log('busy no more');
  })();
}, 200);
