// A CPU profile tells the shares of three functions that take 60, 30 and 10 % of the time, within 5 points, as Node's does. On a loaded machine
// other programs run for a while, which counts for the function that was running: rounds add up until they are even.
'use strict';

const assert = require('node:assert');
const inspector = require('node:inspector');

const shares = { sixty: 60, thirty: 30, ten: 10 };
const table = Float64Array.from({ length: 4096 }, (_, i) => (i * 7919) % 4096);
// Each is compiled from a text of its own, so that they share no code and none is inlined in the loop that calls them.
const works = Object.entries(shares).map(([name, share]) => [share, new Function('table', `return function ${name}(rounds) {
  let at = 0;
  for (let i = 0; i < rounds; i++) at = (table[at] + (i & 1)) & 4095;
  return at;
}`)(table)]);
function work(times) {
  for (let i = 0; i < times; i++) for (const [share, run] of works) run(share * 1000);
}
work(100); // compiled by now

const session = new inspector.Session();
session.connect();
const post = (method, params) => {
  let answer;
  session.post(method, params, (error, result) => { answer = error ?? result; });
  return answer;
};
const spent = { sixty: 0, thirty: 0, ten: 0 };
const kRounds = 12, kPoints = 5;

function profile() {
  post('Profiler.enable');
  post('Profiler.start');
  work(600);
  const { profile: { nodes, samples, timeDeltas } } = post('Profiler.stop');
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  for (const [i, id] of samples.entries()) if (names.get(id) in spent) spent[names.get(id)] += timeDeltas[i];
}

function isClose() {
  const sum = spent.sixty + spent.thirty + spent.ten;
  return Object.entries(shares).every(([name, share]) => Math.abs(spent[name] / sum * 100 - share) < kPoints);
}

let round = 0;
do profile(); while (!isClose() && ++round < kRounds);
assert(isClose(), JSON.stringify(spent));
session.disconnect();
