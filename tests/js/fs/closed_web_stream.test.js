// A web stream of a FileHandle is over when the handle is closed, also while a reader has it; the descriptor is closed then.
'use strict';

const assert = require('assert');
const { open } = require('fs/promises');

(async () => {
  for (const reads of [false, true]) {
    const file = await open(__filename);
    const reader = file.readableWebStream().getReader();
    if (reads) assert.strictEqual((await reader.read()).done, false);
    await file.close();
    await reader.closed;
    assert.deepStrictEqual(await reader.read(), { value: undefined, done: true });
    assert.strictEqual(file.fd, -1);
  }
})();
