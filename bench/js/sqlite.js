// 100,000 inserts and selects into a database in memory, CPU time of this process. Runs on Node and on Bun (bun:sqlite) as well:
//   rondo bench/js/sqlite.js        node bench/js/sqlite.js        bun bench/js/sqlite.js
// A row: name, operations a second of CPU time. `all`: rows a second.
'use strict';

const count = 100_000;
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
function measure(name, operations, run) {
  const start = cpu();
  run();
  console.log(`${name.padEnd(10)} ${(operations / (cpu() - start)).toFixed(0).padStart(9)}`);
}

function open() {
  if (process.versions.bun) {
    const { Database } = require('bun:sqlite');
    const db = new Database(':memory:');
    return { db, prepare: (sql) => db.query(sql) };
  }
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(':memory:');
  return { db, prepare: (sql) => db.prepare(sql) };
}

const { db, prepare } = open();
db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, score REAL)');
const insert = prepare('INSERT INTO t VALUES (?, ?, ?)');
measure('insert', count, () => {
  db.exec('BEGIN');
  for (let i = 0; i < count; i++) insert.run(i, `name ${i}`, i / 3);
  db.exec('COMMIT');
});
const get = prepare('SELECT * FROM t WHERE id = ?');
let sum = 0;
measure('get', count, () => {
  for (let i = 0; i < count; i++) sum += get.get(i).name.length;
});
const all = prepare('SELECT * FROM t');
measure('all', count * 5, () => {
  for (let i = 0; i < 5; i++) sum += all.all().length;
});
measure('iterate', count, () => {
  for (const row of all.iterate()) sum += row.id;
});
if (sum === 0) throw new Error('nothing was read');
