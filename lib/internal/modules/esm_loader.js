// natives: modules
//
// Hooks of the engine for ES modules. It calls
//   resolve(specifier, referrer, attributes) → key      (a URL; may throw)
//   load(key, attributes) → { kind: 'module', source }
//                         | { kind: 'synthetic', names, evaluate(set) }
//   initializeImportMeta(meta, key)
// The engine owns the graph, linking and evaluation. A referrer is a module's
// key, or the path of a CommonJS file that called import().

'use strict';

const programState = require('internal/process/program_state');
const { Buffer } = require('internal/buffer/buffer');
const binding = native('modules');
const { toUrl, urlToPath } = require('internal/modules/file_url');
const { builtinId, hasBuiltinScheme, builtinSynthetic } = require('internal/modules/builtins');
const { formatOf, formatWithoutSource, dataUrl } = require('internal/modules/formats');
const { defaultResolve } = require('internal/modules/esm_resolve');
const { take } = require('internal/modules/esm_sources');
const { importConditionNames } = require('internal/modules/conditions');
const { getOptionValue } = require('internal/process/options');
const hooks = require('internal/modules/hooks');

const facePrefix = 'rondo:require-face:';
const compiledPrefix = 'rondo:wasm-compiled:';
// url (and type) → format, where a resolve hook has said so.
const requestKey = (url, attributes) => (attributes?.type === undefined ? url : `${url}\x00${attributes.type}`);
const hookedFormats = new Map();
const hookedAttributes = new Map(); // the same for import attributes
const resolved = new Map();
const loadedFormats = new Map();
const commonJs = new Map(); // keys of modules that are CommonJS → the names they export
let mainKey;

function errors() {
  return require('internal/errors/coded').codes;
}

function resolveWithHooks(specifier, parentURL, attributes) {
  const lastStep = (asked, context) => {
    if (programState.remoteHooks !== undefined) {
      const { conditions, importAttributes, parentURL: from } = context;
      return programState.remoteHooks.resolve(asked, { conditions: [...each(conditions)], importAttributes, parentURL: from });
    }
    const url = defaultResolve(asked, context.parentURL, context.conditions);
    return { url, format: formatWithoutSource(url) };
  };
  const context = { parentURL, importAttributes: attributes ?? {}, conditions: importConditionNames() };
  const { url, format, importAttributes } = hooks.runResolveHooks(specifier, context, lastStep);
  hookedFormats.set(requestKey(url, attributes), format);
  if (importAttributes != null) hookedAttributes.set(requestKey(url, attributes), importAttributes);
  return url;
}

// The source object of a source-phase import (internal/modules/lower_phases): a compiled module of WebAssembly; others have none.
function sourceObject(url) {
  const { format, source } = loadText(url, {});
  if (format !== 'wasm') throw new (errors().ERR_SOURCE_PHASE_NOT_DEFINED)(url);
  const value = require('internal/modules/wasm_module').sourceOf(url, source);
  return { kind: 'synthetic', names: ['default'], evaluate: (set) => set('default', value) };
}

function checkAttributeNames(attributes, specifier) {
  for (const name in attributes) {
    if (name !== 'type') {
      throw new (errors().ERR_IMPORT_ATTRIBUTE_UNSUPPORTED)(name, attributes[name], specifier);
    }
  }
}

function resolve(specifier, referrer, attributes) {
  const isOfFace = referrer !== undefined && stringStartsWith.call(referrer, facePrefix);
  if (isOfFace || stringStartsWith.call(specifier, compiledPrefix)) return specifier;
  if (stringStartsWith.call(specifier, 'rondo:')) {
    const marked = require('internal/modules/lower_phases').readMark(specifier);
    if (marked !== undefined) {
      return marked.mark + resolve(marked.rest, referrer, marked.isSource ? attributes : marked.attributes);
    }
  }
  if (referrer !== undefined && stringStartsWith.call(referrer, 'rondo:')) {
    referrer = require('internal/modules/lower_phases').readMark(referrer)?.rest ?? referrer;
  }
  const parentUrl = referrer === undefined || referrer === '' ? undefined : toUrl(referrer);
  if (hooks.hasResolveHooks() || programState.remoteHooks !== undefined) return resolveWithHooks(specifier, parentUrl, attributes);
  // A module's specifier resolves to the same file for ever, whatever becomes of the file.
  const cacheKey = `${specifier}\x00${parentUrl}`;
  let url = resolved.get(cacheKey);
  if (url === undefined) resolved.set(cacheKey, (url = defaultResolve(specifier, parentUrl)));
  return url;
}

