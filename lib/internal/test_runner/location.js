// natives: util
// The place in the program where a test or hook was declared: { line, column, file }, through the source map when maps are on.
'use strict';

const engine = native('util');

function toPath(name) {
  return stringStartsWith.call(name, 'file:') ? require('internal/url/url').fileURLToPath(name) : name;
}

// The caller of `fn`, which is on the stack.
function callerLocation(fn) {
  const { 0: site } = engine.getCallSites(1, fn);
  if (site === undefined) return undefined;
  return { __proto__: null, line: site.lineNumber, column: site.columnNumber, file: site.scriptName };
}

function resolveLocation(location, usesSourceMaps) {
  if (location === undefined) return undefined;
  const { line, column, file } = location;
  if (usesSourceMaps) {
    const entry = require('internal/source_map/cache')
      .findSourceMap(file)
      ?.findEntry(line - 1, column - 1);
    if (entry?.originalSource !== undefined) {
      return { __proto__: null, line: entry.originalLine + 1, column: entry.originalColumn + 1, file: toPath(entry.originalSource) };
    }
  }
  return { __proto__: null, line, column, file: toPath(file) };
}

module.exports = { callerLocation, resolveLocation };
