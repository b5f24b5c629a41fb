// natives: none
// The report of probes: JSON of version 2 of Node's format, or text.
'use strict';

const { placeText } = require('internal/debugger/probe_options');

const kVersion = 2;

// Names of places whose probes are in a list, each once.
function placesOf(probes, indexes) {
  const names = new Set();
  for (const index of each(indexes)) names.add(placeText(probes[index].target));
  return arrayJoin.call(Array.from(names), ', ');
}

// A copy without some properties, at every depth.
function without(value, names) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return arrayMap.call(value, (item) => without(item, names));
  const copy = {};
  for (const name of each(Object.keys(value))) {
    if (!arrayIncludes.call(names, name)) copy[name] = without(value[name], names);
  }
  return copy;
}

const withoutIds = (described) => without(described, ['objectId', 'className']);

function makeReport(probes, results) {
  return {
    v: kVersion,
    probes: arrayMap.call(probes, ({ expr, target, condition, maxHit }) => ({
      expr,
      target,
      ...(condition !== undefined && { condition }),
      ...(maxHit !== Infinity && { maxHit }),
    })),
    results,
  };
}

const jsonText = (report, hasPreviews) => `${JSON.stringify(hasPreviews ? report : without(report, ['preview']))}\n`;

const propertyText = ({ type, value }) => (type === 'string' ? JSON.stringify(value ?? '') : (value ?? type));

function valueText(described) {
  const { type, subtype, value, unserializableValue, description, preview, className } = described ?? { type: 'undefined' };
  if (type === 'undefined') return 'undefined';
  if (type === 'string') return JSON.stringify(value);
  if (unserializableValue !== undefined) return unserializableValue;
  if (subtype === 'null') return 'null';
  if (subtype === 'error') return description || 'Error';
  if (type !== 'object' || preview === undefined) return description || `${value ?? className ?? type}`;
  const isArray = preview.subtype === 'array';
  const texts = arrayMap.call(preview.properties, (each) => (isArray ? propertyText(each) : `${each.name}: ${propertyText(each)}`));
  if (preview.overflow) arrayPush.call(texts, '...');
  const line = arrayJoin.call(texts, ', ');
  return isArray ? `[${line}]` : `{${line}}`;
}

function hitLines({ probe: index, hit, location, error, result }, probes) {
  const { expr, target } = probes[index];
  const { url, line, column } = location;
  const place = url === undefined ? placeText(target) : `${url}:${line}:${column}`;
  const value = error === undefined ? `  ${expr} = ${valueText(result)}` : `  [error] ${expr} = ${error.message}`;
  return [`Hit ${hit} at ${place}`, value];
}

function errorLines({ message, stderr }) {
  if (stderr === undefined) return [message];
  const lines = stringSplit.call(stderr, /\r\n|\r|\n/);
  if (lines[lines.length - 1] === '') arrayPop.call(lines);
  return [message, '  [stderr]', ...each(arrayMap.call(lines, (line) => `  ${line}`))];
}

function resultLines(result, probes) {
  switch (result.event) {
    case 'hit':
      return hitLines(result, probes);
    case 'completed':
      return ['Completed'];
    case 'miss':
      return [`Missed probes: ${placesOf(probes, result.pending)}`];
    case 'timeout':
      return [result.error.message];
    default:
      return errorLines(result.error);
  }
}

function plainText({ probes, results }) {
  const lines = arrayFlatMap.call(results, (result) => resultLines(result, probes));
  const text = arrayJoin.call(lines, '\n');
  return stringEndsWith.call(text, '\n') ? text : `${text}\n`;
}

module.exports = { jsonText, makeReport, placesOf, plainText, withoutIds };
