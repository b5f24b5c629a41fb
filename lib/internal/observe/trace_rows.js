// natives: none
// The newest tasks of a running process, for a terminal: rondo trace PID. Rows as those of rondo trace script.js.
'use strict';

const { makeModel } = require('internal/observe/page/model');

const kRows = 60;

const ms = (ns) => stringPadStart.call(`${Math.round(ns / 1e3) / 1e3}`, 10);

function rowsOf(recording) {
  const lines = [];
  for (let i = 0; i < recording.runtimes.length; i++) {
    const { number, lost } = recording.runtimes[i];
    const model = makeModel(recording, number);
    const all = arrayFilter.call([...each(model.tasks.values())], (one) => one.begin !== null && one.queued !== null);
    arrayPush.call(lines, `${number === 0 ? 'main' : `worker ${number}`}: ${all.length} callbacks, ${lost} records lost`);
    arrayPush.call(lines, '     at ms     ran ms      #  what       name');
    const shown = arraySlice.call(all, -kRows);
    for (let j = 0; j < shown.length; j++) {
      const { id, begin, end, kind, name } = shown[j];
      const text = stringSlice.call(name, 0, 70);
      const number = stringPadStart.call(`#${id}`, 7);
      arrayPush.call(
        lines,
        `${ms(begin)} ${end === null ? '          ' : ms(end - begin)} ${number}  ${stringPadEnd.call(kind, 9)}  ${text}`,
      );
    }
  }
  return arrayJoin.call(lines, '\n');
}

module.exports = { rowsOf };
