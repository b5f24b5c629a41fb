// The iterator helpers of Readable keep order, respect `concurrency`, and stop on abort.
'use strict';
const assert = require('node:assert');
const { Readable } = require('node:stream');

const numbers = (n) => Readable.from(Array.from({ length: n }, (_, i) => i));

async function run() {
  assert.deepStrictEqual(await numbers(5).map((x) => x * x).toArray(), [0, 1, 4, 9, 16]);
  assert.deepStrictEqual(await numbers(6).filter((x) => x % 2 === 1).toArray(), [1, 3, 5]);
  assert.deepStrictEqual(await numbers(3).flatMap((x) => [x, x]).toArray(), [0, 0, 1, 1, 2, 2]);
  assert.deepStrictEqual(await numbers(9).drop(2).take(3).toArray(), [2, 3, 4]);
  assert.strictEqual(await numbers(5).reduce((a, b) => a + b, 100), 110);
  assert.strictEqual(await numbers(5).some((x) => x === 3), true);
  assert.strictEqual(await numbers(5).every((x) => x < 3), false);
  assert.strictEqual(await numbers(5).find((x) => x > 2), 3);

  let active = 0;
  let most = 0;
  const results = await numbers(12).map(async (x) => {
    most = Math.max(most, ++active);
    await new Promise((resolve) => { setImmediate(resolve); });
    active--;
    return x;
  }, { concurrency: 3 }).toArray();
  assert.deepStrictEqual(results, Array.from({ length: 12 }, (_, i) => i));
  assert.strictEqual(most, 3);

  const signal = AbortSignal.abort();
  await assert.rejects(numbers(3).toArray({ signal }), { name: 'AbortError' });
  await assert.rejects(Readable.from([]).reduce((a, b) => a + b), { code: 'ERR_MISSING_ARGS' });
  assert.throws(() => numbers(1).map(7), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => numbers(1).take(-1), { code: 'ERR_OUT_OF_RANGE' });
}

let done = false;
run().then(() => { done = true; });
process.on('exit', () => { assert.ok(done); });

// A Duplex that was read to its end by iteration is destroyed, unless it can still be written to.
{
  const { Duplex } = require('node:stream');
  const ways = {
    toArray: (duplex) => duplex.toArray(),
    map: (duplex) => duplex.map((chunk) => chunk).toArray(),
    iteration: async (duplex) => {
      for await (const chunk of duplex) assert.strictEqual(String(chunk), 'piece');
    },
  };
  for (const [name, read] of Object.entries(ways)) {
    for (const allowHalfOpen of [true, false]) {
      const duplex = new Duplex({ allowHalfOpen, read() {}, write() {} });
      duplex.push('piece');
      duplex.push(null);
      duplex.on('error', (error) => assert.fail(error));
      read(duplex).then(() => assert.strictEqual(duplex.destroyed, !allowHalfOpen, name));
    }
  }
}
