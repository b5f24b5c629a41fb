// S49, S56, S152: an immediate, then one timer far away.
setImmediate(function first() {});
setTimeout(function far() {}, 200);