// import.meta.resolve and require.resolve's ES counterpart: no attributes.
function resolveFrom(specifier, parentUrl) {
  return resolve(`${specifier}`, parentUrl, undefined);
}

const attributeOfFormat = { __proto__: null, json: 'json', text: 'text' };
const knownFormats = new Set(['builtin', 'commonjs', 'json', 'module', 'text', 'wasm']);

// import … with { type: 'text' }: any file, whatever its name says.
const isText = (attributes) => attributes?.type === 'text' && getOptionValue('--experimental-import-text');

function checkAttributes(url, format, attributes) {
  checkAttributeNames(attributes, url);
  if (!knownFormats.has(format)) return;
  const codes = errors();
  const type = attributes?.type;
  const wanted = attributeOfFormat[format];
  if (type === wanted) return;
  if (type === 'text' && !isText(attributes)) throw new codes.ERR_IMPORT_ATTRIBUTE_UNSUPPORTED('type', type, url);
  if (type === undefined) throw new codes.ERR_IMPORT_ATTRIBUTE_MISSING(url, 'type', wanted);
  require('internal/util/validators').validateString(type, 'type');
  if (type !== 'json' && type !== 'text') throw new codes.ERR_IMPORT_ATTRIBUTE_UNSUPPORTED('type', type, url);
  throw new codes.ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE(url, type);
}

