// S107: the loop ends when nothing is left: a timer, then beforeExit, then exit. An unref'd timer does not keep it.
setTimeout(() => console.log('t'), 5);
setTimeout(() => console.log('never'), 60_000).unref();
process.on('beforeExit', () => console.log('beforeExit'));
process.on('exit', (code) => console.log('exit', code));
