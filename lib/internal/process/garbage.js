// natives: runtime
// gc() of --expose-gc.
'use strict';

const { collectGarbage } = native('runtime');

module.exports = { collectGarbage: (options) => (options?.execution === 'async' ? Promise.resolve(collectGarbage()) : collectGarbage()) };
