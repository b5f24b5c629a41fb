// natives: modules
//
// --experimental-print-required-tla: where the top-level awaits of a graph are that require() refused. Sources are read again; nothing
// of the graph has run.

'use strict';

const binding = native('modules');

const isFunction = (node) => regexpTest.call(/Function|MethodDefinition|PropertyDefinition|StaticBlock/, node.type);
const isAwait = (node) => node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await) || node.kind === 'await using';

// All awaits outside of functions, in the order of the text.
function collect(node, found) {
  if (node === null || typeof node !== 'object') return found;
  if (typeof node.type === 'string') {
    if (isFunction(node)) return found;
    if (isAwait(node)) arrayPush.call(found, node.loc.start);
  }
  for (const name of each(Object.keys(node))) collect(node[name], found);
  return found;
}

function awaitsIn(url) {
  try {
    const source = binding.readFileUtf8(require('internal/url/url').fileURLToPath(url));
    const tree = require('acorn').parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true, allowHashBang: true });
    const lines = stringSplit.call(source, /\r?\n/); // the program's: of a text of ours
    return arrayMap.call(collect(tree, []), ({ line, column }) => ({
      __proto__: null,
      url,
      line,
      column: column + 1,
      sourceLine: lines[line - 1],
    }));
  } catch {
    return []; // no file, or no text that acorn reads
  }
}

function locationsIn(key) {
  const first = binding.moduleEntry(key);
  const entries = first === undefined ? [] : [first];
  const seen = new Set(entries);
  for (let i = 0; i < entries.length; i++) {
    for (const dependency of each(entries[i].dependencies ?? [])) {
      if (dependency?.key === undefined || seen.has(dependency)) continue;
      seen.add(dependency);
      arrayPush.call(entries, dependency);
    }
  }
  return arrayFlatMap.call(
    arrayFilter.call(entries, (entry) => binding.moduleHasTopLevelAwait(entry.module)),
    (entry) => awaitsIn(entry.key),
  );
}

function describe(locations) {
  const { displayName } = require('internal/modules/file_url');
  const { indentTo } = require('internal/errors/arrow');
  return arrayJoin.call(
    arrayMap.call(
      locations,
      ({ url, line, column, sourceLine }) => `${displayName(url)}:${line}\n\n${sourceLine}\n${indentTo(sourceLine, column)}^\n\n`,
    ),
    '',
  );
}

module.exports = { describe, locationsIn };
