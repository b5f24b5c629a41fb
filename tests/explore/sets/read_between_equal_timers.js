// Timers of equal delay that are started a millisecond apart are due in two iterations: a read may end between them. Node shows all three.
// outcome: read a b
// outcome: a read b
// outcome: a b read
require('fs').readFile(__filename, () => console.log('read'));
setTimeout(() => console.log('a'), 2);
setTimeout(() => console.log('b'), 2);
