'use strict';
// JavaScript of lib/ and tools/: a function has at most 80 lines, a line at most 140 columns. Called by check_sizes.
const fs = require('node:fs');
const { execFileSync } = require('node:child_process');
const acorn = require('acorn');
const walk = require('acorn-walk');

const kLines = 80;
const kColumns = 140;
const kParsing = { ecmaVersion: 'latest', locations: true, allowReturnOutsideFunction: true, allowHashBang: true };

function parse(source) {
  try {
    return acorn.parse(source, kParsing);
  } catch {
    return acorn.parse(source, { ...kParsing, sourceType: 'module' });
  }
}

function check(file) {
  const source = fs.readFileSync(file, 'utf8');
  const faults = [];
  source.split('\n').forEach((line, i) => {
    if (line.length > kColumns) faults.push(`${file}:${i + 1}: ${line.length} columns; ${kColumns} is the most`);
  });
  walk.full(parse(source), (node) => {
    if (!/Function/.test(node.type)) return;
    const lines = node.loc.end.line - node.loc.start.line + 1;
    if (lines > kLines) faults.push(`${file}:${node.loc.start.line}: a function of ${lines} lines; ${kLines} is the most`);
  });
  return faults;
}

const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'lib/*.js', 'tools/*.js'], {
  encoding: 'utf8',
});
const faults = list
  .split('\n')
  .filter((file) => file !== '' && fs.existsSync(file))
  .flatMap(check);
for (const fault of faults) console.log(`sizes: ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
