// Errors: ticks and microtasks behind a throwing tick still run.
process.on('uncaughtException', (error) => console.log('caught', error.message));
process.nextTick(() => { throw new Error('first tick'); });
process.nextTick(() => console.log('second tick'));
Promise.resolve().then(() => console.log('microtask'));
process.nextTick(() => { throw new Error('third tick'); });
process.nextTick(() => console.log('fourth tick'));
