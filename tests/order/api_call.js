// S86: an API that reports a wrong argument by a tick: the caller's remaining code runs first, then gets the error.
function apiCall(arg, callback) {
  if (typeof arg !== 'string') {
    return process.nextTick(callback, new TypeError('argument should be string'));
  }
  process.nextTick(callback, null, arg);
}

apiCall(7, (error) => console.log(error.name, error.message));
console.log('after apiCall');
