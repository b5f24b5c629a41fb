// natives: none
// Work at the end of a program, after its 'exit' event and before its thread ends: profiles are written, then debuggers awaited.
'use strict';

const programState = require('internal/process/program_state');

const writers = [];
const waiters = [];

function write() {
  for (const work of each(arraySlice.call(writers))) work();
}

function run() {
  write();
  for (const work of each(arraySlice.call(waiters))) work();
}

function add(work) {
  arrayUnshift.call(writers, work);
  programState.beforeEnd = run;
}

function addLast(work) {
  arrayPush.call(waiters, work);
  programState.beforeEnd = run;
}

module.exports = { add, addLast, write };
