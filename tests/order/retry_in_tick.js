// S96: a tick lets a program handle an error, clean up and retry before the loop continues.
let attempts = 0;

function request(callback) {
  attempts++;
  process.nextTick(callback, attempts < 3 ? new Error(`attempt ${attempts} failed`) : null, 'answer');
}

setTimeout(() => console.log('loop goes on'), 0);
request(function done(error, answer) {
  if (!error) return console.log(answer, 'after', attempts, 'attempts');
  console.log(error.message);
  request(done);
});
console.log('script end');
