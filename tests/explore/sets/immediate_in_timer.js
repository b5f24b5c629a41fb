// An immediate of a timer against the next timer, a millisecond later: the loop may have come late to the first.
// outcome: first immediate second
// outcome: first second immediate
process.stdout.write('');
setTimeout(() => {
  setTimeout(() => {
    process.stdout.write('first ');
    setImmediate(() => process.stdout.write('immediate '));
  }, 5);
  setTimeout(() => process.stdout.write('second '), 6);
}, 10);
