'use strict';
// A lock that is given back goes to the next at once, also when it is given back while a waiter tries: none of many waits until
// waiters look without being told, which they do after an eighth of the lease at the earliest.
const assert = require('node:assert');
const { onBoth } = require('../../fixtures/mesh');

const kLease = 240_000;
const kContenders = 60;

onBoth(async ({ connect }) => {
  const meshes = await Promise.all(Array.from({ length: kContenders }, () => connect({ lease: kLease })));
  const began = performance.now();
  const tokens = [];
  await Promise.all(meshes.map((mesh) => mesh.lock('only', ({ token }) => void tokens.push(token))));
  const took = performance.now() - began;
  assert.ok(took < kLease / 8, `${took.toFixed(0)} ms`);
  assert.strictEqual(new Set(tokens).size, kContenders);
  assert.deepStrictEqual(
    tokens,
    tokens.toSorted((a, b) => a - b),
  );
});
