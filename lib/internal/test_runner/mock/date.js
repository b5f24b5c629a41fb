// natives: none
// The Date of MockTimers: a Date like any other, but for the time it takes for now.
'use strict';

const {
  codes: { ERR_INVALID_STATE },
} = require('internal/errors/coded');

function makeMockDate(RealDate, now) {
  if (RealDate.isMock) throw new ERR_INVALID_STATE('Date is already being mocked!');
  function MockDate(...args) {
    if (new.target === undefined) return dateToString.call(new RealDate(now()));
    return Reflect.construct(RealDate, args.length === 0 ? [now()] : args, new.target === MockDate ? RealDate : new.target);
  }
  const { prototype, ...statics } = Object.getOwnPropertyDescriptors(RealDate);
  Object.defineProperties(MockDate, statics);
  MockDate.prototype = prototype.value;
  MockDate.now = function () {
    return now();
  };
  Object.defineProperty(MockDate.now, 'name', { __proto__: null, value: 'now', configurable: true });
  MockDate.toString = function () {
    return 'function Date() { [native code] }';
  };
  Object.defineProperty(MockDate, 'isMock', { __proto__: null, value: true, enumerable: true });
  return MockDate;
}

module.exports = { makeMockDate };
