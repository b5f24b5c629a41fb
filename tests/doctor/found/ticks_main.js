// expect tick-recursion recurse
const end = Date.now() + 900;
function recurse() { if (Date.now() < end) process.nextTick(recurse); }
recurse();