function readData(url, format) {
  const match = regexpExec.call(dataUrl, url);
  if (match === null) throw new (errors().ERR_INVALID_URL)(url);
  const encoded = replaceMatches(match[3], /#[\s\S]*$/, '');
  if (format === 'text' && match[2] === undefined) return require('internal/url/querystring').unescapeBuffer(encoded).toString();
  const body = decodeURIComponent(encoded);
  if (match[2] === undefined) return dataIsBinary(match[1]) ? Buffer.from(body, 'latin1') : body;
  const bytes = Buffer.from(body, 'base64');
  return dataIsBinary(match[1]) ? bytes : bytes.toString();
}

function dataIsBinary(mime) {
  return mime === 'application/wasm';
}

function unsupportedScheme(url) {
  const { ERR_UNSUPPORTED_ESM_URL_SCHEME } = errors();
  return new ERR_UNSUPPORTED_ESM_URL_SCHEME(new (require('internal/url/url').URL)(url), ['file', 'data', 'node']);
}

function readSource(url, format) {
  if (stringStartsWith.call(url, 'data:')) return readData(url, format);
  if (!stringStartsWith.call(url, 'file:')) throw unsupportedScheme(url);
  const path = urlToPath(url);
  return format === 'wasm' ? require('internal/fs/fs').readFileSync(path) : binding.readFileUtf8(path);
}

// The default step of loading: the source, and what it is.
function defaultLoad(url, hint, attributes) {
  if (hasBuiltinScheme(url)) {
    if (builtinId(url) === undefined) throw new (errors().ERR_UNKNOWN_BUILTIN_MODULE)(url);
    return { format: 'builtin', source: null };
  }
  checkAttributeNames(attributes, url);
  let format = isText(attributes) ? 'text' : (hint ?? formatWithoutSource(url));
  if (format !== undefined) checkAttributes(url, format, attributes);
  else if (stringStartsWith.call(url, 'data:')) formatOf(url); // throws: the type of a data: URL is told by nothing else
  let source = readSource(url, format);
  format ??= formatOf(url, source);
  if (format === 'wasm' && typeof source === 'string') source = readSource(url, 'wasm');
  checkAttributes(url, format, attributes);
  return { format, source };
}

// CommonJS without a source is the program's own to read.
function loadRemotely(url, context) {
  const loaded = programState.remoteHooks.load(url, context);
  if (loaded.format === 'commonjs' && loaded.source == null && stringStartsWith.call(url, 'file:')) {
    return { format: 'commonjs', source: readSource(url, 'commonjs') };
  }
  return loaded;
}

function loadWithHooks(url, attributes) {
  const context = {
    format: hookedFormats.get(requestKey(url, attributes)) ?? formatWithoutSource(url),
    importAttributes: hookedAttributes.get(requestKey(url, attributes)) ?? attributes ?? {},
    conditions: importConditionNames(),
  };
  const loaded = hooks.runLoadHooks(url, context, (asked, { format, importAttributes }) => {
    if (programState.remoteHooks !== undefined) return loadRemotely(asked, { format, importAttributes });
    return defaultLoad(asked, format ?? undefined, importAttributes);
  });
  return { ...loaded, format: loaded.format ?? formatOf(url, loaded.source) };
}

// require() of the same file and this share one value, whichever comes first.
function jsonSynthetic(url, source) {
  const isFile = stringStartsWith.call(url, 'file:') && !regexpTest.call(/[?#]/, url);
  const { Module } = require('internal/modules/cjs_loader');
  const path = isFile ? urlToPath(url) : undefined;
  const isCached = () => isFile && Module._cache[path]?.loaded === true;
  let value;
  if (!isCached()) {
    try {
      value = JSON.parse(stringCharCodeAt.call(source, 0) === 0xfeff ? stringSlice.call(source, 1) : source);
    } catch (error) {
      error.message = `${path ?? url}: ${error.message}`;
      throw error;
    }
  }
  const evaluate = (set) => {
    if (isCached()) {
      value = Module._cache[path].exports;
    } else if (isFile && Module._cache[path] === undefined) {
      Module._cache[path] = Object.assign(new Module(path), { filename: path, exports: value, loaded: true });
    }
    set('default', value);
  };
  return { kind: 'synthetic', names: ['default'], evaluate };
}

function textSynthetic(source) {
  const text = typeof source === 'string' ? source : Buffer.from(source).toString();
  const value = stringCharCodeAt.call(text, 0) === 0xfeff ? stringSlice.call(text, 1) : text;
  return { kind: 'synthetic', names: ['default'], evaluate: (set) => set('default', value) };
}

function stripped(url, source) {
  const { stripTypes } = require('internal/modules/typescript');
  return stripTypes(String(source), stringStartsWith.call(url, 'file:') ? urlToPath(url) : url, url);
}

const hasResolvers = () => hooks.hasResolveHooks() || programState.remoteHooks !== undefined;

// Words of what the engine may not know: `using`, `import source`, `with { type }`.
const mayBeRefused = /using|source|with/;

function sourceText(url, source) {
  programState.onSource?.(url, source);
  if (hasResolvers()) source = require('internal/modules/lower_phases').lowerPhases(source, true) ?? source;
  if (regexpTest.call(mayBeRefused, source)) source = require('internal/modules/lower_using').loweredModule(source, url);
  return { kind: 'module', source, bytecode: programState.compileCache?.lookUp('module', url, source) };
}

function translate(url, format, source, byHooks) {
  switch (format) {
    case 'module':
      return sourceText(url, source);
    case 'builtin':
      return builtinSynthetic(builtinId(url));
    case 'json':
      return jsonSynthetic(url, source);
    case 'text':
      return textSynthetic(source);
    case 'commonjs':
      return require('internal/modules/cjs_exports').commonJsSynthetic(url, source ?? undefined, format, byHooks);
    case 'wasm':
      return require('internal/modules/wasm_module').wasmModule(url, source);
    case 'module-typescript':
      return sourceText(url, stripped(url, source));
    case 'commonjs-typescript':
      return require('internal/modules/cjs_exports').commonJsSynthetic(url, stripped(url, source), 'commonjs', byHooks);
    default:
      throw new (errors().ERR_UNKNOWN_MODULE_FORMAT)(format, url);
  }
}

function loadText(key, attributes) {
  const hooked = hooks.hasLoadHooks() || programState.remoteHooks !== undefined;
  const { format, source } = hooked
    ? loadWithHooks(key, attributes)
    : defaultLoad(key, hookedFormats.get(requestKey(key, attributes)), hookedAttributes.get(requestKey(key, attributes)) ?? attributes);
  return { format, source, hooked };
}

// A module that is there already was imported with some type; another one is as wrong as at the first import.
function checkLoaded(key, attributes) {
  const format = loadedFormats.get(key);
  if (format !== undefined) checkAttributes(key, format, attributes);
}

function load(key, attributes) {
  const ready = take(key);
  if (ready !== undefined) return ready;
  if (stringStartsWith.call(key, 'rondo:')) {
    const marked = require('internal/modules/lower_phases').readMark(key);
    if (marked?.isSource) return sourceObject(marked.rest);
    if (marked !== undefined) return loadAs(marked.rest, marked.attributes, key);
  }
  return loadAs(key, attributes, key);
}

// `key` is the engine's name of the module: `url`, or a mark of its attributes before that.
function loadAs(url, attributes, key) {
  const { format, source, hooked } = loadText(url, attributes);
  if (!hooked) loadedFormats.set(key, format);
  if (format === 'builtin' && builtinId(url) === undefined) throw new (errors().ERR_UNKNOWN_BUILTIN_MODULE)(url);
  const made = translate(url, format, source, hooked || hookedFormats.has(requestKey(url, attributes)));
  if (typeof format === 'string' && stringStartsWith.call(format, 'commonjs')) commonJs.set(key, made?.names);
  return made;
}

function initializeImportMeta(meta, key) {
  if (stringStartsWith.call(key, 'vm:import:')) {
    requireLater('internal/vm/dynamic_import').initializeImportMeta(meta, key);
    return;
  }
  if (stringStartsWith.call(key, 'rondo:')) key = require('internal/modules/lower_phases').readMark(key)?.rest ?? key;
  if (stringStartsWith.call(key, 'file:')) {
    const filename = urlToPath(key);
    const slash = stringLastIndexOf.call(filename, '/');
    meta.dirname = slash === 0 ? '/' : stringSlice.call(filename, 0, slash);
    meta.filename = filename;
  }
  meta.main = key === mainKey;
  if (!programState.isHooksProcess) {
    meta.resolve = function resolve(specifier, parent) {
      return importMetaResolve(specifier, parent, key);
    };
  }
  meta.url = key;
}

function resolveBase(parent, key) {
  if (parent === undefined) return key;
  if (typeof parent === 'string') return parent;
  if (!(parent instanceof require('internal/url/url').URL)) {
    throw new (errors().ERR_INVALID_ARG_TYPE)('parentURL', ['string', 'URL'], parent);
  }
  return parent.href;
}

// A file that is not there still has a URL.
function importMetaResolve(specifier, parent, key) {
  const base = getOptionValue('--experimental-import-meta-resolve') ? resolveBase(parent, key) : key;
  try {
    return resolveFrom(specifier, base);
  } catch (error) {
    if ((error?.code === 'ERR_UNSUPPORTED_DIR_IMPORT' || error?.code === 'ERR_MODULE_NOT_FOUND') && error.url) return error.url;
    throw error;
  }
}

// import() from C++-less places: run_main, the REPL, -e.
function importModule(specifier, parentUrl) {
  return require('internal/modules/import').importKey(resolve(specifier, parentUrl, undefined), undefined);
}

// The main module, then the others, those loaded last first.
function mainAndLoaded() {
  return [mainKey ?? '', ...each(arrayReverse.call([...each(resolved.values())]))];
}

// A variable of CommonJS in the body of a module.
function scopeWords(name, key) {
  const words = ` in ES module scope${name === 'require' ? ', you can use import instead' : ''}`;
  if (!regexpTest.call(/^file:[^?#]*\.js(?:[?#]|$)/, key)) return words;
  const config = require('internal/modules/package_json').nearest(urlToPath(replaceMatches(key, /[?#].*$/, '')));
  if (config.type !== 'module') return words;
  return (
    `${words}\nThis file is being treated as an ES module because it has a '.js' file extension and '${config.path}' contains ` +
    '"type": "module". To treat it as a CommonJS script, rename it to use the \'.cjs\' file extension.'
  );
}

// The words for what a module lacks: 'missing' and 'ambiguous' exports, with the importer's place behind a zero character, and
// variables of its 'scope'.
function missing(name, key, what) {
  if (what === 'scope') return scopeWords(name, key);
  const { importerOf, words } = require('internal/modules/missing_export');
  const asked = [];
  for (const [pair, url] of eachEntry(resolved)) {
    // Of a name that is passed on the engine does not tell the module.
    if (url === key || key === '') arrayPush.call(asked, stringSplit.call(pair, '\x00'));
  }
  const { specifier = key, place, name: imported } = importerOf(name, asked, commonJs.get(key));
  return `${words(imported, specifier, what, commonJs.has(key), place)}\x00${place}`;
}

// The specifier by which a module was asked for, by `referrer` or by whichever asked last.
function requestOf(key, referrer) {
  let found = { specifier: key, referrer };
  for (const [pair, url] of eachEntry(resolved)) {
    const { 0: specifier, 1: from } = stringSplit.call(pair, '\x00');
    if (url === key && (referrer === undefined || from === referrer)) found = { specifier, referrer: from };
  }
  return found;
}

function setMainKey(key) {
  mainKey = key;
}

module.exports = {
  resolve,
  load,
  checkLoaded,
  hasResolvers,
  initializeImportMeta,
  missing,
  importModule,
  resolveFrom,
  setMainKey,
  requestOf,
  defaultLoad,
  sourceText,
  mainAndLoaded,
  isMainKey: (key) => key === mainKey,
};
