// S80, S67: if the timer has not expired when the loop starts, check comes first and the timer an iteration later.
setTimeout(() => console.log('timeout'), 50);
setImmediate(() => {
  console.log('immediate');
  setImmediate(() => console.log('immediate of the next iteration'));
});
