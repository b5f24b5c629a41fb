// natives: none
// How values are described inside error messages: "Received an instance of Foo",
// "'A', 'B', and 'C'". Shared by internal/errors/coded and the message tables; the inspector is
// loaded only when a value needs it.
'use strict';

let inspector;
function inspect(value, options) {
  inspector ??= requireLater('internal/util/inspect');
  return inspector.inspect(value, options);
}

// A user's custom inspect method may throw; the error being made must still come out.
function inspectSafely(value, options) {
  try {
    return inspect(value, options);
  } catch {
    return inspect(value, { ...options, customInspect: false });
  }
}

function describeNumber(value) {
  return value === 0 && 1 / value < 0 ? '-0' : `${value}`;
}

function describeString(value) {
  const shown = value.length > 28 ? `${stringSlice.call(value, 0, 25)}...` : value;
  return stringIncludes.call(shown, "'") ? JSON.stringify(shown) : `'${shown}'`;
}

function determineSpecificType(value) {
  if (value == null) return `${value}`;
  switch (typeof value) {
    case 'string':
      return `type string (${describeString(value)})`;
    case 'number':
      return `type number (${describeNumber(value)})`;
    case 'bigint':
      return `type bigint (${value}n)`;
    case 'boolean':
      return `type boolean (${value})`;
    case 'symbol':
      return `type symbol (${String(value)})`;
    case 'function':
      return `function ${value.name}`;
    default: {
      const { constructor } = value;
      if (constructor && 'name' in constructor) return `an instance of ${constructor.name}`;
      return inspect(value, { depth: -1 });
    }
  }
}

function formatList(items, word = 'and') {
  const last = items[items.length - 1];
  switch (items.length) {
    case 0:
      return '';
    case 1:
      return `${last}`;
    case 2:
      return `${items[0]} ${word} ${last}`;
    default:
      return `${arrayJoin.call(arraySlice.call(items, 0, -1), ', ')}, ${word} ${last}`;
  }
}

module.exports = { determineSpecificType, formatList, inspectSafely };
