// mysql2 against MariaDB: text and prepared statements, types, transactions on a pool, errors, a result that is streamed.
'use strict';
const assert = require('node:assert');
const mysql = require('mysql2/promise');
const raw = require('mysql2');

const place = { host: '127.0.0.1', port: Number(process.env.MYSQL_PORT), user: 'root', charset: 'utf8mb4' };

// The server may still be starting.
async function firstConnection() {
  for (;;) {
    try {
      return await mysql.createConnection({ ...place, multipleStatements: true });
    } catch (error) {
      if (error.code !== 'ECONNREFUSED') throw error;
    }
  }
}

async function values(connection) {
  const given = [7, 'grüße 😀', Buffer.from([0, 255]), null];
  for (const method of ['query', 'execute']) {
    const [rows] = await connection[method]('SELECT CAST(? AS SIGNED) AS n, CAST(? AS CHAR) AS t, CAST(? AS BINARY) AS b, ? AS nothing', given);
    assert.deepStrictEqual({ ...rows[0] }, { n: 7, t: 'grüße 😀', b: Buffer.from([0, 255]), nothing: null });
  }
  await assert.rejects(connection.query('SELECT * FROM nowhere.none'), { code: 'ER_NO_SUCH_TABLE', errno: 1146 });
  const [several] = await connection.query('SELECT 1 AS a; SELECT 2 AS b');
  assert.deepStrictEqual(several.map(([row]) => ({ ...row })), [{ a: 1 }, { b: 2 }]);
}

async function pooled() {
  const pool = mysql.createPool({ ...place, database: 'rondo', connectionLimit: 4 });
  await pool.query('CREATE TABLE counter (n INT) ENGINE=InnoDB');
  await pool.query('INSERT INTO counter VALUES (0)');
  await Promise.all(Array.from({ length: 60 }, async () => {
    const connection = await pool.getConnection();
    await connection.beginTransaction();
    await connection.query('UPDATE counter SET n = n + 1');
    await connection.commit();
    connection.release();
  }));
  assert.strictEqual((await pool.query('SELECT n FROM counter'))[0][0].n, 60);
  await pool.end();
}

async function streamed() {
  const connection = raw.createConnection({ ...place, database: 'rondo' });
  let count = 0;
  for await (const row of connection.query("SELECT seq, REPEAT('x', 100) AS text FROM seq_1_to_20000").stream({ highWaterMark: 16 })) {
    count++;
    assert.strictEqual(row.text.length, 100);
  }
  assert.strictEqual(count, 20000);
  await connection.promise().end();
}

(async () => {
  const connection = await firstConnection();
  await connection.query('CREATE DATABASE rondo');
  await values(connection);
  await pooled();
  await streamed();
  await connection.query('DROP DATABASE rondo');
  await connection.end();
})();
