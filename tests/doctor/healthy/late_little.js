// Callbacks of 30 ms beside an interval of 20.
let n = 0; const beat = setInterval(() => {}, 20); const work = setInterval(() => { const end = Date.now() + 30; while (Date.now() < end); if (++n > 30) { clearInterval(work); clearInterval(beat); } }, 60);
