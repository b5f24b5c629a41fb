// expect gc-pressure normalise
function normalise(rows) { return rows.map((row) => ({ ...row, seen: true })).filter((row) => row.id % 2).map((row) => [row.id, { ...row }]).length; }
const rows = Array.from({ length: 4000 }, (_, id) => ({ id, a: id, b: `${id}`, c: [id] })); const end = Date.now() + 60_000;
setInterval(() => { if (Date.now() > end) process.exit(0); for (let i = 0; i < 6; i++) normalise(rows); }, 1);
