// exit: 1
// What a task throws is an error event of the window; the page goes on, and the run ends with 1 unless a listener prevented it.
addEventListener('error', (event) => {
  console.log(event.message, event.error?.message ?? event.error, event.lineno);
  if (event.error === 'prevented') event.preventDefault();
});
setTimeout(() => { throw new Error('first'); }, 1);
setTimeout(() => { throw 'prevented'; }, 2);
setTimeout(() => console.log('still here'), 3);
queueMicrotask(() => { throw new RangeError('in a microtask'); });
console.log('script end');
