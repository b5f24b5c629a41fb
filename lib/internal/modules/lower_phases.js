// natives: none
// Imports that the engine does not know: of the source phase (https://tc39.es/proposal-source-phase-imports), and with a type that is
// none of its own. Acorn's tokens show where they are; each becomes an import whose specifier says so, for esm_loader.
//
//   import source x from "./a.wasm"            import        x from "rondo:source:./a.wasm"
//   import.source(name)                        (async($s)=>(await import(`rondo:source:${$s}`)).default)(name)
//   import x from "./a" with {type: "text"}    import x from "rondo:typed:%7B%22type%22%3A%22text%22%7D:./a"
//
// No line is added or removed; columns change only behind an insertion.
'use strict';

const kSource = 'rondo:source:';
const kTyped = 'rondo:typed:';
const kDynamic = `(async($s)=>(await import(\`${kSource}\${$s}\`)).default)`;

const mayHavePhases = /\bimport\b(?:\s|\/\*[^]*?\*\/|\/\/.*)*(?:\.(?:\s|\/\*[^]*?\*\/)*)?source\b/;
// All but `with {}` and `with { type: 'json' }`.
const mayHaveTypes = /["']\s*with\s*\{(?!\s*(?:["']?type["']?\s*:\s*["']json["']\s*,?\s*)?\})/;

const hasPhases = (source) => stringIncludes.call(source, 'source') && regexpTest.call(mayHavePhases, source);
// The engine takes the syntax, and refuses the type when it links.
const hasTypes = (source) => stringIncludes.call(source, 'with') && regexpTest.call(mayHaveTypes, source);
// While hooks are there every attribute is theirs to see when they resolve, which the engine does not tell.
const hasAttributes = (source) => stringIncludes.call(source, 'with') && regexpTest.call(/["']\s*with\s*\{/, source);

function tokensOf(source) {
  const tokenizer = require('acorn').tokenizer(source, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
  const tokens = [];
  for (;;) {
    const token = tokenizer.getToken();
    if (token.type.label === 'eof') return tokens;
    arrayPush.call(tokens, token);
  }
}

const isName = (token) => token?.type.label === 'name';
const isWord = (source, token, word) => isName(token) && stringSlice.call(source, token.start, token.end) === word;
const blank = (text) => replaceMatches(text, /[^\r\n\u2028\u2029]/g, ' ');

const typeMark = (attributes) => `${kTyped}${encodeURIComponent(JSON.stringify(attributes))}:`;

// Whether one argument stands between the parenthesis at `open` and the one that closes it; a comma may follow it.
function hasOneArgument(tokens, open) {
  const first = tokens[open + 1]?.type.label;
  if (first === ')' || first === '...') return false;
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const { label } = tokens[i].type;
    if (label === '(' || label === '[' || label === '{' || label === '${') depth++;
    else if (label === ')' || label === ']' || label === '}') depth--;
    else if (label === ',' && depth === 1 && tokens[i + 1]?.type.label !== ')') return false;
    if (depth === 0) return true;
  }
  return false;
}

// `tokens[at]` is `import`: the changes that it needs, as [start, end, text].
function phaseEdits(source, tokens, at) {
  const [first, second, third, fourth] = each(arraySlice.call(tokens, at + 1, at + 5));
  if (first?.type.label === '.' && isWord(source, second, 'source') && third?.type.label === '(') {
    const isCall = tokens[at - 1]?.type.label !== 'new' && hasOneArgument(tokens, at + 3);
    return isCall ? [[tokens[at].start, second.end, kDynamic]] : [];
  }
  const isStatic = isWord(source, first, 'source') && isName(second) && isWord(source, third, 'from') && fourth?.type.label === 'string';
  if (!isStatic) return [];
  return [
    [first.start, first.end, blank('source')],
    [fourth.start + 1, fourth.start + 1, kSource],
  ];
}

// `tokens[at]` is a specifier; `with { key: "value", … }` may follow: { attributes, clause: [start, end] }.
function readAttributes(source, tokens, at) {
  if (tokens[at + 1]?.type.label !== 'with' || tokens[at + 2]?.type.label !== '{') return undefined;
  const attributes = { __proto__: null };
  for (let i = at + 3; ; i += 4) {
    const [key, colon, value, comma] = each(arraySlice.call(tokens, i, i + 4));
    if (key?.type.label === '}') return { attributes, start: tokens[at + 1].start, end: key.end };
    if (colon?.type.label !== ':' || value?.type.label !== 'string') return undefined;
    attributes[key.type.label === 'string' ? key.value : stringSlice.call(source, key.start, key.end)] = value.value;
    if (comma?.type.label === '}') return { attributes, start: tokens[at + 1].start, end: comma.end };
    if (comma?.type.label !== ',') return undefined;
  }
}

const isJson = (attributes) => attributes.type === 'json' && Object.keys(attributes).length === 1;

function typeEdits(source, tokens, at, isForHooks) {
  const found = readAttributes(source, tokens, at);
  if (found === undefined || Object.keys(found.attributes).length === 0 || (!isForHooks && isJson(found.attributes))) return [];
  const place = tokens[at].start + 1;
  return [
    [place, place, typeMark(found.attributes)],
    [found.start, found.end, blank(stringSlice.call(source, found.start, found.end))],
  ];
}

function editsAt(source, tokens, at, isForHooks) {
  const { label } = tokens[at].type;
  if (label === 'import') return phaseEdits(source, tokens, at);
  const isSpecifier = label === 'string' && (isWord(source, tokens[at - 1], 'from') || tokens[at - 1]?.type.label === 'import');
  return isSpecifier ? typeEdits(source, tokens, at, isForHooks) : [];
}

// A specifier or key that says more than where: { isSource or attributes, mark, rest }, or undefined.
function readMark(text) {
  if (stringStartsWith.call(text, kSource)) return { isSource: true, mark: kSource, rest: stringSlice.call(text, kSource.length) };
  if (!stringStartsWith.call(text, kTyped)) return undefined;
  const end = stringIndexOf.call(text, ':', kTyped.length) + 1;
  const attributes = JSON.parse(decodeURIComponent(stringSlice.call(text, kTyped.length, end - 1)));
  return { isSource: false, attributes, mark: stringSlice.call(text, 0, end), rest: stringSlice.call(text, end) };
}

// The text without such imports, or undefined where it has none.
function lowerPhases(source, isForHooks = false) {
  if (!hasPhases(source) && !(isForHooks ? hasAttributes(source) : hasTypes(source))) return undefined;
  let tokens;
  try {
    tokens = tokensOf(source);
  } catch {
    return undefined;
  }
  let text = '';
  let done = 0;
  for (let at = 0; at < tokens.length; at++) {
    for (const [start, end, added] of eachEntry(editsAt(source, tokens, at, isForHooks))) {
      text += stringSlice.call(source, done, start) + added;
      done = end;
    }
  }
  return done === 0 ? undefined : text + stringSlice.call(source, done);
}

module.exports = { hasPhases, hasTypes, lowerPhases, readMark, typeMark };
