// natives: none
// https://tc39.es/ecma262/#sec-newpromisecapability, for methods of Promise in lib/. `TypeError` is the realm's; `method` names the caller.
'use strict';

function newCapability(Constructor, TypeError, method) {
  if (typeof Constructor !== 'function') throw new TypeError(`Promise.${method} called on a value that is not a constructor`);
  const capability = { promise: undefined, resolve: undefined, reject: undefined };
  capability.promise = new Constructor((resolve, reject) => {
    if (capability.resolve !== undefined || capability.reject !== undefined)
      throw new TypeError('Promise executor has already been invoked');
    capability.resolve = resolve;
    capability.reject = reject;
  });
  if (typeof capability.resolve !== 'function' || typeof capability.reject !== 'function') {
    throw new TypeError('Promise resolve or reject function is not callable');
  }
  return capability;
}

module.exports = newCapability;
