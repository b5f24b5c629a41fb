// expect microtask-recursion loop
const end = Date.now() + 900;
function loop() { if (Date.now() < end) Promise.resolve().then(loop); }
loop();
