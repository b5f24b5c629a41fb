// flags: --loop=html --virtual-time
// S172, S183, S200, S201, S204, S206, S213: the report of a page's loop: tasks by source, microtasks, renderings, idle periods, blocking.
setTimeout(() => {
  Promise.resolve().then(function reaction() {});
}, 1);
postMessage('m', '*');
onmessage = () => {};
requestAnimationFrame(function frame() {});
requestIdleCallback(function idle() {});
let done = false;
setTimeout(() => { done = true; }, 60);
setTimeout(() => rondo.spin(() => done), 50);
