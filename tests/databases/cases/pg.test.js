// pg against PostgreSQL: types, parameters, prepared statements, transactions on a pool, errors, notifications, large results, cancelling.
'use strict';
const assert = require('node:assert');
const { once } = require('node:events');
const { Client, Pool } = require('pg');

const place = { host: '127.0.0.1', port: Number(process.env.PG_PORT), user: 'rondo', database: 'postgres' };

// The server may still be starting: what it answers until it is up is an error.
async function firstClient() {
  for (;;) {
    const client = new Client(place);
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (error.code !== 'ECONNREFUSED' && error.code !== '57P03') throw error;
      await client.end().catch(() => {});
    }
  }
}

async function values(client) {
  const { rows } = await client.query({
    text: 'SELECT $1::int AS n, $2::text AS t, $3::jsonb AS j, $4::bytea AS b, $5::timestamptz AS d, $6::int[] AS a, NULL AS nothing',
    values: [7, 'grüße', { deep: [1, 2] }, Buffer.from([0, 255]), new Date(0), [1, 2, 3]],
  });
  assert.deepStrictEqual(rows, [{ n: 7, t: 'grüße', j: { deep: [1, 2] }, b: Buffer.from([0, 255]), d: new Date(0), a: [1, 2, 3], nothing: null }]);
  for (let i = 0; i < 3; i++) {
    const found = await client.query({ name: 'double', text: 'SELECT $1::int * 2 AS n', values: [i] });
    assert.strictEqual(found.rows[0].n, i * 2);
  }
  await assert.rejects(client.query('SELECT * FROM nowhere'), { code: '42P01' });
  const large = await client.query("SELECT i, repeat('x', 100) AS text FROM generate_series(1, 50000) AS i");
  assert.deepStrictEqual([large.rowCount, large.rows.at(-1).i, large.rows[0].text.length], [50000, 50000, 100]);
}

async function pooled() {
  const pool = new Pool({ ...place, max: 4 });
  await pool.query('CREATE TABLE counter (n int)');
  await pool.query('INSERT INTO counter VALUES (0)');
  await Promise.all(Array.from({ length: 100 }, async () => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('UPDATE counter SET n = n + 1');
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  }));
  assert.strictEqual((await pool.query('SELECT n FROM counter')).rows[0].n, 100);
  assert.ok(pool.totalCount <= 4);
  await pool.query('DROP TABLE counter');
  await pool.end();
}

async function told(client) {
  const listener = new Client(place);
  await listener.connect();
  await listener.query('LISTEN news');
  const heard = once(listener, 'notification');
  await client.query("NOTIFY news, 'hello'");
  assert.strictEqual((await heard)[0].payload, 'hello');
  const { processID } = listener;
  const failed = assert.rejects(listener.query('SELECT pg_sleep(60)'), { code: '57014' });
  while (!(await client.query('SELECT pg_cancel_backend($1) AS done FROM pg_stat_activity WHERE pid = $1 AND query LIKE $2 AND state = $3', [processID, '%pg_sleep%', 'active'])).rowCount);
  await failed;
  await listener.end();
}

(async () => {
  const client = await firstClient();
  await values(client);
  await pooled();
  await told(client);
  await client.end();
})();
