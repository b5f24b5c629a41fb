// natives: none
// Counts of one script from two processes, added up. A part that did not run in one may have run in the other.
'use strict';

const keyOf = ({ functionName, ranges }) => `${functionName}\0${ranges[0]?.startOffset}\0${ranges[0]?.endOffset}`;
const contains = (outer, inner) => outer.startOffset <= inner.startOffset && outer.endOffset >= inner.endOffset;

// The count that a function's ranges give the range: that of the smallest range around it.
function countAt(ranges, range) {
  let best;
  for (const other of each(ranges)) {
    if (!contains(other, range)) continue;
    if (best === undefined || other.endOffset - other.startOffset <= best.endOffset - best.startOffset) best = other;
  }
  return best?.count ?? 0;
}

// Ranges of both; a range that then differs in nothing from the one around it goes.
function mergeRanges(one, other) {
  const byKey = new Map();
  for (const range of each([...each(one), ...each(other)])) byKey.set(`${range.startOffset}\0${range.endOffset}`, range);
  const ranges = arrayMap.call([...each(byKey.values())], (range) => {
    const { startOffset, endOffset } = range;
    return { startOffset, endOffset, count: countAt(one, range) + countAt(other, range) };
  });
  arraySort.call(ranges, (a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const kept = [];
  for (const range of each(ranges)) {
    const around = arrayFindLast.call(kept, (outer) => contains(outer, range));
    if (around === undefined || around.count !== range.count) arrayPush.call(kept, range);
  }
  return kept;
}

function mergeScript(known, script) {
  const functions = new Map();
  for (const fn of each(known.functions)) functions.set(keyOf(fn), fn);
  for (const fn of each(script.functions)) {
    const same = functions.get(keyOf(fn));
    if (same === undefined) {
      arrayPush.call(known.functions, fn);
    } else if (fn.isBlockCoverage) {
      same.ranges = same.isBlockCoverage ? mergeRanges(same.ranges, fn.ranges) : fn.ranges;
      same.isBlockCoverage = true;
    }
  }
}

module.exports = { mergeScript };
