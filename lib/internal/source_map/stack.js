// natives: none
//
// Stacks with original places: what the engine asks for instead of its own
// format while source maps are on, and the excerpt printed with an uncaught
// error.

'use strict';

const { findSourceMap, originalLine } = require('internal/source_map/cache');

const kCoded = Symbol.for('rondo.error.coded');

function header(error) {
  try {
    if (kCoded in error) return `${error.name} [${error.code}]: ${error.message}`;
    return errorToString.call(error);
  } catch {
    return 'Error';
  }
}

function withoutScheme(source) {
  return stringStartsWith.call(source, 'file://') ? require('internal/url/url').fileURLToPath(source) : source;
}

// Transpilers rename functions; the map may know the name the caller used. (The engine does not tell where the function itself begins.)
function originalName(map, site, caller) {
  if (caller === undefined || caller.getFileName() !== site.getFileName()) return undefined;
  return map.findEntry(caller.getLineNumber() - 1, caller.getColumnNumber() - 1).name;
}

function mappedFrame(map, site, caller) {
  const entry = map.findEntry(site.getLineNumber() - 1, site.getColumnNumber() - 1);
  if (entry.originalSource === undefined || entry.originalLine === undefined) return `${site}`;
  const owner = site.getTypeName();
  const name = originalName(map, site, caller) || site.getFunctionName() || '<anonymous>';
  const full = (site.isConstructor() ? 'new ' : '') + (owner === null || owner === 'global' ? '' : `${owner}.`) + name;
  return `${full} (${withoutScheme(entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1})`;
}

function mappedStack(error, trace) {
  const lines = arrayMap.call(trace, (site, i) => {
    try {
      const map = findSourceMap(site.getFileName());
      if (map !== undefined) return mappedFrame(map, site, trace[i + 1]);
    } catch {
      // A broken map leaves the frame as it is.
    }
    return `${site}`;
  });
  return arrayJoin.call([header(error), ...each(lines)], '\n    at ');
}

// [url, line, column, text] of a place in generated code, in the original; undefined without a map.
function mappedPlace(url, line, column) {
  const map = findSourceMap(url);
  const entry = map?.findEntry(line - 1, column);
  if (entry?.originalSource === undefined) return undefined;
  const text = originalLine(map, entry.originalSource, entry.originalLine);
  if (!text) return undefined;
  return [withoutScheme(entry.originalSource), entry.originalLine + 1, entry.originalColumn + 1, text];
}

module.exports = { mappedStack, mappedPlace };
