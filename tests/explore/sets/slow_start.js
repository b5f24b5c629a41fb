// The start of a program runs cold code: two milliseconds may pass before the second timer is started. Node on a busy machine shows both.
// outcome: one three
// outcome: three one
setTimeout(() => console.log('three'), 3);
setTimeout(() => console.log('one'), 1);
