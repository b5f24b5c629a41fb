// natives: none
// rondo explore --check-determinism: schedules are run twice each, in two processes, and their ledgers compared: every choice, every
// callback, what was printed, the exit code. The first difference is told.
'use strict';

const { Server } = require('internal/explore/servers');

// Random numbers that are the same in each check.
function randomNumbers(state) {
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

// Deviations are added at random places behind the last one, until none is left or chance ends it.
function vary(text, last, choices, random, prefix) {
  const open = [];
  for (let i = last + 1; i < choices.length; i++) if (choices.count(i) > 1) arrayPush.call(open, i);
  if (open.length === 0) return null;
  const position = open[random(open.length)];
  const part = `${position}${choices.letter(position)}${1 + random(choices.count(position) - 1)}`;
  return { text: text === `${prefix}0` ? prefix + part : `${text}.${part}`, last: position };
}

const linesOf = (text) => stringSplit.call(text, '\n');

// The first line that differs, as [first run's, second run's]; null: none.
function firstDifference(one, two) {
  const parts = [
    [`exit code ${one.exitCode}`, `exit code ${two.exitCode}`],
    [one.notes, two.notes],
    [one.stdout, two.stdout],
    [one.stderr, two.stderr],
  ];
  for (const pair of each(parts)) {
    if (pair[0] === pair[1]) continue;
    const a = linesOf(pair[0]);
    const b = linesOf(pair[1]);
    let at = 0;
    while (a[at] === b[at]) at++;
    return [a[at] ?? '(nothing)', b[at] ?? '(nothing)'];
  }
  return null;
}

// Resolves to { schedules, schedule, difference }: how many were run twice, and the first that differed, or null.
async function check(args, prefix, most, shouldStop) {
  const servers = [new Server(args), new Server(args)];
  const random = randomNumbers(88172645);
  let next = { text: `${prefix}0`, last: -1 };
  let schedules = 0;
  let found = null;
  for (; schedules < most && found === null && !shouldStop(); schedules++) {
    const schedule = next.text;
    const runs = await Promise.all([servers[0].run(`!${schedule}`), servers[1].run(`!${schedule}`)]);
    const difference = firstDifference(runs[0], runs[1]);
    if (difference !== null) found = { schedule, difference };
    next = (random(4) > 0 ? vary(schedule, next.last, runs[0].choices, random, prefix) : null) ?? { text: `${prefix}0`, last: -1 };
    if (schedules === 0 && next.last === -1) next = vary(schedule, -1, runs[0].choices, random, prefix) ?? next;
    if (schedules === 1 && next.last === -1 && runs[0].choices.length === 0) break;
  }
  for (const server of each(servers)) server.close();
  return { schedules, ...found };
}

module.exports = { check };
