// expect tick-recursion ping|pong
let n = 0; const end = Date.now() + 900;
function ping() { n++; if (Date.now() < end) process.nextTick(pong); }
function pong() { n++; process.nextTick(ping); }
setImmediate(ping);
