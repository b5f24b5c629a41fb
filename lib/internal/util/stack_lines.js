// natives: none
// Finds what two stack traces share, so that a report can print it once. Used for error
// causes (internal/util/inspect) and unhandled 'error' events (node/events).
'use strict';

// The first place in `a` where more than three consecutive lines also occur in `b`.
function commonRun(a, b) {
  for (let i = 0; i < a.length - 3; i++) {
    const at = b.indexOf(a[i]);
    if (at === -1) continue;
    const rest = b.length - at;
    if (rest <= 3) continue;
    let length = 1;
    const longest = Math.min(a.length - i, rest);
    while (length < longest && a[i + length] === b[at + length]) length++;
    if (length > 3) return { length, offset: i };
  }
  return { length: 0, offset: 0 };
}

module.exports = { commonRun };
