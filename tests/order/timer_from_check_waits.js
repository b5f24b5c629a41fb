// S75, S84: from an immediate, a timer that is due and a new immediate: timers come round before the next check.
setImmediate(() => {
  setImmediate(() => console.log('second immediate'));
  setTimeout(() => console.log('timeout'), 1);
  const end = Date.now() + 5;
  while (Date.now() < end);
  console.log('first immediate');
});
