// natives: none
// Finds what two stack traces share, and what one trace repeats, so that a report can print
// it once. Used by the inspector's errors and for unhandled 'error' events (node/events).
'use strict';

// The first place in `a` where more than three consecutive lines also occur in `b`.
function commonRun(a, b) {
  for (let i = 0; i < a.length - 3; i++) {
    const at = arrayIndexOf.call(b, a[i]);
    if (at === -1) continue;
    const rest = b.length - at;
    if (rest <= 3) continue;
    let length = 1;
    const longest = Math.min(a.length - i, rest);
    while (length < longest && a[i + length] === b[at + length]) length++;
    if (length > 3) return { length, offset: i };
  }
  return { length: 0, offset: 0 };
}

const kMinRepeated = 3;

function countRepeats(lines, start, length) {
  let times = 0;
  for (let next = start + length; next + length <= lines.length; next += length) {
    for (let i = 0; i < length; i++) {
      if (lines[start + i] !== lines[next + i]) return times;
    }
    times++;
  }
  return times;
}

// The block at `start` whose repetitions cover most lines; later places where its first line
// stands again are the candidates for its length.
function bestBlock(lines, start, places) {
  let best = { length: 0, times: 0 };
  const reach = places[places.length - 1] - start;
  for (const place of each(places)) {
    if (place <= start) continue;
    const length = place - start;
    const times = countRepeats(lines, start, length);
    if (length * times > best.length * best.times) best = { length, times };
    if (length * times >= reach) break;
  }
  return best;
}

// Every block that is followed by copies of itself: where the copies start, the block's
// length, how many copies.
function repeatedRuns(lines) {
  const places = new Map();
  for (let i = 0; i < lines.length; i++) {
    if (places.has(lines[i])) arrayPush.call(places.get(lines[i]), i);
    else places.set(lines[i], [i]);
  }
  const runs = [];
  if (lines.length - places.size <= kMinRepeated) return runs;
  for (let i = 0; i < lines.length - kMinRepeated; i++) {
    const { length, times } = bestBlock(lines, i, places.get(lines[i]));
    if (length * times < kMinRepeated) continue;
    arrayPush.call(runs, { offset: i + length, length, times });
    i += length * (times + 1) - 1;
  }
  return runs;
}

module.exports = { commonRun, repeatedRuns };
