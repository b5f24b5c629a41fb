// expect memory-leak addEntry
const cache = {}; let n = 0; function addEntry() { const k = 'key' + n++; cache[k] = (k + '-').repeat(200).split('').join(''); }
setInterval(() => { for (let i = 0; i < 50; i++) addEntry(); }, 5); setTimeout(() => process.exit(0), 60_000);
