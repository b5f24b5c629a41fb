// expect timer-flood retry
const end = Date.now() + 60_000; let waiting = 0;
function retry() { waiting--; if (Date.now() > end) return; while (waiting < 20000) { waiting++; setTimeout(retry, 0); } }
waiting++; retry();
