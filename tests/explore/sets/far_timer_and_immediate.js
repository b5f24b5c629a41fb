// No callback takes 50 milliseconds: the immediates come first.
// outcome: immediate second timeout
setTimeout(() => console.log('timeout'), 50);
setImmediate(() => {
  console.log('immediate');
  setImmediate(() => console.log('second'));
});
