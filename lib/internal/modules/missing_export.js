// natives: modules
// The words for an import of what a module does not export, and the importer: the engine tells the name and the module that lacks it,
// not who asked. Asked for by the engine through the loader.
'use strict';

const binding = native('modules');
const { urlToPath } = require('internal/modules/file_url');

const escaped = (text) => replaceMatches(text, /[\\^$.*+?()[\]{}|/]/g, '\\$&');

// Of several names that a module lacks the engine tells any, Node the first.
function firstMissing(clause, provided) {
  const braces = regexpExec.call(/\{([^]*)\}/, clause)?.[1] ?? '';
  for (const item of each(stringSplit.call(braces, ','))) {
    const name = regexpExec.call(/[\w$]+/, item)?.[0];
    if (name !== undefined && !arrayIncludes.call(provided, name)) return name;
  }
  return undefined;
}

// Where `text` names `asked` in a statement that imports from `specifier` or passes on from there.
function findName(text, asked, specifier, provided) {
  const statement = new RegExp(`\\b(?:import|export)\\b([^'"\`;]*?)\\bfrom\\s*(['"])${escaped(specifier)}\\2`, 'g');
  for (let match; (match = regexpExec.call(statement, text)) !== null; ) {
    const name = provided === undefined ? asked : (firstMissing(match[1], provided) ?? asked);
    // Of `export { a as b } from` the engine tells b.
    const passedOn = stringStartsWith.call(match[0], 'export')
      ? regexpExec.call(new RegExp(`([\\w$]+)\\s+as\\s+${escaped(name)}(?![\\w$])`), match[1])
      : null;
    const clause = passedOn ?? regexpExec.call(new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`), match[1]);
    const start = match.index + stringIndexOf.call(match[0], match[1]);
    if (clause !== null) return { offset: start + clause.index, length: clause[0].length, name: passedOn?.[1] ?? name };
  }
  return undefined;
}

function placeOf(key, name, specifier, provided) {
  if (!stringStartsWith.call(key, 'file:')) return undefined;
  let text;
  try {
    text = binding.readFileUtf8(urlToPath(replaceMatches(key, /[?#].*$/, '')));
  } catch {
    return undefined; // loaded by a hook, or gone since
  }
  const found = findName(text, name, specifier, provided);
  if (found === undefined) return undefined;
  const before = stringSplit.call(stringSlice.call(text, 0, found.offset), '\n');
  const line = stringSplit.call(text, '\n')[before.length - 1];
  const column = arrayAt.call(before, -1).length;
  const place = `${key}:${before.length}\n${line}\n${stringRepeat.call(' ', column)}${stringRepeat.call('^', found.length)}\n`;
  return { specifier, place, name: found.name };
}

// `asked`: pairs of specifier and referrer that led to the module; what was asked last is what is being linked.
// `provided`: the names that it exports, where they are known. → { specifier, place, name }
function importerOf(name, asked, provided) {
  for (let i = asked.length - 1; i >= 0; i--) {
    const { 0: specifier, 1: referrer } = asked[i];
    const found = placeOf(referrer, name, specifier, provided);
    if (found !== undefined) return found;
  }
  return { specifier: arrayAt.call(asked, -1)?.[0], place: '', name };
}

// The names in braces of the statement's line, as a pattern for the default export; nothing where they stand on several lines.
function patternIn(place) {
  const braces = regexpExec.call(/\{.*\}/, stringSplit.call(place, '\n')[1] ?? '');
  return braces === null ? '' : `const ${replaceMatches(braces[0], /\s+as\s+/g, ': ')} = pkg;\n`;
}

function words(name, specifier, what, isCommonJs, place) {
  if (what === 'ambiguous') return `The requested module '${specifier}' contains conflicting star exports for name '${name}'`;
  if (!isCommonJs) return `The requested module '${specifier}' does not provide an export named '${name}'`;
  return (
    `Named export '${name}' not found. The requested module '${specifier}' is a CommonJS module, ` +
    'which may not support all module.exports as named exports.\nCommonJS modules can always be imported via the default export, ' +
    `for example using:\n\nimport pkg from '${specifier}';\n${patternIn(place)}`
  );
}

module.exports = { importerOf, words };
