// S19, S74: no delay, zero, negative, not a number and more than 2^31-1 all mean one millisecond; four of these warn.
process.on('warning', (warning) => console.log(warning.name));
const delays = [undefined, 0, -5, NaN, 0.4, 1.9, '7', 2 ** 31 - 1, 2 ** 31, Infinity];
for (const delay of delays) {
  const timer = setTimeout(() => {}, delay);
  console.log(String(delay), '->', timer._idleTimeout);
  clearTimeout(timer);
}
const bare = setTimeout(() => {});
console.log('omitted ->', bare._idleTimeout);
clearTimeout(bare);
