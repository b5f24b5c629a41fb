// The notes of docs/decisions: their index (docs/decisions/README.md) and their numbers.
//
//   node tools/decisions.js               writes the index anew
//   node tools/decisions.js --renumber    closes gaps in the numbers, rewrites every reference to them, then writes the index
//   node tools/decisions.js --check       fails on a note without a status, a gap, a reference to no note, or an index that is not true
//
// Work that is not merged yet numbers its notes from 0200 on, so that two branches do not take the same number; such notes need
// no row in the index until --renumber has given them their number. Status: the line below the title, "Status: accepted." or
// "Status: superseded by NNNN." (a part of a note may be superseded too: "Status: accepted; names superseded by NNNN.").
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');

const kFolder = 'docs/decisions';
const kIndex = `${kFolder}/README.md`;
const kProvisional = 200;
const kReference = /(\b[Dd]ecisions? |\bdecisions\/|\[|\]\()(0\d{3})\b/g;
const kInNotes = /(?<![\d.])(0[012]\d\d)(?!\d)/g;

const pad = (number) => String(number).padStart(4, '0');

function readNotes() {
  const names = fs.readdirSync(kFolder).filter((name) => /^\d{4}-.*\.md$/.test(name));
  return names.sort().map((name) => {
    const text = fs.readFileSync(path.join(kFolder, name), 'utf8');
    return {
      name,
      number: name.slice(0, 4),
      title: (/^# \d{4}[:. ·]* ?(.*)$/m.exec(text) ?? [])[1],
      status: (/^Status: (.*?)\.?$/m.exec(text) ?? [])[1],
    };
  });
}

function indexOf(notes) {
  const rows = notes
    .filter(({ number }) => Number(number) < kProvisional)
    .map(({ name, number, title, status }) => `| [${number}](${name}) | ${title} | ${status} |`);
  return [
    '# Decisions',
    '',
    'One note for each choice that someone may question: context, choice, what was rejected, what follows; at most 40 lines.',
    'A note that no longer holds stays, and its status says which one replaced it. This list is written by `tools/decisions.js`',
    'and checked by `tools/check_text`.',
    '',
    '| | decision | status |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function textFiles() {
  const list = execFileSync('git', ['grep', '-lIE', '0[0-9]{3}', '--', '.', ':!package-lock.json', ':!tests/conformance'], {
    encoding: 'utf8',
  });
  return list.split('\n').filter((file) => /\.(md|h|cpp|js|cmake|ts)$|^(tools|tests)\/[a-z_]+$|CMakeLists/.test(file) && file !== kIndex);
}

function renumber(below) {
  const notes = readNotes().filter(({ number }) => Number(number) < below);
  const numbers = new Map(notes.map(({ number }, i) => [number, pad(i + 1)]));
  const names = new Map(notes.map(({ name, number }) => [name, numbers.get(number) + name.slice(4)]));
  const renamed = (whole, before, number) => `${before}${numbers.get(number) ?? number}`;
  for (const file of textFiles()) {
    const text = fs.readFileSync(file, 'utf8');
    const isNote = file.startsWith(`${kFolder}/`);
    const changed = isNote ? text.replaceAll(kInNotes, (number) => numbers.get(number) ?? number) : text.replaceAll(kReference, renamed);
    if (changed !== text) fs.writeFileSync(file, changed);
  }
  for (const [from, to] of names) {
    if (from !== to) execFileSync('git', ['mv', path.join(kFolder, from), path.join(kFolder, to)]);
  }
}

function check(notes) {
  const faults = [];
  const numbers = new Set(notes.map(({ number }) => number));
  let last = 0;
  for (const { name, number, title, status } of notes) {
    if (title === undefined) faults.push(`${kFolder}/${name}: the first line must be "# ${number} title"`);
    if (status === undefined) faults.push(`${kFolder}/${name}: no line "Status: accepted." or "Status: superseded by NNNN."`);
    if (Number(number) >= kProvisional) continue;
    if (Number(number) !== last + 1)
      faults.push(`${kFolder}/${name}: ${pad(last + 1)} is the next number (node tools/decisions.js --renumber)`);
    last = Number(number);
  }
  for (const file of textFiles()) {
    for (const [, , number] of fs.readFileSync(file, 'utf8').matchAll(/\b([Dd]ecisions? \[?|decisions\/)(0\d{3})\b/g)) {
      if (!numbers.has(number)) faults.push(`${file}: there is no decision ${number}`);
    }
  }
  if (faults.length === 0 && (!fs.existsSync(kIndex) || fs.readFileSync(kIndex, 'utf8') !== indexOf(notes))) {
    faults.push(`${kIndex} is not what the notes say (node tools/decisions.js)`);
  }
  return faults;
}

const option = process.argv[2];
if (option === '--check') {
  const faults = check(readNotes());
  for (const fault of faults) console.log(`text: ${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} else {
  if (option === '--renumber') renumber(Number(process.argv[3] ?? 10_000));
  fs.writeFileSync(kIndex, indexOf(readNotes()));
}
