// natives: util
// console.table: what goes into which column, and the box around it.
'use strict';

const engine = native('util');
const types = require('internal/util/types');
const { getStringWidth, inspect } = require('internal/util/inspect');

const kIndex = '(index)';
const kIteration = '(iteration index)';
const kKey = 'Key';
const kValues = 'Values';

// --- the box

function renderRow(cells, widths) {
  const padded = arrayMap.call(cells, (cell, i) => ` ${cell}${stringRepeat.call(' ', widths[i] - getStringWidth(cell) - 1)}`);
  return `│${arrayJoin.call(padded, '│')}│`;
}

function render(head, columns) {
  const height = arrayReduce.call(columns, (most, column) => Math.max(most, column.length), 0);
  const rows = [];
  for (let i = 0; i < height; i++)
    arrayPush.call(
      rows,
      arrayMap.call(columns, (column) => column[i] ?? ''),
    );
  const widths = arrayMap.call(
    head,
    (name, i) => arrayReduce.call(rows, (widest, row) => Math.max(widest, getStringWidth(row[i])), getStringWidth(name)) + 2,
  );
  const line = (left, cross, right) =>
    `${left}${arrayJoin.call(
      arrayMap.call(widths, (width) => stringRepeat.call('─', width)),
      cross,
    )}${right}`;
  return arrayJoin.call(
    [
      line('┌', '┬', '┐'),
      renderRow(head, widths),
      line('├', '┼', '┤'),
      ...each(arrayMap.call(rows, (row) => renderRow(row, widths))),
      line('└', '┴', '┘'),
    ],
    '\n',
  );
}

// --- what goes in

function makeShow(options) {
  return (value) => {
    const isList = Array.isArray(value) || types.isTypedArray(value);
    const many = value !== null && typeof value === 'object' && !isList && Object.keys(value).length > 2;
    return inspect(value, { depth: many ? -1 : 0, maxArrayLength: 3, breakLength: Infinity, ...options });
  };
}

function tableOfPairs(pairs, show) {
  return render(
    [kIteration, kKey, kValues],
    [
      arrayMap.call(pairs, (pair, i) => show(i)),
      arrayMap.call(pairs, (entry) => show(entry[0])),
      arrayMap.call(pairs, (entry) => show(entry[1])),
    ],
  );
}

function tableOfValues(values, show) {
  return render([kIteration, kValues], [arrayMap.call(values, (value, i) => show(i)), arrayMap.call(values, show)]);
}

function tableOfObject(data, properties, show) {
  const columns = new Map();
  const primitives = [];
  const rows = Object.keys(data);
  arrayForEach.call(rows, (row, i) => {
    const item = data[row];
    const isPrimitive = item === null || (typeof item !== 'function' && typeof item !== 'object');
    if (properties === undefined && isPrimitive) {
      primitives[i] = show(item);
      return;
    }
    for (const key of each(properties || Object.keys(item))) {
      if (!columns.has(`${key}`)) columns.set(`${key}`, []);
      columns.get(`${key}`)[i] = isPrimitive || !Object.hasOwn(item, key) ? '' : show(item[key]);
    }
  });
  // Keys that are integers come first, as in any object.
  const ordered = Object.keys(Object.fromEntries(each(columns)));
  const head = [kIndex, ...each(ordered)];
  const body = [rows, ...each(arrayMap.call(ordered, (key) => columns.get(key)))];
  if (primitives.length > 0) {
    arrayPush.call(head, kValues);
    arrayPush.call(body, primitives);
  }
  return render(head, body);
}

function pairsOf(flat) {
  const pairs = [];
  for (let i = 0; i < flat.length; i += 2) arrayPush.call(pairs, [flat[i], flat[i + 1]]);
  return pairs;
}

function makeTable(data, properties, options) {
  const show = makeShow(options);
  if (types.isMap(data)) return tableOfPairs([...each(data)], show);
  if (types.isSet(data)) return tableOfValues([...each(data)], show);
  if (types.isMapIterator(data)) {
    const [flat, isKeyValue] = each(engine.previewEntries(data, true));
    return isKeyValue ? tableOfPairs(pairsOf(flat), show) : tableOfValues(flat, show);
  }
  if (types.isSetIterator(data)) return tableOfValues(engine.previewEntries(data), show);
  return tableOfObject(data, properties, show);
}

module.exports = { makeTable };
