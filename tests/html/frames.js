// S209: callbacks of one frame share a timestamp, microtasks run after each, and what they request waits for the next frame.
requestAnimationFrame((time) => {
  console.log('first', time);
  rondo.advance(3);
  queueMicrotask(() => console.log('microtask of first'));
  requestAnimationFrame((later) => console.log('next frame', later));
});
requestAnimationFrame((time) => console.log('second', time, performance.now()));
cancelAnimationFrame(requestAnimationFrame(() => console.log('never')));
setTimeout(() => console.log('timer', performance.now()), 10);
