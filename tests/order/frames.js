// S2, S91: a plain call chain; nothing here is asynchronous, so the value is there as soon as the call returns.
function foo(b) {
  const a = 10;
  return a + b + 11;
}

function bar(x) {
  const y = 3;
  return foo(x * y);
}

const baz = bar(7);
console.log(baz);
