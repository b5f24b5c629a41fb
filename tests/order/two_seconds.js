// S23: a loop of two seconds on the wall clock's seconds field, and a half-second timer that has to wait for it.
// The field wraps at 60, so the program waits for a second early enough in the minute.
while (new Date().getSeconds() > 57);
const s = new Date().getSeconds();

setTimeout(function () {
  console.log('Ran after ' + (new Date().getSeconds() - s) + ' seconds');
}, 500);

while (true) {
  if (new Date().getSeconds() - s >= 2) {
    console.log('Good, looped for 2 seconds');
    break;
  }
}
