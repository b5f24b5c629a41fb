// natives: none
// Functions that internal/trace_events puts here while the category of a place is on; undefined otherwise.
'use strict';

module.exports = {
  console: undefined, // (phase, name, value) of console.time(), count() and their like
  script: undefined, // { compile(filename, run), run(run) } around the work of node:vm
};
