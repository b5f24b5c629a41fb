'use strict';
// Completion of members looks at the names of an array, not at its elements, of which there are too many to be listed here; Array.prototype
// has symbols among its keys.
const assert = require('node:assert');
const repl = require('node:repl');
const { PassThrough } = require('node:stream');

const server = repl.start({ input: new PassThrough(), output: new PassThrough(), terminal: false });
server.context.list = Object.assign([1, 2], { own: 1 });
server.context.bytes = Object.assign(new Uint8Array(2 ** 28), { own: 1 });

const complete = (line) => new Promise((resolve, reject) => server.complete(line, (error, found) => (error ? reject(error) : resolve(found[0]))));
(async () => {
  for (const [line, name] of [['list.', 'list.own'], ['bytes.', 'bytes.own'], ['Array.prototype.', 'Array.prototype.at'], ['bytes.subar', 'bytes.subarray']])
    assert.ok((await complete(line)).includes(name), line);
  server.close();
})();
