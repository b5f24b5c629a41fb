// natives: perf
// The clock behind performance.now() and Event.timeStamp: milliseconds since the
// process's time origin, with sub-millisecond digits.
'use strict';

const { now, timeOrigin } = native('perf');

module.exports = { now, timeOrigin };
