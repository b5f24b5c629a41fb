// expect memory-leak record
const log = []; function record(i) { log.push({ at: Date.now(), message: 'event number ' + i, extra: new Array(50).fill(i) }); }
let i = 0; setInterval(() => { for (let k = 0; k < 400; k++) record(i++); }, 10); setTimeout(() => process.exit(0), 60_000);
