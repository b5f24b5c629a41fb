// Delays of 10 and 30: the order of start does not matter.
// outcome: ten thirty
setTimeout(() => console.log('thirty'), 30);
setTimeout(() => console.log('ten'), 10);
