// ioredis against Debian's redis-server: pipelines, transactions, scripts, binary values, publish and subscribe, streams, a lost connection.
'use strict';
const assert = require('node:assert');
const { once } = require('node:events');
const Redis = require('ioredis');

// The server may still be starting: the client asks until it answers.
const open = (options) => new Redis({ host: '127.0.0.1', port: process.env.REDIS_PORT, retryStrategy: () => 100, maxRetriesPerRequest: null, ...options });

(async () => {
  const redis = open();
  assert.strictEqual(await redis.ping(), 'PONG');
  await redis.set('text', 'grüße');
  assert.strictEqual(await redis.get('text'), 'grüße');
  const bytes = Buffer.from(Array.from({ length: 256 * 1024 }, (_, i) => i & 255));
  await redis.set('bytes', bytes);
  assert.ok((await redis.getBuffer('bytes')).equals(bytes));

  const many = await Promise.all(Array.from({ length: 2000 }, (_, i) => redis.incrby('sum', i)));
  assert.strictEqual(many.at(-1), (1999 * 2000) / 2);
  const piped = await redis.pipeline().hset('hash', { a: 1, b: 2 }).hgetall('hash').lpush('hash', 1).exec();
  assert.deepStrictEqual(piped[1], [null, { a: '1', b: '2' }]);
  assert.match(piped[2][0].message, /WRONGTYPE/);
  assert.deepStrictEqual(await redis.multi().set('x', 1).incr('x').exec(), [[null, 'OK'], [null, 2]]);
  redis.defineCommand('twice', { numberOfKeys: 1, lua: "return redis.call('GET', KEYS[1]) * 2" });
  assert.strictEqual(await redis.twice('x'), 4);
  await assert.rejects(redis.call('NOSUCH'), /unknown command/);

  const listener = open();
  await listener.subscribe('news');
  const heard = once(listener, 'message');
  await redis.publish('news', 'hello');
  assert.deepStrictEqual(await heard, ['news', 'hello']);
  await redis.xadd('log', '*', 'k', 'v');
  assert.deepStrictEqual((await redis.xrange('log', '-', '+'))[0][1], ['k', 'v']);

  const keys = [];
  for await (const part of redis.scanStream({ match: 'b*' })) keys.push(...part);
  assert.deepStrictEqual(keys, ['bytes']);

  // The server throws the connection away; the client comes back and goes on.
  const again = once(listener, 'ready');
  await redis.client('KILL', 'TYPE', 'pubsub');
  await again;
  const heardAgain = once(listener, 'message');
  while (await redis.publish('news', 'again') === 0);
  assert.deepStrictEqual(await heardAgain, ['news', 'again']);
  await redis.flushall();
  await listener.quit();
  await redis.quit();
})();
