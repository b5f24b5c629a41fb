'use strict';
// Functions, types and constants that a header of src/ declares and nothing uses. Called by check_layers. It reads words, not C++: a name
// that means something elsewhere, too, passes. include/ is an interface and is left out, and so are names that overrides must have.
const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');

const root = path.dirname(__dirname);
const listed = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'include', 'tests', 'bench', 'examples', 'tools', 'cmake'],
  {
    cwd: root,
    encoding: 'utf8',
  },
);
const plain = (text) =>
  text
    .replace(/\/\/.*/g, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
const texts = new Map();
for (const file of listed.split('\n')) {
  if (/\.(cpp|h)$/.test(file) && fs.existsSync(path.join(root, file)))
    texts.set(file, plain(fs.readFileSync(path.join(root, file), 'utf8')));
}

const counts = new Map();
for (const text of texts.values()) for (const [word] of text.matchAll(/[A-Za-z_]\w*/g)) counts.set(word, (counts.get(word) ?? 0) + 1);

// [name, index] of what a header declares. A function's name follows its type; a word behind return, an operator or a dot is a call.
function* declarations(text) {
  for (const match of text.matchAll(/^[ ]*(?!return\b|else\b|throw\b|co_\w+\b)(?:[\w:<>,*&[\]]+[ ]+)+[*&]*([a-z_]\w*)\(([^;{]*)/gm)) {
    if (!/\boverride\b/.test(match[2]) && !/[=.]/.test(match[0].slice(0, match[0].indexOf(match[1])))) yield match[1];
  }
  for (const match of text.matchAll(/\b(?:class|struct|enum class|using)[ ]+([A-Z]\w*)\b(?=[^;]*[{=])/g)) yield match[1];
  for (const match of text.matchAll(/\bconstexpr[ ][\w:<>, ]*?[ ](k[A-Z]\w*)[ ]*[={[]/g)) yield match[1];
}

// Words of a definition outside of its class, or of a function that a header only declares.
const definitions = (unit, name) => (texts.get(unit)?.match(new RegExp(`^\\S.*\\b${name}\\((?!.*;$)`, 'gm')) ?? []).length;

let breaches = 0;
for (const [file, text] of texts) {
  if (!/^src\/.*\.h$/.test(file)) continue;
  for (const name of new Set(declarations(text))) {
    const declared = (text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length;
    if (declared !== 1 || counts.get(name) > 1 + definitions(file.replace(/\.h$/, '.cpp'), name)) continue;
    console.log(`layers: ${file}: nothing uses ${name}`);
    breaches++;
  }
}
process.exitCode = breaches > 0 ? 1 : 0;
