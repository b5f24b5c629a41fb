// natives: modules, stdio
//
// The warning when the loop ends and the main module still waits: where the
// await is that nobody will settle. The engine does not tell, so the sources
// are read again: the main module's first top-level await, or else that of the
// module loaded last which has one.

'use strict';

const programState = require('internal/process/program_state');
const binding = native('modules');
const { writeText } = native('stdio');

function sourceOf(key) {
  if (stringEndsWith.call(key, '[eval1]')) return programState.evalText;
  if (!stringStartsWith.call(key, 'file:')) return undefined;
  try {
    return binding.readFileUtf8(require('internal/url/url').fileURLToPath(key));
  } catch {
    return undefined;
  }
}

const isFunction = (node) => regexpTest.call(/Function|MethodDefinition|PropertyDefinition/, node.type);

// The first await outside of any function, in the order of the text.
function firstAwait(node) {
  if (node === null || typeof node !== 'object') return undefined;
  if (typeof node.type === 'string') {
    if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) return node;
    if (isFunction(node)) return undefined;
  }
  for (const name of each(Object.keys(node))) {
    const found = firstAwait(node[name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function awaitIn(key) {
  const source = sourceOf(key);
  if (source === undefined || !regexpTest.call(/\bawait\b/, source)) return undefined;
  try {
    const tree = require('acorn').parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true, allowHashBang: true });
    const node = firstAwait(tree);
    if (node === undefined) return undefined;
    const { line, column } = node.loc.start;
    return `${key}:${line}\n${stringSplit.call(source, '\n')[line - 1]}\n${stringRepeat.call(' ', column)}^\n\n\n`;
  } catch {
    return undefined; // TypeScript, or nothing that acorn reads
  }
}

function warn() {
  const { getOptionValue } = require('internal/process/options');
  if (!getOptionValue('--warnings') || process.env.NODE_NO_WARNINGS === '1') return;
  const { mainAndLoaded } = require('internal/modules/esm_loader');
  for (const key of each(mainAndLoaded())) {
    const place = awaitIn(key);
    if (place === undefined) continue;
    writeText(2, `Warning: Detected unsettled top-level await at ${place}`);
    return;
  }
}

function hasTopLevelAwait(source) {
  if (!regexpTest.call(/\bawait\b/, source)) return false;
  const tree = require('acorn').parse(source, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
  return firstAwait(tree) !== undefined;
}

module.exports = { hasTopLevelAwait, warn };
