// expect gc-pressure churn
const end = Date.now() + 60_000;
function churn() { let last; for (let i = 0; i < 20000; i++) last = { a: [i, i, i], b: { c: `${i}`, d: new Array(30) } }; if (Date.now() < end) setImmediate(churn); return last; }
churn();
