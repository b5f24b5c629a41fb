// Errors: the same for immediates, ticks and microtasks that throw inside them.
process.on('uncaughtException', (error) => console.log('caught', error.message));
setImmediate(() => { throw new Error('first immediate'); });
setImmediate(() => {
  console.log('second immediate');
  process.nextTick(() => { throw new Error('its tick'); });
});
setImmediate(() => {
  console.log('third immediate');
  queueMicrotask(() => { throw new Error('its microtask'); });
  queueMicrotask(() => console.log('its other microtask'));
});
setImmediate(() => console.log('fourth immediate'));
