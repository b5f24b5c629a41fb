// Timers of equal delay run in the order of start.
// outcome: a b c
for (const name of 'abc') setTimeout(() => console.log(name), 5);
