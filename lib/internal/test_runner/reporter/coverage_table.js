// natives: none
// Coverage as a table: a tree of files with line, branch and function percentages and the lines that never ran, fitted into the terminal.
'use strict';

const { relative, sep } = require('internal/path/path');
const colors = require('internal/util/colors');

const kColumns = ['line %', 'branch %', 'funcs %'];
const kPercents = ['coveredLinePercent', 'coveredBranchPercent', 'coveredFunctionPercent'];
const kSeparator = ' | ';
const kEllipsis = '\u2026';
const kUncovered = 'uncovered lines';

const cutStart = (text, width) => (text.length > width ? `${kEllipsis}${stringSlice.call(text, text.length - width + 1)}` : text);
const cutEnd = (text, width) => (text.length > width ? `${stringSlice.call(text, 0, width - 1)}${kEllipsis}` : text);

// "1-3 7"
function uncoveredLines({ lines }) {
  const ranges = [];
  for (const { line, count } of each(lines)) {
    if (count !== 0) continue;
    const last = ranges[ranges.length - 1];
    if (last !== undefined && last.end === line - 1) last.end = line;
    else arrayPush.call(ranges, { start: line, end: line });
  }
  return arrayJoin.call(
    arrayMap.call(ranges, ({ start, end }) => (start === end ? `${start}` : `${start}-${end}`)),
    ' ',
  );
}

function fileTree({ files, workingDirectory }) {
  const root = new Map();
  let depth = 1;
  let longest = 0;
  for (const file of each(files)) {
    const parts = stringSplit.call(relative(workingDirectory, file.path), sep);
    let folder = root;
    arrayForEach.call(parts, (part, i) => {
      longest = Math.max(longest, part.length);
      if (i === parts.length - 1) folder.set(part, file);
      else if (!(folder.get(part) instanceof Map)) folder.set(part, new Map());
      folder = folder.get(part);
    });
    depth = Math.max(depth, parts.length);
  }
  return { root, depth, longest };
}

class CoverageTable {
  constructor(prefix, summary, color) {
    this.prefix = prefix;
    this.summary = summary;
    this.color = color;
    this.tree = fileTree(summary);
    this.measure();
  }

  measure() {
    const { columns } = process.stdout;
    this.columnWidths = arrayMap.call(kColumns, (column) => Math.max(column.length, 6));
    let fileWidth = Math.max(this.tree.longest + this.tree.depth - 1 + (this.color ? 2 : 0), 'all files'.length);
    if (fileWidth > columns / 2) fileWidth = Math.floor(columns / 2);
    const percents = arrayReduce.call(this.columnWidths, (sum, width) => sum + width + kSeparator.length, 0);
    const longest = arrayReduce.call(this.summary.files, (most, file) => Math.max(most, uncoveredLines(file).length), kUncovered.length);
    const available = (columns || Infinity) - this.prefix.length;
    this.width = fileWidth + 2 + percents + longest + 2;
    this.uncoveredWidth = Infinity;
    if (this.width > available) {
      fileWidth = Math.min(available * 0.5, fileWidth);
      this.uncoveredWidth = Math.max(available - percents - (fileWidth + 2) - 2, 1);
      this.width = available;
    }
    this.fileWidth = fileWidth;
  }

  rule() {
    return `${this.prefix}${stringRepeat.call('-', this.width)}\n`;
  }

  colored(text, percent) {
    if (!this.color || percent === undefined) return text;
    const color = percent > 90 ? colors.green : percent > 50 ? colors.yellow : colors.red;
    return `${color}${text}${this.color}`;
  }

  line({ name, depth = 0, cells, percent, uncovered = '' }) {
    const width = this.fileWidth - depth;
    const file = this.colored(cutStart(stringPadEnd.call(name, width), width), percent);
    const texts = arrayMap.call(cells, (cell, i) => {
      const isNumber = typeof cell === 'number';
      const text = stringPadStart.call(isNumber ? numberToFixed.call(cell, 2) : cell, this.columnWidths[i]);
      // Words of the header are coloured like a percentage that is low.
      return this.colored(text, isNumber ? cell : -1);
    });
    const row = [`${this.prefix}${stringRepeat.call(' ', depth)}${file}`, ...each(texts), cutEnd(uncovered, this.uncoveredWidth)];
    return `${arrayJoin.call(row, kSeparator)}\n`;
  }

  folder(entries, depth) {
    let text = '';
    for (const { 0: name, 1: entry } of eachEntry(entries)) {
      if (entry instanceof Map) {
        text += this.line({ name, depth, cells: ['', '', ''] }) + this.folder(entry, depth + 1);
        continue;
      }
      const cells = arrayMap.call(kPercents, (key) => entry[key]);
      const percent = (cells[0] + cells[1] + cells[2]) / cells.length;
      text += this.line({ name, depth, cells, percent, uncovered: uncoveredLines(entry) });
    }
    return text;
  }

  toString() {
    const totals = arrayMap.call(kPercents, (key) => this.summary.totals[key]);
    const head = this.line({ name: 'file', cells: kColumns, uncovered: kUncovered });
    const body = this.folder(this.tree.root, 0);
    const foot = this.line({ name: 'all files', cells: totals });
    const rule = this.rule();
    return (
      `${this.color}${this.prefix}start of coverage report\n${rule}${head}${rule}${body}${rule}${foot}${rule}` +
      `${this.prefix}end of coverage report\n${this.color ? colors.white : ''}`
    );
  }
}

const coverageTable = (indent, summary, sign, color) => new CoverageTable(`${indent}${sign}`, summary, color).toString();

module.exports = { coverageTable };
