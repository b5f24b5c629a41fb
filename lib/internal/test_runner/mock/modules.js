// natives: none
// mock.module(): another module in place of the one that a specifier means, for require() and import. require() is answered by a
// Module._load around the loader's; import by hooks that give the URL a version, and a source that takes its exports from here.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE },
} = require('internal/errors/coded');
const { emitExperimentalWarning } = require('internal/util/helpers');
const { validateBoolean, validateObject } = require('internal/util/validators');
const { callerLocation } = require('internal/test_runner/location');

const kParameter = 'node-test-mock';
const kRegistry = Symbol.for('rondo.test.mockedModules');
const kBadExports = 'Cannot create mock because named exports cannot be applied to the provided default export.';

const mocks = new Map(); // by URL: { moduleExports, cache, format, isModule, version, isActive }
const byFilename = new Map(); // the same, for require()
let isInstalled = false;
let hasWarned = {};

function warnOnce(options, name, message) {
  if (!(name in options) || hasWarned[name]) return;
  hasWarned = { ...hasWarned, [name]: true };
  process.emitWarning(message, 'DeprecationWarning');
}

function copyProperties(from, to) {
  for (const key of each(Reflect.ownKeys(from))) {
    Object.defineProperty(to, key, { __proto__: null, ...Object.getOwnPropertyDescriptor(from, key) });
  }
}

function readExports(options) {
  const { cache = false } = options;
  validateBoolean(cache, 'options.cache');
  const hasExports = 'exports' in options;
  const hasNamed = 'namedExports' in options;
  const hasDefault = 'defaultExport' in options;
  warnOnce(options, 'namedExports', 'mock.module(): options.namedExports is deprecated. Use options.exports instead.');
  warnOnce(options, 'defaultExport', 'mock.module(): options.defaultExport is deprecated. Use options.exports.default instead.');
  if (hasExports) validateObject(options.exports, 'options.exports');
  if (hasNamed) validateObject(options.namedExports, 'options.namedExports');
  if (hasExports && (hasNamed || hasDefault)) {
    const others = arrayFilter.call([hasNamed && "'options.namedExports'", hasDefault && "'options.defaultExport'"], Boolean);
    throw new ERR_INVALID_ARG_VALUE('options.exports', options.exports, `cannot be used with ${arrayJoin.call(others, ' or ')}`);
  }
  const moduleExports = { __proto__: null };
  if (hasExports) copyProperties(options.exports, moduleExports);
  if (hasNamed) copyProperties(options.namedExports, moduleExports);
  if (hasDefault)
    Object.defineProperty(moduleExports, 'default', { __proto__: null, ...Object.getOwnPropertyDescriptor(options, 'defaultExport') });
  return { cache, moduleExports };
}

const namesOf = (moduleExports) => arrayFilter.call(Object.keys(moduleExports), (name) => name !== 'default');

// module.exports of the mock: the default export with the named ones added.
function commonJsExports(moduleExports) {
  const result = 'default' in moduleExports ? moduleExports.default : {};
  const names = namesOf(moduleExports);
  if (names.length > 0 && (typeof result !== 'object' || result === null)) throw new Error(kBadExports);
  for (const name of each(names)) Object.defineProperty(result, name, Object.getOwnPropertyDescriptor(moduleExports, name));
  return result;
}

function moduleSource(url, { moduleExports, isModule }) {
  const lines = [
    `import { mock } from 'node:test';`,
    `const { moduleExports, commonJs } = mock[Symbol.for(${JSON.stringify(kRegistry.description)})](${JSON.stringify(url)});`,
  ];
  if (!isModule) arrayPush.call(lines, 'export default commonJs();');
  else if ('default' in moduleExports) arrayPush.call(lines, 'export default moduleExports.default;');
  arrayForEach.call(namesOf(moduleExports), (name, i) => {
    const key = JSON.stringify(name);
    arrayPush.call(lines, `let export${i} = moduleExports[${key}]; export { export${i} as ${key} };`);
  });
  return arrayJoin.call(lines, '\n');
}

// The URL without the version of a mock, or undefined when it has none.
function baseOf(url) {
  const parsed = require('internal/url/url').URL.parse(url);
  if (parsed === null || !parsed.searchParams.has(kParameter)) return undefined;
  parsed.searchParams.delete(kParameter);
  return parsed.href;
}

function resolve(specifier, context, nextResolve) {
  const result = nextResolve(specifier, context);
  const mock = mocks.get(result.url);
  if (mock?.isActive !== true || arrayIncludes.call([...each(context.conditions)], 'require')) return result;
  const url = new (require('internal/url/url').URL)(result.url);
  url.searchParams.set(kParameter, mock.version);
  // A module that was imported stays; the next import gets another one.
  if (!mock.cache) mock.version++;
  return { __proto__: null, url: url.href, format: 'module', shortCircuit: true };
}

