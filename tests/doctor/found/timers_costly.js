// expect timer-flood animate
// Not many timers a second, but the loop does nothing else.
const end = Date.now() + 60_000; let n = 0;
function animate() { for (let i = 0; i < 60000; i++) n += i % 7; if (Date.now() < end) setTimeout(animate, 1); }
for (let i = 0; i < 300; i++) setTimeout(animate, 1);
