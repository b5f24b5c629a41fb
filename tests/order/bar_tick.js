// S92, S93: the same with a tick: the script runs to its end first, so the callback sees `bar`.
let bar;

function someAsyncApiCall(callback) {
  process.nextTick(callback);
}

someAsyncApiCall(() => {
  console.log('bar', bar);
});

bar = 1;
