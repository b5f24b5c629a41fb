// expect microtask-recursion again
const end = Date.now() + 900;
function again() { if (Date.now() < end) queueMicrotask(again); }
setTimeout(again, 20);
