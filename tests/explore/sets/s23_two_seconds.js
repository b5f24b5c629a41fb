// S23: a program that waits for the clock without leaving its callback sees the clock go on.
// outcome: Good, looped for 2 seconds Ran after 2 seconds
const seconds = new Date().getTime() / 1000;
setTimeout(() => console.log('Ran after 2 seconds'), 500);
while (true) {
  if (new Date().getTime() / 1000 - seconds >= 2) {
    console.log('Good, looped for 2 seconds');
    break;
  }
}
