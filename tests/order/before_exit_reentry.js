// S107: beforeExit may give the loop work again; it is asked again when that is done. exit is last and final.
let rounds = 0;
process.on('beforeExit', (code) => {
  console.log('beforeExit', code);
  if (rounds++ < 2) setTimeout(() => console.log('more work', rounds), 1);
});
process.on('exit', (code) => {
  console.log('exit', code);
  setTimeout(() => console.log('never'), 0);
  process.nextTick(() => console.log('never'));
});
