// expect synchronous-block bigJson
const data = Array.from({ length: 30000 }, (_, i) => ({ id: i, name: 'name ' + i, tags: ['a', 'b', String(i)] }));
function bigJson() { let n = 0; for (let i = 0; i < 40; i++) n += JSON.parse(JSON.stringify(data)).length; return n; }
setTimeout(bigJson, 20);
