// natives: modules
//
// The format of a file: ES module, CommonJS, JSON, WebAssembly or TypeScript. By
// extension, by the nearest package.json's "type", and, where both are silent,
// by trying whether the source parses only as an ES module.

'use strict';

const binding = native('modules');
const { hasBuiltinScheme } = require('internal/modules/builtins');
const packageJson = require('internal/modules/package_json');
const { urlToPath } = require('internal/modules/file_url');
const { getOptionValue } = require('internal/process/options');

const byExtension = {
  __proto__: null,
  '.cjs': 'commonjs',
  '.mjs': 'module',
  '.json': 'json',
  '.wasm': 'wasm',
  '.mts': 'module-typescript',
  '.cts': 'commonjs-typescript',
};

// Words that only a module has, and declarations that only a module may have.
const kModuleWords = /\b(?:import|export|await|(?:const|let|class)\s+(?:exports|module|require|__dirname|__filename))\b/;
const mayBeModule = (source) => regexpTest.call(kModuleWords, source);

// A source that CommonJS cannot parse but an ES module can. `source` is known
// not to say which it is.
function containsModuleSyntax(source, filename) {
  if (!mayBeModule(source)) return false;
  if (parsesAsCommonJs(source, filename)) return false;
  if (binding.parsesAsModule(source, filename)) return true;
  const lowered = require('internal/modules/lower_using').lower(source, 'module');
  return lowered !== undefined && binding.parsesAsModule(lowered, filename);
}

function parsesAsCommonJs(source, filename) {
  try {
    const { wrapperParameters } = require('internal/modules/cjs_loader');
    binding.compileFunction(source, filename, wrapperParameters, 0);
    return true;
  } catch {
    return false;
  }
}

function detect(source, filename) {
  if (!getOptionValue('--experimental-detect-module')) return 'commonjs';
  return containsModuleSyntax(source, filename) ? 'module' : 'commonjs';
}

function extensionOf(path) {
  const slash = stringLastIndexOf.call(path, '/');
  const dot = stringLastIndexOf.call(path, '.');
  return dot <= slash + 1 ? '' : stringSlice.call(path, dot);
}

const warned = new Set();
function warnTypeless(config, url) {
  if (!config.exists || warned.has(config.path) || stringIncludes.call(url, '/node_modules/')) return;
  warned.add(config.path);
  process.emitWarning(
    `Module type of ${url} is not specified and it doesn't parse as CommonJS.\n` +
      'Reparsing as ES module because module syntax was detected. This incurs a performance overhead.\n' +
      `To eliminate this warning, add "type": "module" to ${config.path}.`,
    { code: 'MODULE_TYPELESS_PACKAGE_JSON' },
  );
}

function ambiguous(url, path, source, config) {
  const format = detect(source, path);
  if (format === 'module' && extensionOf(path) !== '') warnTypeless(config, url);
  return format;
}

function typescriptFormat(url, path, source) {
  const config = packageJson.nearest(path);
  if (config.type !== 'none') return config.type + '-typescript';
  if (source === undefined) return undefined;
  const { stripTypes } = require('internal/modules/typescript');
  return ambiguous(url, path, stripTypes(String(source), path), config) + '-typescript';
}

function isWasm(bytes) {
  return typeof bytes === 'string'
    ? stringStartsWith.call(bytes, '\0asm')
    : bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
}

// The first bytes of a file whose name says nothing.
function beginsAsWasm(path) {
  const fs = require('internal/fs/fs');
  const bytes = new Uint8Array(4);
  let descriptor;
  try {
    descriptor = fs.openSync(path);
    fs.readSync(descriptor, bytes, 0, bytes.length, 0);
  } catch {
    return false; // told when it is loaded
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
  return isWasm(bytes);
}

function extensionless(url, path, source) {
  const config = packageJson.nearest(path);
  if (config.type === 'commonjs') return 'commonjs';
  if (source === undefined) return config.type === 'module' ? (beginsAsWasm(path) ? 'wasm' : 'module') : undefined;
  if (isWasm(source)) return 'wasm';
  return config.type === 'module' ? 'module' : ambiguous(url, path, source, config);
}

// The format of a file: URL, or undefined where it cannot be told (yet).
function fileFormat(url, source) {
  const path = urlToPath(url);
  const extension = extensionOf(path);
  if (extension === '.js') {
    const config = packageJson.nearest(path);
    if (config.type !== 'none') return config.type;
    return source === undefined ? undefined : ambiguous(url, path, source, config);
  }
  if (extension === '') return extensionless(url, path, source);
  if (!getOptionValue('--strip-types') && stringEndsWith.call(extension, 'ts')) return undefined;
  if (extension === '.ts') return typescriptFormat(url, path, source);
  return byExtension[extension];
}

const dataUrl = /^data:([^/,]+\/[^;,]+)(?:[^,]*?)(;base64)?,([\s\S]*)$/;

function dataFormat(url) {
  const mime = regexpExec.call(dataUrl, url)?.[1];
  if (mime === undefined) return undefined;
  if (regexpTest.call(/^\s*(?:text|application)\/javascript\s*$/i, mime)) return 'module';
  if (mime === 'application/json') return 'json';
  if (mime === 'application/wasm') return 'wasm';
  if (regexpTest.call(/^\s*text\/plain\s*$/i, mime) && getOptionValue('--experimental-import-text')) return 'text';
  return undefined;
}

function formatWithoutSource(url) {
  if (hasBuiltinScheme(url)) return 'builtin';
  if (stringStartsWith.call(url, 'data:')) return dataFormat(url);
  return stringStartsWith.call(url, 'file:') ? fileFormat(url, undefined) : undefined;
}

// The same with the source at hand; throws when the extension means nothing to us.
function formatOf(url, source) {
  const format = stringStartsWith.call(url, 'file:') ? fileFormat(url, source) : formatWithoutSource(url);
  if (format !== undefined) return format;
  const codes = require('internal/errors/coded').codes;
  if (!stringStartsWith.call(url, 'file:')) {
    throw new codes.ERR_UNKNOWN_MODULE_FORMAT(regexpExec.call(dataUrl, url)?.[1] ?? format, url);
  }
  const path = urlToPath(url);
  throw new codes.ERR_UNKNOWN_FILE_EXTENSION(extensionOf(path), path);
}

// The format of a file for require() by its name alone: a format, or undefined for "look inside".
function commonJsFormat(filename) {
  const extension = extensionOf(filename);
  const known = byExtension[extension];
  if (known !== undefined && extension !== '.json' && extension !== '.wasm') {
    return stringEndsWith.call(extension, 'ts') && !getOptionValue('--strip-types') ? undefined : known;
  }
  if (extension === '.ts' && getOptionValue('--strip-types')) {
    const { type } = packageJson.nearest(filename);
    return type === 'none' ? 'typescript' : type + '-typescript';
  }
  if (extension !== '.js' && extension !== '') return undefined;
  const { type } = packageJson.nearest(filename);
  return type === 'none' ? undefined : type;
}

module.exports = { formatOf, formatWithoutSource, commonJsFormat, containsModuleSyntax, extensionOf, dataUrl, mayBeModule };
