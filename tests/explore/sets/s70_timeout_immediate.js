// S70: one millisecond may have passed when the loop looks at its timers first, or not.
// outcome: timeout immediate
// outcome: immediate timeout
setTimeout(() => console.log('timeout'), 0);
setImmediate(() => console.log('immediate'));
