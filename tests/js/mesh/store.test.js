'use strict';
// store(): values with revisions, writes that say which revision they follow, fencing tokens, removal, a time to live, watchers.
const assert = require('node:assert');
const { onBoth, until } = require('../../fixtures/mesh');

onBoth(async ({ connect }) => {
  const [one, two] = [await connect(), await connect()];
  const store = one.store('things');
  const same = two.store('things');
  assert.strictEqual(await store.get('a'), undefined);
  const first = await store.set('a', { n: 1, at: new Date(7) });
  assert.deepStrictEqual(await same.get('a'), { n: 1, at: new Date(7) });
  assert.deepStrictEqual(await same.entry('a'), { key: 'a', value: { n: 1, at: new Date(7) }, revision: first });
  const second = await same.set('a', 2, { revision: first });
  assert.ok(second > first);
  await assert.rejects(store.set('a', 3, { revision: first }), { code: 'ERR_MESH_REVISION' });
  await assert.rejects(store.set('a', 3, { revision: 0 }), { code: 'ERR_MESH_REVISION' });
  assert.strictEqual(await store.get('a'), 2);

  // Of many that make a key, one does; so again when it has been removed.
  for (let round = 0; round < 2; round++) {
    const makers = [one, two].flatMap((mesh) => Array.from({ length: 5 }, (_, i) => mesh.store('things').set('made', i, { revision: 0 })));
    const results = await Promise.allSettled(makers);
    assert.strictEqual(results.filter(({ status }) => status === 'fulfilled').length, 1);
    await store.delete('made');
    assert.strictEqual(await same.get('made'), undefined);
  }
  await assert.rejects(store.delete('a', { revision: 1 + second }), { code: 'ERR_MESH_REVISION' });

  // A smaller token comes too late.
  await store.set('fenced', 'new', { fence: 7 });
  await assert.rejects(same.set('fenced', 'old', { fence: 6 }), { code: 'ERR_MESH_FENCED' });
  await same.set('fenced', 'newer', { fence: 7 });
  assert.strictEqual(await store.get('fenced'), 'newer');

  // Keys are any text; none of them is a wildcard.
  const strange = ['*', '>', 'a.b', 'ä ö', '=41', 'x\r\ny', '/'];
  for (const key of strange) await store.set(key, key);
  for (const key of strange) assert.strictEqual(await same.get(key), key);
  assert.deepStrictEqual(new Set(await same.keys()), new Set([...strange, 'a', 'fenced']));
  assert.strictEqual((await same.entries()).find(({ key }) => key === 'a').value, 2);
  await assert.rejects(store.set('', 1), { code: 'ERR_MESH_NAME' });
  await assert.rejects(store.set('\ud800', 1), { code: 'ERR_MESH_NAME' });
  await assert.rejects(
    store.set('f', () => {}),
    { name: 'DataCloneError' },
  );

  // A watcher sees what is there, then each change in order.
  const seen = [];
  const stop = new AbortController();
  const watching = (async () => {
    for await (const change of same.watch('watched', { signal: stop.signal })) seen.push([change.key, change.value, change.isDeleted]);
  })();
  await store.set('other', 0);
  await store.set('watched', 1);
  await until(() => seen.length === 1);
  await store.set('watched', 2);
  await until(() => seen.length === 2);
  await store.delete('watched');
  await until(() => seen.length === 3);
  stop.abort();
  await watching;
  assert.deepStrictEqual(seen, [
    ['watched', 1, false],
    ['watched', 2, false],
    ['watched', undefined, true],
  ]);
  const all = new Set();
  for await (const { key } of store.watch()) {
    all.add(key);
    if (all.size >= 10) break;
  }

  // An entry that is not written again goes.
  const short = one.store('short', { ttl: 300 });
  await short.set('k', 1);
  assert.strictEqual(await two.store('short', { ttl: 300 }).get('k'), 1);
  await until(async () => (await short.get('k')) === undefined);
  await short.set('k', 2, { revision: 0 });
});
