// natives: none
// The random order of tests: a seed gives the same order again, in every file, as it does in Node (Mulberry32).
'use strict';

const kSeeds = 2 ** 32;

const newSeed = () => Math.floor(Math.random() * kSeeds);

function seededRandom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / kSeeds;
  };
}

module.exports = { newSeed, seededRandom };
