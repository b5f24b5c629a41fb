// S90, S91: a callback that is called synchronously runs before the script has set `bar`.
let bar;

function someAsyncApiCall(callback) { callback(); }

someAsyncApiCall(() => {
  console.log('bar', bar);
});

bar = 1;
