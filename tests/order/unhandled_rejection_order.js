// S218: rejections are reported after ticks and microtasks; a handler attached by a later microtask is in time.
process.on('unhandledRejection', (reason) => console.log('unhandled', reason));
process.on('rejectionHandled', () => console.log('handled late'));
const late = Promise.reject('late');
const intime = Promise.reject('in time');
process.nextTick(() => console.log('tick'));
queueMicrotask(() => {
  console.log('micro');
  queueMicrotask(() => intime.catch(() => console.log('caught in time')));
});
setImmediate(() => late.catch(() => console.log('caught late')));
