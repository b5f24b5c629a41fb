// natives: none
// Work at the end of a program, after its 'exit' event and before its thread ends: profiles are written, then debuggers awaited.
'use strict';

const programState = require('internal/process/program_state');

const works = [];

function run() {
  for (const work of each(arraySlice.call(works))) work();
}

function add(work) {
  arrayUnshift.call(works, work);
  programState.beforeEnd = run;
}

function addLast(work) {
  arrayPush.call(works, work);
  programState.beforeEnd = run;
}

module.exports = { add, addLast };
