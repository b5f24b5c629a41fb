// A process killed in the middle of its writing has lost nothing that it had committed, in either way of journalling.
'use strict';

const assert = require('assert');
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { DatabaseSync } = require('node:sqlite');

const writer = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(process.argv[1]);
  const insert = db.prepare('INSERT INTO t (id, text) VALUES (?, ?)');
  let next = db.prepare('SELECT max(id) AS last FROM t').get().last + 1;
  for (;;) {
    db.exec('BEGIN');
    for (let i = 0; i < 3; i++) insert.run(next + i, 'x'.repeat(500));
    db.exec('COMMIT');
    next += 3;
    require('fs').writeSync(1, next - 1 + '\\n');
  }`;

// Resolves to the last id that was told to be committed.
function writeAndKill(file, commits) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', writer, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    let told = '';
    child.stdout.on('data', (chunk) => {
      told += chunk;
      if (told.split('\n').length > commits) child.kill('SIGKILL');
    });
    child.on('close', () => resolve(Number(told.slice(0, told.lastIndexOf('\n')).split('\n').pop())));
  });
}

async function survives(mode) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sqlite'));
  const file = path.join(folder, 'killed.db');
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO t VALUES (0, '')`);
  db.close();
  for (let round = 1; round <= 4; round++) {
    const last = await writeAndKill(file, round * 3);
    const after = new DatabaseSync(file);
    const { count, found } = after.prepare('SELECT count(*) AS count, max(id) AS found FROM t').get();
    assert.ok(found >= last, `${mode}: ${last} was committed, ${found} is there`);
    assert.strictEqual(count, found + 1, 'every row up to the last');
    assert.strictEqual(found % 3, 0, 'whole transactions alone');
    assert.strictEqual(after.prepare('PRAGMA integrity_check').get().integrity_check, 'ok');
    after.close();
  }
  fs.rmSync(folder, { recursive: true });
}

survives('DELETE').then(() => survives('WAL'));
