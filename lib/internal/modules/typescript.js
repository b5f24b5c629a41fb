// natives: none
//
// TypeScript by erasure: types become blanks, so lines and columns stay. The
// work is amaro's (npm, embedded); it is loaded when the first .ts file is.
// Syntax that needs code generation (enum, namespace) is refused, as in Node.

'use strict';

const programState = require('internal/process/program_state');
let transform;

function withSnippet(error, failure) {
  error.stack = `${failure.filename}:${failure.startLine}\n${failure.snippet}\n${error.stack}`;
  return error;
}

function strip(source, filename) {
  if (require('internal/process/options').getOptionValue('--jitless')) {
    const { ERR_WEBASSEMBLY_NOT_SUPPORTED } = require('internal/errors/coded').codes;
    throw new ERR_WEBASSEMBLY_NOT_SUPPORTED('TypeScript');
  }
  transform ??= require('amaro').transformSync;
  try {
    return transform(source, { mode: 'strip-only', filename }).code;
  } catch (failure) {
    const { codes } = require('internal/errors/coded');
    if (failure?.code === 'UnsupportedSyntax') {
      throw withSnippet(new codes.ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX(failure.message), failure);
    }
    if (failure?.code === 'InvalidSyntax') {
      throw withSnippet(new codes.ERR_INVALID_TYPESCRIPT_SYNTAX(failure.message), failure);
    }
    throw typeof failure === 'string' ? new Error(failure) : failure;
  }
}

// For the loaders: files of packages are not ours to strip.
function stripTypes(source, filename, sourceUrl = filename) {
  if (regexpTest.call(/[/\\]node_modules[/\\]/, filename)) {
    const { ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING } = require('internal/errors/coded').codes;
    throw new ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING(filename);
  }
  const cache = programState.compileCache;
  const kept = cache?.stripped(filename, source);
  if (kept !== undefined) return kept;
  const stripped = `${strip(source, sourceUrl)}\n\n//# sourceURL=${sourceUrl}`;
  cache?.keepStripped(filename, source, stripped);
  return stripped;
}

// module.stripTypeScriptTypes
let warned = false;
function stripTypeScriptTypes(code, options = {}) {
  if (!warned) {
    warned = true;
    process.emitWarning('stripTypeScriptTypes is an experimental feature and might change at any time', 'ExperimentalWarning');
  }
  const { validateString, validateObject, validateOneOf } = require('internal/util/validators');
  validateString(code, 'code');
  validateObject(options, 'options');
  const { mode = 'strip', sourceMap = false, sourceUrl = '' } = options;
  validateOneOf(mode, 'options.mode', ['strip']);
  validateString(sourceUrl, 'options.sourceUrl');
  validateOneOf(sourceMap, 'options.sourceMap', [false, undefined]);
  const stripped = strip(code, sourceUrl);
  return sourceUrl ? `${stripped}\n\n//# sourceURL=${sourceUrl}` : stripped;
}

module.exports = { strip, stripTypes, stripTypeScriptTypes };
