// natives: none
//
// Modules whose text is already at hand when the engine asks for it: sources
// that require() has read, faces for require(esm), programs from -e and stdin.
// The engine asks once for each key, so an entry is handed out and forgotten.

'use strict';

const provided = new Map();

function provide(key, loaded) {
  provided.set(key, loaded);
}

function take(key) {
  const loaded = provided.get(key);
  if (loaded !== undefined) provided.delete(key);
  return loaded;
}

module.exports = { provide, take };
