// expect synchronous-block spin0|spin1|spin2|spin3|spin4|spin5 within 150
// S14: six blocks of 400 ms of processor time, each in a function of another name: one of them, at least, is told in threshold + 50 ms.
'use strict';

// The time that the whole process has used, in microseconds.
const spins = [
  function spin0(end) {
    while (process.cpuUsage().user < end);
  },
  function spin1(end) {
    while (process.cpuUsage().user < end);
  },
  function spin2(end) {
    while (process.cpuUsage().user < end);
  },
  function spin3(end) {
    while (process.cpuUsage().user < end);
  },
  function spin4(end) {
    while (process.cpuUsage().user < end);
  },
  function spin5(end) {
    while (process.cpuUsage().user < end);
  },
];

function next() {
  const spin = spins.shift();
  if (spin === undefined) return console.log('went on');
  spin(process.cpuUsage().user + 400_000);
  setTimeout(next, 10);
}
setTimeout(next, 10);
