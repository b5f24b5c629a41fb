// Writes src/engine/regexp/unicode_changes.inc: how Unicode's properties differ between the version of the engine's tables and today's.
//
//   node tools/unicode_changes.js OLD NEW > src/engine/regexp/unicode_changes.inc
//
// OLD and NEW are folders of the npm package regenerate-unicode-properties: 10.1.0 has Unicode 15.0, the engine's, and 10.2.2 Unicode 17.0.
'use strict';

const fs = require('fs');
const path = require('path');

const [old, today] = process.argv.slice(2);
const kWidth = 120;
// Scripts that the old version does not have, with the short names of PropertyValueAliases.txt.
const kScripts = {
  Beria_Erfe: 'Berf',
  Garay: 'Gara',
  Gurung_Khema: 'Gukh',
  Kirat_Rai: 'Krai',
  Ol_Onal: 'Onao',
  Sidetic: 'Sidt',
  Sunuwar: 'Sunu',
  Tai_Yo: 'Tayo',
  Todhri: 'Todr',
  Tolong_Siki: 'Tols',
  Tulu_Tigalari: 'Tutg',
  Unknown: 'Zzzz',
};

function read(root, property, value) {
  const file = path.join(root, property, `${value}.js`);
  if (!fs.existsSync(file)) return { characters: [], strings: [] };
  const { characters, strings = [] } = require(path.resolve(file));
  return { characters: characters.toArray(), strings: [...strings] };
}

const hex = (number) => number.toString(16);

function ranges(characters) {
  const found = [];
  for (const character of characters.sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last?.[1] === character - 1) last[1] = character;
    else found.push([character, character]);
  }
  return found.map(([first, last]) => (first === last ? hex(first) : `${hex(first)}-${hex(last)}`)).join(' ');
}

function without(list, others) {
  const set = new Set(others);
  return list.filter((item) => !set.has(item));
}

const spelled = (text) => [...text].map((character) => hex(character.codePointAt(0))).join('+');

function literal(words) {
  const lines = [];
  for (const word of words.split(' ')) {
    if (lines.length > 0 && lines.at(-1).length + word.length < kWidth - 10) lines[lines.length - 1] += ` ${word}`;
    else lines.push(lines.length > 0 ? ` ${word}` : word);
  }
  return lines.map((line) => `"${line}"`).join('\n     ');
}

function row(property, value) {
  const before = read(old, property, value);
  const after = read(today, property, value);
  const added = ranges(without(after.characters, before.characters));
  const removed = ranges(without(before.characters, after.characters));
  const strings = without(after.strings, before.strings).map(spelled).join(' ');
  if (added === '' && removed === '' && strings === '') return;
  const alias = kScripts[value] ?? '';
  const texts = [added, removed, strings].map(literal);
  const gaps = texts.map((text) => (text === '""' ? ' ' : '\n     '));
  console.log(`    {"${property}", "${value}", "${alias}",${texts.map((text, index) => gaps[index] + text).join(',')}},`);
}

console.log(
  '// Written by tools/unicode_changes.js: property, value, short name of a new script, and the characters added, those removed, and the',
);
console.log('// strings added.');
for (const property of fs.readdirSync(today).sort()) {
  if (!fs.statSync(path.join(today, property)).isDirectory()) continue;
  for (const file of fs.readdirSync(path.join(today, property)).sort()) row(property, path.basename(file, '.js'));
}
