// S115, S116: microtasks run before the first timers phase.
setTimeout(() => { console.log('1'); }, 0);
Promise.resolve().then(() => console.log('2'));
