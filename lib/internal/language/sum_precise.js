// natives: none
// Math.sumPrecise, https://tc39.es/proposal-math-sum: the exact sum of doubles, rounded once. A double is a whole number of 2 ** -1074,
// so the sum is a BigInt.
'use strict';

const kScale = 1074;
const kMantissa = 52n;
const kHidden = 1n << kMantissa;

module.exports = ({ RangeError, TypeError }) => {
  const view = new DataView(new ArrayBuffer(8));

  // In units of 2 ** -1074.
  function unitsOf(value) {
    view.setFloat64(0, value);
    const bits = view.getBigUint64(0);
    const exponent = (bits >> kMantissa) & 0x7ffn;
    const mantissa = bits & (kHidden - 1n);
    const size = exponent === 0n ? mantissa : (mantissa | kHidden) << (exponent - 1n);
    return bits >> 63n === 1n ? -size : size;
  }

  // The nearest double, ties to even.
  function fromUnits(units) {
    const size = units < 0n ? -units : units;
    const length = size.toString(2).length;
    const shift = BigInt(length > 53 ? length - 53 : 0);
    let mantissa = size >> shift;
    const rest = size - (mantissa << shift);
    const half = shift === 0n ? 0n : 1n << (shift - 1n);
    if (shift > 0n && (rest > half || (rest === half && mantissa & 1n))) mantissa++;
    // 2 ** -1074 alone is a double; the product of the two factors is exact.
    const power = Number(shift) - kScale;
    const value = Number(mantissa) * 2 ** Math.max(power, -1022) * 2 ** Math.min(power + 1022, 0);
    return units < 0n ? -value : value;
  }

  return {
    sumPrecise(items) {
      if (items === undefined || items === null) throw new TypeError(`${items} is not iterable`);
      let sum = 0n;
      let hasNumber = false; // other than -0
      let infinite = 0;
      let count = 0;
      for (const item of items) {
        if (typeof item !== 'number') throw new TypeError('Math.sumPrecise takes numbers');
        if (++count > Number.MAX_SAFE_INTEGER) throw new RangeError('too many numbers');
        if (!Object.is(item, -0)) hasNumber = true;
        if (item - item !== 0)
          infinite += item; // NaN, Infinity or both
        else if (item !== 0) sum += unitsOf(item);
      }
      if (infinite !== 0) return infinite;
      if (!hasNumber) return -0;
      return fromUnits(sum);
    },
  };
};
