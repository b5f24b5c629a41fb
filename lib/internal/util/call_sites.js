// natives: util
// util.getCallSites: where the caller is, as plain objects.
'use strict';

const engine = native('util');
const { validateBoolean, validateInteger, validateObject } = require('internal/util/validators');

function getCallSites(frameCount = 10, options = undefined) {
  if (options === undefined && typeof frameCount === 'object') {
    options = frameCount;
    frameCount = 10;
  }
  if (options !== undefined) {
    validateObject(options, 'options');
    if (options.sourceMap !== undefined) validateBoolean(options.sourceMap, 'options.sourceMap');
  }
  validateInteger(frameCount, 'frameCount', 1, 200);
  const sites = engine.getCallSites(frameCount, getCallSites);
  const { getSourceMapsSupport } = requireLater('internal/source_map/cache');
  const wanted = options?.sourceMap ?? (options === undefined ? false : undefined);
  if (wanted === false || (wanted === undefined && !getSourceMapsSupport().enabled)) return sites;
  return arrayMap.call(sites, original);
}

// The same place in the original source, where there is a map.
function original(site) {
  const { findSourceMap } = requireLater('internal/source_map/cache');
  const entry = findSourceMap(site.scriptName)?.findEntry(site.lineNumber - 1, site.columnNumber - 1);
  if (entry?.originalSource === undefined) return site;
  const column = entry.originalColumn + 1;
  return {
    ...site,
    functionName: entry.name ?? site.functionName,
    scriptName: entry.originalSource,
    lineNumber: entry.originalLine + 1,
    column,
    columnNumber: column,
  };
}

module.exports = { getCallSites };
