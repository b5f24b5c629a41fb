// expect memory-leak remember
// Small objects that are let go are made more often than the large ones that are kept.
const kept = []; let sum = 0;
function remember(n) { kept.push(new Array(20000).fill(n)); }
function chatter(n) { for (let i = 0; i < 400; i++) sum += { n, i, text: [i] }.i; }
let n = 0; const interval = setInterval(function turn() { chatter(n); remember(n++); if (n === 3000) clearInterval(interval); }, 4);
