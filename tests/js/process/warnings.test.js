// emitWarning: the event comes in a tick, with name, message, code and detail.
const assert = require('node:assert');

const seen = [];
process.on('warning', (warning) => seen.push([warning.name, warning.message, warning.code, warning.detail]));
process.emitWarning('first');
process.emitWarning('second', { type: 'Special', code: 'W1', detail: 'more' });
process.emitWarning('third', 'Other', 'W2');
assert.deepStrictEqual(seen, []);
setImmediate(() => {
  assert.deepStrictEqual(seen, [
    ['Warning', 'first', undefined, undefined],
    ['Special', 'second', 'W1', 'more'],
    ['Other', 'third', 'W2', undefined],
  ]);
});
