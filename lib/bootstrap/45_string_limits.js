// natives: none
// Strings beyond buffer.constants.MAX_STRING_LENGTH are a RangeError "Invalid string length", as in Node, where a program
// asks for one by length. (The engine itself allows four times as much and then reports that memory ran out.)
'use strict';

const kMaxLength = 536870888;
const { repeat, padStart, padEnd } = String.prototype;

function check(length) {
  if (length > kMaxLength) throw new RangeError('Invalid string length');
}

const limited = {
  repeat(count) {
    if (typeof this === 'string' && typeof count === 'number' && count !== Infinity) check(this.length * count);
    return call1(repeat, this, count);
  },
  padStart(maxLength, fillString) {
    if (typeof maxLength === 'number') check(maxLength);
    return call2(padStart, this, maxLength, fillString);
  },
  padEnd(maxLength, fillString) {
    if (typeof maxLength === 'number') check(maxLength);
    return call2(padEnd, this, maxLength, fillString);
  },
};

for (const name of each(Object.keys(limited))) {
  const length = name === 'repeat' ? 1 : 2;
  Object.defineProperty(limited[name], 'length', { configurable: true, value: length });
  Object.defineProperty(String.prototype, name, {
    configurable: true,
    enumerable: false,
    writable: true,
    value: limited[name],
  });
}
