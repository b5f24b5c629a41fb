// S67, S68, S69, S70: from the main module either order is legal: it depends on whether a millisecond has passed.
setTimeout(() => console.log('timeout'), 0);
setImmediate(() => console.log('immediate'));
