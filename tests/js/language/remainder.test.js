// The % operator, on every kind of number, against its definition in whole numbers and a few known values.
'use strict';
const assert = require('node:assert');

const same = (actual, expected, what) => assert.ok(Object.is(actual, expected), `${what}: ${actual}, not ${expected}`);
const remainder = (x, y) => x % y;  // a function: compiled for doubles once it has seen them

const kKnown = [
  [5, 3, 2], [-5, 3, -2], [5, -3, 2], [-6, 3, -0], [6, 3, 0], [0, 3, 0], [-0, 3, -0], [3, 5, 3], [5.5, 2, 1.5], [-5.5, 2, -1.5],
  [0.3, 0.1, 0.09999999999999998], [1, 0, NaN], [0, 0, NaN], [NaN, 1, NaN], [1, NaN, NaN], [Infinity, 1, NaN], [-Infinity, 1, NaN],
  [1, Infinity, 1], [-1, Infinity, -1], [-0, Infinity, -0], [4294967295, 500, 295], [2 ** 53, 3, 2], [2 ** 53 - 1, 2 ** 31, 2147483647],
  [1e300, 7, 1], [7, 1e300, 7], [5e-324, 1, 5e-324], [1, 5e-324, 0], [-(2 ** 60), 1000, -976], [2 ** 31, -1, 0], [-(2 ** 31), -1, -0],
];
for (let round = 0; round < 3; round++) for (const [x, y, expected] of kKnown) same(remainder(x, y), expected, `${x} % ${y}`);

let seed = 88172645463325252n;
function random(bits) {
  seed ^= seed << 13n; seed &= 0xffffffffffffffffn;
  seed ^= seed >> 7n;
  seed ^= seed << 17n; seed &= 0xffffffffffffffffn;
  return seed >> BigInt(64 - bits);
}
for (let i = 0; i < 20000; i++) {
  const x = random(1 + i % 53), y = random(1 + (i * 7) % 53) || 1n;
  same(remainder(Number(x), Number(y)), Number(x % y), `${x} % ${y}`);
  same(remainder(-Number(x), Number(y)), -Number(x % y), `-${x} % ${y}`);
}
