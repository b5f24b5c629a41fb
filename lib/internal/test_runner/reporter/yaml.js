// natives: none
// The YAML block of a TAP line: duration, place, and the error with its causes unwrapped.
'use strict';

const { isDate, isNativeError } = require('internal/util/types');
const { isUnwrapped } = require('internal/test_runner/failures');
const { inspectWithoutCustom } = require('internal/test_runner/reporter/inspect_error');

const kInspect = { __proto__: null, colors: false, breakLength: Infinity };

const isError = (value) => isNativeError(value) || value instanceof Error;
const isAssertion = (value) => Boolean(value) && typeof value === 'object' && 'expected' in value && 'actual' in value;

function textToYaml(indent, prefix, text) {
  const lines = regexpSplit.call(/\r?\n/, text);
  if (lines.length === 1) return `${prefix} ${inspectWithoutCustom(text, kInspect)}\n`;
  return `${prefix} |-\n${arrayJoin.call(
    arrayMap.call(lines, (line) => `${indent}    ${line}\n`),
    '',
  )}`;
}

// `seen`: objects around `value`, which are not written again.
function toYaml(indent, name, value, seen) {
  if (value === undefined) return '';
  const prefix = `${indent}  ${name}:`;
  if (value === null) return `${prefix} ~\n`;
  if (typeof value === 'string') return textToYaml(indent, prefix, value);
  if (typeof value !== 'object') return `${prefix} ${inspectWithoutCustom(value, kInspect)}\n`;
  seen.add(value);
  const hasError = isError(value);
  const inner = name === null ? indent : `${indent}  `;
  let text = name === null ? '' : `${prefix}${isDate(value) ? ` ${dateToISOString.call(value)}` : ''}\n`;
  for (const { 0: key, 1: member } of each(Object.entries(value))) {
    if (hasError && (key === 'cause' || key === 'code')) continue;
    text += seen.has(member) ? `${inner}  ${key}: <Circular>\n` : toYaml(inner, key, member, seen);
  }
  return hasError ? text + errorToYaml(indent, value, seen) : text;
}

// The fields of the error that the program threw, if the failure is only its wrapping.
function fieldsOf(error) {
  const { code, message, name, stack, expected, actual, operator, cause } = error;
  const fields = { message: message ?? '<unknown error>', code, name, stack, expected, actual, operator, isAssertion: isAssertion(error) };
  if (!isUnwrapped(error)) return fields;
  for (const key of each(['stack', 'code', 'name', 'message'])) fields[key] = cause?.[key] ?? fields[key];
  if (!isAssertion(cause)) return fields;
  return { ...fields, expected: cause.expected, actual: cause.actual, operator: cause.operator ?? operator, isAssertion: true };
}

function errorToYaml(indent, error, seen) {
  const { message, code, name, stack, expected, actual, operator, isAssertion: hasValues } = fieldsOf(error);
  let text = toYaml(indent, 'error', message, seen);
  if (code) text += toYaml(indent, 'code', code, seen);
  if (name && name !== 'Error') text += toYaml(indent, 'name', name, seen);
  if (hasValues) {
    text += toYaml(indent, 'expected', expected, new Set(seen)) + toYaml(indent, 'actual', actual, new Set(seen));
    if (operator) text += toYaml(indent, 'operator', operator, seen);
  }
  if (typeof stack !== 'string') return text;
  const frames = arrayFilter.call(regexpSplit.call(/\r?\n/, stack), (line) => stringStartsWith.call(line, '    at ') && line.length > 7);
  if (frames.length === 0) return text;
  const lines = arrayMap.call(frames, (frame) => `${indent}    ${stringSlice.call(frame, 7)}\n`);
  return `${text}${indent}  stack: |-\n${arrayJoin.call(lines, '')}`;
}

function detailsToYaml(indent, details = {}, place) {
  const { duration_ms: duration, type, error } = details;
  const fields = toYaml(indent, 'duration_ms', duration) + toYaml(indent, 'type', type) + (place ? toYaml(indent, 'location', place) : '');
  return `${indent}  ---\n${fields}${toYaml(indent, null, error, new Set())}${indent}  ...\n`;
}

module.exports = { detailsToYaml };
