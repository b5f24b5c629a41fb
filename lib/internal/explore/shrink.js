// natives: none
// Schedules with many deviations, as random ones have, made shorter: a deviation without which the outcome is the same is left out.
'use strict';

const { Deviation, scheduleText } = require('internal/explore/search');

const kMostRuns = 60; // of the program, for one outcome
const kShort = 3; // deviations: no work is spent on these

function chainOf(parts) {
  let last = null;
  for (const { position, letter, choice } of each(parts)) last = new Deviation(last, position, letter, choice);
  return last;
}

// Halves are left out first, then quarters, at last single ones. `run(schedule)` resolves to an answer of servers.js.
async function shrink(outcome, key, search, run) {
  const parts = [];
  for (let at = outcome.last; at !== null; at = at.before) arrayPush.call(parts, at);
  arrayReverse.call(parts);
  let runs = 0;
  for (let size = Math.ceil(parts.length / 2); parts.length > 1; size = Math.ceil(size / 2)) {
    for (let start = 0; start < parts.length && runs < kMostRuns; ) {
      const removed = arraySplice.call(parts, start, size);
      const answer = await run(scheduleText(chainOf(parts), search.prefix));
      runs++;
      if (!answer.isMisfit && search.keyOf(answer) === key) continue;
      arraySplice.call(parts, start, 0, ...each(removed));
      start += size;
    }
    if (size === 1 || runs >= kMostRuns) break;
  }
  search.show(outcome, chainOf(parts));
}

// Of the first outcomes, as many as a report tells of.
async function shrinkOutcomes(search, most, run) {
  for (const key of each(arraySlice.call([...each(search.outcomes.keys())], 0, most))) {
    const outcome = search.outcomes.get(key);
    if (outcome.last !== null && outcome.last.depth > kShort) await shrink(outcome, key, search, run);
  }
}

module.exports = { shrinkOutcomes };
