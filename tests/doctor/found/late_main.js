// expect late-timer soon
setTimeout(function soon() { console.log('soon'); }, 10);
const e = Date.now() + 500; while (Date.now() < e);
