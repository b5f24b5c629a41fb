// The clock may cross a millisecond between two calls: the second's deadline is no earlier then. Node shows both.
// outcome: one two
// outcome: two one
setTimeout(() => console.log('two'), 2);
setTimeout(() => console.log('one'), 1);
