// exit: 2
// process.exit ends at once: exit handlers run, nothing that is queued does.
process.on('exit', (code) => console.log('exit', code));
process.nextTick(() => console.log('never'));
Promise.resolve().then(() => console.log('never'));
setImmediate(() => console.log('never'));
console.log('leaving');
process.exit(2);
console.log('never');
