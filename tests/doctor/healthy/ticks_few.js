// Ticks in bursts, with the loop's turn between.
let rounds = 0; (function round() { let n = 0; const tick = () => { if (++n < 2000) process.nextTick(tick); }; tick(); if (++rounds < 60) setTimeout(round, 15); })();
