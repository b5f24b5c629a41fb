// natives: ledger
// The report of an exploration for people: the outcomes, how often each came, the schedule that shows it, and the one deviation that
// makes the difference, by the two callbacks whose order changed.
'use strict';

const kMostLines = 8;
const kMostOutcomes = 6;
const { kTimer, kImmediate } = native('ledger');

function firstLines(text, most) {
  const all = stringSplit.call(stringEndsWith.call(text, '\n') ? stringSlice.call(text, 0, -1) : text, '\n');
  const kept = arrayMap.call(arraySlice.call(all, 0, most), (line) => `     ${line}\n`);
  if (all.length > most) arrayPush.call(kept, `     … ${all.length - most} more lines\n`);
  return arrayJoin.call(kept, '');
}

// Lines of an explained run (src/cli/explore_run.cpp): the callbacks that began after the choice at `position`.
function callbacksAfter(notes, position) {
  const found = [];
  const byId = new Map();
  let isAfter = false;
  for (const line of each(stringSplit.call(notes, '\n'))) {
    const parts = stringSplit.call(line, ' ');
    if (parts[0] === 'choice' && Number(parts[1]) === position) isAfter = true;
    if (!isAfter) continue;
    if (parts[0] === 'begin') {
      const callback = { kind: Number(parts[2]), name: arrayJoin.call(arraySlice.call(parts, 3), ' ') };
      byId.set(parts[1], callback);
      arrayPush.call(found, callback);
    } else if (parts[0] === 'named' && byId.has(parts[1])) {
      byId.get(parts[1]).name = arrayJoin.call(arraySlice.call(parts, 2), ' ');
    }
  }
  return found;
}

const kindName = (kind) => (kind === kTimer ? 'the timer' : kind === kImmediate ? 'the immediate' : 'the event');
const shorten = (name, folder) => arrayJoin.call(stringSplit.call(name, `${folder}/`), '');
const told = (callback, folder) => `${kindName(callback.kind)} ${shorten(callback.name, folder) || '(unnamed)'}`;
const isSame = (a, b) => a.kind === b.kind && a.name === b.name;

// "A comes before B", where without the deviation B came first.
function difference(without, with_, deviation, folder) {
  const before = callbacksAfter(without, deviation.position);
  const after = callbacksAfter(with_, deviation.position);
  let at = 0;
  while (at < before.length && at < after.length && isSame(before[at], after[at])) at++;
  const { 0: usual, 1: other } = [before[at], after[at]];
  if (deviation.letter === 'b') return 'the stream is cut in another place';
  if (deviation.letter === 'f') return `an operation fails${other === undefined ? '' : `, before ${told(other, folder)}`}`;
  if (other !== undefined && usual !== undefined) {
    return `${told(other, folder)}\n     comes before\n     ${told(usual, folder)}`;
  }
  if (other !== undefined) return `${told(other, folder)} runs, where the program ended before`;
  if (usual !== undefined) return `the program ends before ${told(usual, folder)}`;
  if (deviation.letter === 'c') return 'the clock has moved on';
  return before.length === 0 ? 'completions come in another order' : `two calls change places:\n     ${told(before[0], folder)}`;
}

// The difference for each outcome but the first; `explain(last)` resolves to the notes of a schedule that ends with that deviation.
async function differences(outcomes, explain, folder) {
  const texts = [];
  for (const outcome of each(outcomes)) {
    const { last } = outcome;
    if (last === null) arrayPush.call(texts, '');
    else arrayPush.call(texts, difference(await explain(last.before), await explain(last), last, folder));
  }
  return texts;
}

function ending(outcome) {
  if (outcome.isEndless) return 'does not end';
  if (outcome.isStuck) return 'waits for ever';
  return `exit code ${outcome.exitCode}`;
}

function reasons(search) {
  const found = [];
  if (search.isStopped) arrayPush.call(found, 'it was stopped');
  if (search.isCut) arrayPush.call(found, 'schedules with more deviations were left out (--all runs them)');
  if (search.isLimited) arrayPush.call(found, 'an operation was put off sixteen times, and no more often');
  if (search.hasOutside) arrayPush.call(found, 'a child process or another machine took part, which is not controlled');
  if (search.misfits > 0)
    arrayPush.call(found, `${search.misfits} runs did not follow their schedule: something in the program is not controlled`);
  return found;
}

const kFailedLines = 20;

// One outcome: what it printed, the difference that leads to it, its schedule.
async function describe(outcome, args, explain) {
  const why = (await differences([outcome], explain, process.cwd()))[0];
  let text = firstLines(outcome.stdout + outcome.stderr, kFailedLines);
  if (why !== '') text += `   when\n     ${why}\n`;
  return `${text}   rondo replay ${arrayJoin.call(args, ' ')} --schedule=${outcome.schedule}\n`;
}

async function print(search, args, explain) {
  const outcomes = search.found;
  const shown = arraySlice.call(outcomes, 0, kMostOutcomes);
  const why = await differences(shown, explain, process.cwd());
  let text = `${search.schedules} schedules, ${outcomes.length} outcome${outcomes.length === 1 ? '' : 's'}. `;
  text += search.isComplete ? 'These are all.\n' : `There may be more: ${arrayJoin.call(reasons(search), '; ')}.\n`;
  for (let i = 0; i < shown.length; i++) {
    const outcome = shown[i];
    const often = outcome.count === 1 ? '1 schedule' : `${outcome.count} schedules`;
    const which = outcome.last === null ? 'the one of a quick, idle machine' : `first in run ${outcome.first}`;
    text += `\n${i + 1}.  ${ending(outcome)}, ${often}, ${which}\n`;
    text += outcome.said.length === 0 ? '' : firstLines(arrayJoin.call(outcome.said, '\n'), kMostLines);
    text += outcome.stdout === '' ? '' : firstLines(outcome.stdout, kMostLines);
    text += outcome.stderr === '' ? '' : firstLines(outcome.stderr, kMostLines);
    if (why[i] !== '') text += `   when\n     ${why[i]}\n`;
    text += `   rondo replay ${arrayJoin.call(args, ' ')} --schedule=${outcome.schedule}\n`;
  }
  if (outcomes.length > shown.length) text += `\n… and ${outcomes.length - shown.length} more; --json lists all\n`;
  process.stdout.write(text);
}

module.exports = { describe, kMostOutcomes, print };
