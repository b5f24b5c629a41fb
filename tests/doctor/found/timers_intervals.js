// expect timer-flood beat
let n = 0; function beat() { n++; }
const all = []; for (let i = 0; i < 5000; i++) all.push(setInterval(beat, 1));
setTimeout(() => { for (const t of all) clearInterval(t); }, 60_000);