function load(url, context, nextLoad) {
  const base = baseOf(url);
  const mock = base === undefined ? undefined : mocks.get(base);
  if (mock?.isActive !== true) return nextLoad(url, context);
  // A JSON module is imported with its attribute, mocked or not.
  if (mock.format === 'json') nextLoad(base, { ...context, format: 'json' });
  return { __proto__: null, format: 'module', shortCircuit: true, source: moduleSource(base, mock) };
}

function makeLoad(Module, loadModule) {
  return function (request, parent, isMain, given) {
    const plain = baseOf(request) ?? request;
    const key = Module.isBuiltin(plain)
      ? stringStartsWith.call(plain, 'node:')
        ? plain
        : `node:${plain}`
      : (given?.resolved?.filename ?? Module._resolveFilename(plain, parent, isMain));
    const mock = byFilename.get(key);
    if (mock === undefined) return loadModule(plain, parent, isMain, given);
    if (mock.cache && Module._cache[key]) return Module._cache[key].exports;
    const result = commonJsExports(mock.moduleExports);
    if (mock.cache) {
      const entry = new Module(key, parent);
      Object.assign(entry, { exports: result, filename: key, loaded: true, paths: Module._nodeModulePaths(entry.path) });
      Module._cache[key] = entry;
    }
    return result;
  };
}

function install() {
  if (isInstalled) return;
  isInstalled = true;
  const { Module } = require('internal/modules/cjs_loader');
  require('internal/modules/hooks').registerHooks({ resolve, load });
  Module._load = makeLoad(Module, Module._load);
  const { mock } = require('internal/modules/builtins').loadBuiltin('test');
  Object.defineProperty(mock, kRegistry, {
    __proto__: null,
    value: (url) => {
      const { moduleExports } = mocks.get(url);
      return { moduleExports, commonJs: () => commonJsExports(moduleExports) };
    },
  });
}

class MockModuleContext {
  #url;
  #filename;
  #cached;

  constructor(url, filename, specifier, mock) {
    const { Module } = require('internal/modules/cjs_loader');
    const previous = mocks.get(url);
    if (previous?.isActive) throw new ERR_INVALID_STATE(`Cannot mock '${specifier}'. The module is already mocked.`);
    const entry = { ...mock, version: previous?.version ?? 0, isActive: true };
    mocks.set(url, entry);
    byFilename.set(filename ?? url, entry);
    this.#url = url;
    this.#filename = filename;
    this.#cached = filename === null ? undefined : Module._cache[filename];
    if (filename !== null) delete Module._cache[filename];
  }

  restore() {
    if (this.#url === undefined) return;
    const { Module } = require('internal/modules/cjs_loader');
    const mock = mocks.get(this.#url);
    mock.isActive = false;
    mock.version++;
    byFilename.delete(this.#filename ?? this.#url);
    if (this.#filename !== null) {
      delete Module._cache[this.#filename];
      if (this.#cached !== undefined) Module._cache[this.#filename] = this.#cached;
    }
    this.#url = undefined;
  }
}

// The URL that the specifier means to the caller of `fn`.
function resolveForCaller(specifier, fn) {
  const { file } = callerLocation(fn);
  const { pathToFileURL } = require('internal/url/url');
  const caller = stringStartsWith.call(file, 'file:') ? file : pathToFileURL(file).href;
  return require('internal/modules/esm_loader').resolveFrom(specifier, caller);
}

function mockModule(specifier, options, fn) {
  emitExperimentalWarning('Module mocking');
  if (typeof specifier !== 'string') {
    if (!require('internal/fs/utils').isUrl(specifier)) throw new ERR_INVALID_ARG_TYPE('specifier', ['string', 'URL'], specifier);
    specifier = `${specifier}`;
  }
  validateObject(options, 'options');
  const { cache, moduleExports } = readExports(options);
  install();
  const resolved = resolveForCaller(specifier, fn);
  if (baseOf(resolved) !== undefined) throw new ERR_INVALID_STATE(`Cannot mock '${specifier}'. The module is already mocked.`);
  const isFile = stringStartsWith.call(resolved, 'file:');
  const filename = isFile ? require('internal/url/url').fileURLToPath(resolved) : null;
  const format = isFile ? formatOf(resolved) : 'builtin';
  const isModule = !arrayIncludes.call(['commonjs', 'commonjs-typescript', 'builtin'], format);
  return new MockModuleContext(resolved, filename, specifier, { cache, moduleExports, format, isModule });
}

// Files that do not say what they are, are what their source says.
function formatOf(url) {
  const { formatOf: fromSource, formatWithoutSource } = require('internal/modules/formats');
  const format = formatWithoutSource(url);
  if (format !== undefined) return format;
  try {
    return fromSource(url, require('internal/fs/fs').readFileSync(require('internal/url/url').fileURLToPath(url), 'utf8'));
  } catch {
    return 'commonjs';
  }
}

module.exports = { kParameter, mockModule };
