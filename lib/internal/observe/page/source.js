// natives: none
// The program's text with the runs and times of each line, its output beside the line that printed it, and the running line marked.
'use strict';

const { make, box } = require('internal/observe/page/dom');
const { ms } = require('internal/observe/page/sentences');

const kMostOutput = 3;

// The text of a file: inside a recorded page, or asked for once; undefined until it is there, null where it cannot be had.
function textOf(page, file) {
  const { sources } = page;
  if (sources.has(file)) return sources.get(file);
  sources.set(file, undefined);
  page.askForSource(file).then((text) => {
    sources.set(file, text);
    page.show();
  });
  return undefined;
}

function outputBeside(lines) {
  if (lines.length === 0) return '';
  const last = lines.slice(-kMostOutput).join(' ⏎ ');
  return `${lines.length > kMostOutput ? `${lines.length} lines, last: ` : ''}${last}`;
}

function lineRow(number, text, counts, isNow) {
  const about = counts === undefined || counts.count === 0 ? '' : `${counts.count} × ${ms(counts.ns)}`;
  return make(
    'tr',
    { class: isNow ? 'is-now' : undefined, 'data-line': number },
    make('td', { class: 'number' }, String(number)),
    make('td', { class: 'counts' }, about),
    make('td', { class: 'text' }, make('code', {}, text)),
    make('td', { class: 'output' }, counts === undefined ? '' : outputBeside(counts.output)),
  );
}

// Lines from `from` on of a file, as a table.
function lineTable(page, file, from, to) {
  const text = textOf(page, file);
  if (text === undefined) return make('p', { class: 'dim' }, 'loading …');
  if (text === null) return make('p', { class: 'dim' }, `${file} cannot be read.`);
  const { model, step } = page;
  const counts = model.lineCounts.of(file, step, model.stateAt(step).time);
  const now = model.lineCounts.running(step);
  const lines = text.split('\n');
  const rows = [];
  for (let i = from; i <= Math.min(to, lines.length); i++) {
    rows.push(lineRow(i, lines[i - 1], counts.get(i), now?.file === file && now.line === i));
  }
  const head = ['line', 'runs', 'text', 'output'].map((one) => make('th', { scope: 'col' }, one));
  return make(
    'div',
    { class: 'source', tabindex: '0', role: 'region', 'aria-label': `Source ${file}` },
    make('table', {}, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...rows)),
  );
}

const shortFile = (file) => file.replace(/^.*\//, '');

// Some lines around the running one, or around the one that ran last.
function sourcePart(page, count) {
  const now = page.model.lineCounts.running(page.step) ?? page.lastPlace;
  const file = now?.file ?? page.model.lineCounts.files()[0];
  if (file === undefined) return make('p', { class: 'dim' }, 'No function of the program has run yet.');
  if (now !== undefined) page.lastPlace = now;
  const line = now?.line ?? 1;
  const from = Math.max(1, line - Math.floor(count / 2));
  return make('div', {}, make('p', { class: 'dim' }, `${shortFile(file)}:${line}`), lineTable(page, file, from, from + count));
}

function source(page) {
  const { model } = page;
  const files = model.lineCounts.files();
  if (files.length === 0) return box('Source', make('p', { class: 'dim' }, 'No function of the program has run.'));
  const running = model.lineCounts.running(page.step);
  const chosen = page.chosenFile ?? running?.file ?? files[0];
  const choose = make(
    'select',
    {
      id: 'file',
      'aria-label': 'File',
      onchange: (event) => {
        page.chosenFile = event.target.value;
        page.show();
      },
    },
    ...files.map((file) => make('option', { value: file, selected: file === chosen }, shortFile(file))),
  );
  return box('Source: runs and times of functions by line, output beside the line', choose, lineTable(page, chosen, 1, Infinity));
}

module.exports = { source, sourcePart };
