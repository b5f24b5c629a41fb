// for await over a Duplex whose other half is open ends without destroying it; a closed Dir's promises reject; signals have no limit
// of listeners.
'use strict';
const assert = require('assert');
const fs = require('fs');
const { Duplex } = require('stream');
const { getMaxListeners } = require('events');

(async () => {
  let written = '';
  const duplex = new Duplex({
    read() {
      this.push('hello');
      this.push(null);
    },
    write(chunk, encoding, callback) {
      written += chunk;
      callback();
    },
  });
  let read = '';
  for await (const chunk of duplex) read += chunk;
  assert.strictEqual(read, 'hello');
  assert.strictEqual(duplex.destroyed, false);
  await new Promise((resolve) => duplex.write('world', resolve));
  assert.strictEqual(written, 'world');
  for await (const _ of Duplex.from(['one'])) assert.strictEqual(_, 'one');

  const directory = fs.opendirSync(__dirname);
  directory.closeSync();
  await assert.rejects(directory.read(), { code: 'ERR_DIR_CLOSED' });
  assert.throws(() => directory.read(() => {}), { code: 'ERR_DIR_CLOSED' });

  assert.strictEqual(getMaxListeners(new AbortController().signal), 0);
})();
