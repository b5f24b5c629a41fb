// S122 S185 S186: queueMicrotask and promise reactions interleave in the order of queueing, also from inside microtasks.
const log = [];
const say = (text) => () => log.push(text);
queueMicrotask(say('a1'));
queueMicrotask(say('a2'));
Promise.resolve().then(say('p1')).then(say('p3'));
queueMicrotask(say('a3'));
queueMicrotask(() => {
  log.push('a4');
  queueMicrotask(say('b1'));
  Promise.resolve().then(say('p4'));
  queueMicrotask(say('b2'));
  queueMicrotask(say('b3'));
});
Promise.resolve().then(say('p2'));
queueMicrotask(say('a5'));
let left = 1e5;
queueMicrotask(function again() {
  if (--left > 0) queueMicrotask(again);
  else log.push('end of the chain');
});
process.nextTick(say('tick'));
setTimeout(() => console.log(log.join('\n')), 1);
