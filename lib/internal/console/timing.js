// natives: none
// console.time, timeLog and timeEnd: labels to start times, and how a duration is written.
'use strict';

const points = require('internal/util/trace_points');

const pad = (value) => stringPadStart.call(`${value}`, 2, '0');

function formatTime(ms) {
  if (ms < 1000) return `${Number(numberToFixed.call(ms, 3))}ms`;
  if (ms < 60_000) return `${numberToFixed.call(ms / 1000, 3)}s`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const [seconds, millis] = each(stringSplit.call(numberToFixed.call((ms % 60_000) / 1000, 3), '.'));
  const head = hours !== 0 ? `${hours}:${pad(minutes)}` : minutes;
  return `${head}:${pad(seconds)}.${millis} (${hours !== 0 ? 'h:m' : ''}m:ss.mmm)`;
}

function start(times, label) {
  label = `${label}`;
  if (times.has(label)) {
    process.emitWarning(`Label '${label}' already exists for console.time()`);
    return;
  }
  if (points.console !== undefined) points.console('b', `time::${label}`);
  times.set(label, process.hrtime());
}

// Gives [label, formatted duration], or undefined after a warning.
function elapsed(times, label, caller) {
  label = `${label}`;
  const begun = times.get(label);
  if (begun === undefined) {
    process.emitWarning(`No such label '${label}' for console.${caller}()`);
    return undefined;
  }
  if (points.console !== undefined) points.console(caller === 'timeEnd' ? 'e' : 'n', `time::${label}`);
  const [seconds, nanos] = each(process.hrtime(begun));
  return [label, formatTime(seconds * 1000 + nanos / 1e6)];
}

module.exports = { elapsed, start };
