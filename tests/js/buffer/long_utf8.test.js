// Bytes are counted in lanes of eight bits, which must be emptied in time: long runs of each kind of character, and what surrounds them.
'use strict';
const assert = require('node:assert');

const kinds = ['x', 'é', 'Ω', '€', '😀'];
for (const kind of kinds)
  for (const size of [1, 15, 254, 255, 256, 4080, 5000, 70_000])
    for (const other of kinds) {
      const text = other + kind.repeat(size) + other.repeat(17);
      const bytes = Buffer.from(text);
      assert.strictEqual(bytes.length, new TextEncoder().encode(text).length);
      assert.ok(bytes.toString() === text, `${size} of ${kind} beside ${other}`);
      bytes[bytes.length - 1] = 0xff;
      assert.ok(bytes.toString().endsWith('\ufffd'), `${size} of ${kind} beside ${other}, invalid`);
    }
