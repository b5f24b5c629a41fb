// expect memory-leak addRow
// Slow growth: four megabytes a second.
const table = []; function addRow(n) { table.push(Array.from({ length: 50 }, (_, i) => n * i + 0.25)); }
let n = 0; setInterval(() => { for (let i = 0; i < 90; i++) addRow(n++); }, 10); setTimeout(() => process.exit(0), 60_000);
