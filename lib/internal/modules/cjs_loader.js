// natives: modules
//
// CommonJS: the Module class and what require() does. Programs patch
// Module._load, _resolveFilename, _extensions and prototype._compile, so the
// calls between them go through the class, in Node's order.
// Resolution is in cjs_resolve.js, ES modules in esm_loader.js.

'use strict';

const programState = require('internal/process/program_state');
const binding = native('modules');
const { directoryOf } = require('internal/modules/places');
const resolver = require('internal/modules/cjs_resolve');
const { files, resolveHooks, loadHooks } = require('internal/modules/hook_lists');
const { builtinId, hasBuiltinScheme, isBareBuiltin, isBuiltin, loadBuiltin } = require('internal/modules/builtins');
const { getOptionValue } = require('internal/process/options');
const { lazyValuesOn } = require('internal/util/lazy_property');

// Loaded with the first module that needs them: a worker may have none.
const hooks = () => require('internal/modules/hooks');
const formats = () => require('internal/modules/formats');

const wrapperParameters = ['exports', 'require', 'module', '__filename', '__dirname'];

// Private state of a module in the loaders.
const hidden = new WeakMap();

function stateOf(module) {
  let state = hidden.get(module);
  if (state === undefined) {
    state = {
      firstParent: undefined,
      lastParent: undefined,
      isMain: false,
      fromImport: false,
      visited: false,
      url: undefined,
      format: undefined,
      source: undefined,
      exportNames: undefined,
      namespaceKey: undefined,
    };
    hidden.set(module, state);
  }
  return state;
}

// Not by assignment: a program may have put a setter on Object.prototype.
function setOwn(object, name, value) {
  Object.defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

function addChild(parent, child) {
  const children = parent?.children;
  if (children && !arrayIncludes.call(children, child)) arrayPush.call(children, child);
}

function Module(id = '', parent) {
  this.id = id;
  this.path = directoryOf(id);
  setOwn(this, 'exports', {});
  const state = stateOf(this);
  state.firstParent = parent;
  state.lastParent = parent;
  if (parent?.children) arrayPush.call(parent.children, this);
  this.filename = null;
  this.loaded = false;
  this.children = [];
}

Module._cache = { __proto__: null };
Module._pathCache = { __proto__: null };
Module._extensions = { __proto__: null };
Module.isBuiltin = isBuiltin;

// Where packages lie that no node_modules folder has: by the environment as it was at the start, or at the last _initPaths().
const atStart = resolver.searchVariables();
let modulePaths;
const searchPaths = () => (modulePaths ??= resolver.globalSearchPaths(atStart));
const lazyStatic = lazyValuesOn(Module);
lazyStatic('globalPaths', () => arraySlice.call(searchPaths()), true);
lazyStatic('builtinModules', () => require('internal/modules/builtins').builtinModules(), true);
lazyStatic('runMain', () => require('internal/modules/run_main').executeUserEntryPoint, true);

let isPreloading = false;
let wrapperIsPatched = false;
const relativeCache = new Map();

const firstParent = (module) => stateOf(module).firstParent;

Module._findPath = function (request, paths, isMain, conditions) {
  return resolver.findPath(Module, request, paths, isMain, conditions);
};
Module._nodeModulePaths = resolver.nodeModulePaths;
Module._resolveLookupPaths = function (request, parent) {
  return resolver.lookupPaths(request, parent, searchPaths);
};
Module._resolveFilename = function (request, parent, isMain, options) {
  return resolver.resolveFilename(Module, request, parent, isMain, options, firstParent);
};
Module._initPaths = function () {
  modulePaths = resolver.globalSearchPaths(resolver.searchVariables());
  Module.globalPaths = arraySlice.call(modulePaths);
};
Module._preloadModules = function (requests) {
  if (!Array.isArray(requests)) return;
  isPreloading = true;
  const parent = new Module('internal/preload', null);
  try {
    parent.paths = Module._nodeModulePaths(process.cwd());
  } catch (error) {
    if (error.code !== 'ENOENT') {
      isPreloading = false;
      throw error;
    }
  }
  for (const request of each(requests)) parent.require(request);
  isPreloading = false;
};

function warnCircular(property) {
  process.emitWarning(`Accessing non-existent property '${String(property)}' of module exports inside circular dependency`);
}

// Stands in as prototype of an unfinished module.exports and warns of what is not there yet.
const circularWarner = new Proxy(
  {},
  {
    __proto__: null,
    get(target, property) {
      if (property in target || property === '__esModule') return target[property];
      warnCircular(property);
      return undefined;
    },
    getOwnPropertyDescriptor(target, property) {
      if (Object.hasOwn(target, property) || property === '__esModule') {
        return Object.getOwnPropertyDescriptor(target, property);
      }
      warnCircular(property);
      return undefined;
    },
  },
);

function isProxy(value) {
  return binding.isProxy !== undefined && binding.isProxy(value);
}

function unfinishedExports(module) {
  const state = stateOf(module);
  if (state.namespaceKey !== undefined) {
    const { ERR_REQUIRE_CYCLE_MODULE } = require('internal/errors/coded').codes;
    const from = state.lastParent ? ` (from ${state.lastParent.filename})` : '';
    throw new ERR_REQUIRE_CYCLE_MODULE(`Cannot require() ES Module ${module.id} in a cycle.${from}`);
  }
  const { exports } = module;
  if (exports && !isProxy(exports) && Object.getPrototypeOf(exports) === Object.prototype && !exports.__esModule) {
    Object.setPrototypeOf(exports, circularWarner);
  }
  return exports;
}

function resolveDefault(request, parent, isMain, options) {
  if (options === undefined && hasBuiltinScheme(request)) {
    const id = builtinId(request);
    if (id === undefined) {
      const { ERR_UNKNOWN_BUILTIN_MODULE } = require('internal/errors/coded').codes;
      throw new ERR_UNKNOWN_BUILTIN_MODULE(request);
    }
    return { url: request, format: 'builtin', filename: id };
  }
  return { url: undefined, format: undefined, filename: `${Module._resolveFilename(request, parent, isMain, options)}` };
}

function parentUrlOf(parent) {
  if (!parent) return undefined;
  const state = stateOf(parent);
  if (!state.url && parent.filename) state.url = hooks().filenameToUrl(parent.filename);
  return state.url;
}

// With `options`, this is require.resolve; without, a load. Returns { url, format, filename }.
function resolveRequest(request, parent, isMain, options, skipHooks) {
  if (skipHooks || resolveHooks.length === 0) return resolveDefault(request, parent, isMain, options);
  const { requireConditionNames } = require('internal/modules/conditions');
  const names = requireConditionNames();
  const lastStep = (specifier, { conditions }) => {
    if (conditions !== undefined && !Array.isArray(conditions)) {
      const { ERR_INVALID_ARG_VALUE } = require('internal/errors/coded').codes;
      throw new ERR_INVALID_ARG_VALUE('context.conditions', conditions, 'expected an array');
    }
    const custom = conditions !== undefined && conditions !== names ? new Set(conditions) : undefined;
    const passed = options !== undefined || custom !== undefined ? { paths: options?.paths, conditions: custom } : undefined;
    const step = hasBuiltinScheme(specifier) && options === undefined ? undefined : passed;
    const found = resolveDefault(specifier, parent, isMain, step);
    return { url: found.url ?? hooks().filenameToUrl(found.filename), format: found.format };
  };
  const context = { parentURL: parentUrlOf(parent), importAttributes: undefined, conditions: names };
  const { url, format } = hooks().runResolveHooks(request, context, lastStep);
  return { url, format, filename: hooks().urlToFilename(url) };
}

const readable = new Set([undefined, null, 'module', 'commonjs', 'json', 'module-typescript', 'commonjs-typescript', 'typescript']);

function readText(filename) {
  const fs = files.module;
  if (fs === undefined || fs.readFileSync === files.readFileSync) return binding.readFileUtf8(filename);
  return `${fs.readFileSync(filename, 'utf8')}`; // replaced: archives (Yarn), files in memory
}

function readSource(filename, format) {
  if (readable.has(format)) return readText(filename);
  if (format === 'builtin') return null;
  const { ERR_UNKNOWN_MODULE_FORMAT } = require('internal/errors/coded').codes;
  throw new ERR_UNKNOWN_MODULE_FORMAT(format, hooks().filenameToUrl(filename));
}

function runLoad(url, filename, format) {
  const { requireConditionNames } = require('internal/modules/conditions');
  const lastStep = (asked, context) => {
    const file = asked === url ? filename : hooks().urlToFilename(asked);
    return { source: readSource(file, context.format), format: context.format };
  };
  return hooks().runLoadHooks(url, { format, importAttributes: undefined, conditions: requireConditionNames() }, lastStep);
}

// The text of a module and what it is, through the load hooks if there are any.
function loadSource(module, filename, format) {
  const state = stateOf(module);
  state.format ??= format;
  if (state.source !== undefined) return { source: state.source, format: state.format };
  if (loadHooks.length === 0) return { source: readSource(filename, format), format };
  state.url ??= hooks().filenameToUrl(filename);
  const loaded = runLoad(state.url, filename, state.format);
  if (loaded.format !== undefined) state.format = loaded.format;
  state.source = loaded.source;
  return { source: state.source, format: state.format };
}

// A builtin's exports, or what the load hooks replaced it by.
function loadBuiltinThroughHooks(id, url, format) {
  if (loadHooks.length !== 0) {
    const loaded = runLoad(url ?? 'node:' + id, id, format || 'builtin');
    if (loaded.format && loaded.format !== 'builtin') return { replaced: loaded };
  }
  return { exports: loadBuiltin(id) };
}

function cachedExports(cached, parent) {
  addChild(parent, cached);
  if (cached.loaded) return { exports: cached.exports };
  const state = stateOf(cached);
  // An entry that import made so that both loaders share one module: the first require() still has to run it.
  if (state.fromImport && !state.visited) {
    state.visited = true;
    return undefined;
  }
  return { exports: unfinishedExports(cached) };
}

function newModule(filename, parent, isMain, { url, format }, replaced) {
  const module = new Module(filename, parent);
  const state = stateOf(module);
  if (isMain) {
    process.mainModule = module;
    module.id = '.';
  }
  state.isMain = Boolean(isMain);
  if (replaced !== undefined) state.source = replaced.source;
  state.url = url;
  state.format = format;
  Module._cache[filename] = module;
  return module;
}

function forget(filename, module, parent, cacheKey) {
  delete Module._cache[filename];
  if (parent === undefined || parent === null) return;
  relativeCache.delete(cacheKey);
  const { children } = parent;
  if (Array.isArray(children)) {
    const index = arrayIndexOf.call(children, module);
    if (index !== -1) arraySplice.call(children, index, 1);
  }
}

function runLoadOf(module, filename, parent, cacheKey) {
  let finished = false;
  const state = stateOf(module);
  state.isExecuting = true;
  try {
    module.load(filename);
    finished = true;
  } finally {
    state.isExecuting = false;
    if (!finished) forget(filename, module, parent, cacheKey);
    else if (module.exports && !isProxy(module.exports) && Object.getPrototypeOf(module.exports) === circularWarner) {
      Object.setPrototypeOf(module.exports, Object.prototype);
    }
  }
}

function fromRelativeCache(cacheKey, parent) {
  const filename = relativeCache.get(cacheKey);
  if (filename === undefined) return undefined;
  const cached = Module._cache[filename];
  if (cached === undefined) {
    relativeCache.delete(cacheKey);
    return undefined;
  }
  addChild(parent, cached);
  return { exports: cached.loaded ? cached.exports : unfinishedExports(cached) };
}

// `given` is set by the ES module loader, which has resolved and read already:
// { skipHooks, resolved, source }.
Module._load = function (request, parent, isMain, given) {
  let cacheKey;
  if (parent) {
    cacheKey = `${parent.path}\x00${request}`;
    const hit = fromRelativeCache(cacheKey, parent);
    if (hit !== undefined) return hit.exports;
  }
  const resolved = given?.resolved ?? resolveRequest(request, parent, isMain, undefined, given?.skipHooks);
  const { url, filename } = resolved;
  let replaced;
  if (request === url && hasBuiltinScheme(request)) {
    const answer = loadBuiltinThroughHooks(builtinId(request), url, resolved.format);
    if (answer.replaced === undefined) return answer.exports;
    replaced = answer.replaced;
  }
  let cached;
  if (replaced === undefined) {
    cached = Module._cache[filename];
    if (cached !== undefined) {
      const hit = cachedExports(cached, parent);
      if (hit !== undefined) return hit.exports;
    } else if (isBareBuiltin(filename)) {
      const answer = loadBuiltinThroughHooks(filename, url, resolved.format);
      if (answer.replaced === undefined) return answer.exports;
      replaced = answer.replaced;
    }
  }
  if (replaced !== undefined) resolved.format = replaced.format;
  const module = cached ?? newModule(filename, parent, isMain, resolved, replaced);
  const state = stateOf(module);
  if (cached !== undefined) state.lastParent = parent;
  if (given?.source !== undefined) {
    state.source ??= given.source;
    state.url ??= url;
    state.format ??= resolved.format;
  }
  if (parent) relativeCache.set(cacheKey, filename);
  runLoadOf(module, filename, parent, cacheKey);
  return module.exports;
};

let channel;
// Module._load with the diagnostics_channel 'module.require' around it.
function load(request, parent, isMain, given) {
  if (channel === undefined) {
    if (!binding.hasLoadedBuiltin('internal/events/diagnostics_channel')) return Module._load(request, parent, isMain, given);
    channel = require('internal/events/diagnostics_channel').tracingChannel('module.require');
  }
  if (!channel.hasSubscribers) return Module._load(request, parent, isMain, given);
  const message = { parentFilename: parent?.filename, id: request };
  return channel.traceSync(Module._load, message, Module, request, parent, isMain, given);
}

function registeredExtension(filename) {
  const name = stringSlice.call(filename, stringLastIndexOf.call(filename, '/') + 1);
  for (let dot = stringIndexOf.call(name, '.', 1); dot !== -1; dot = stringIndexOf.call(name, '.', dot + 1)) {
    const extension = stringSlice.call(name, dot);
    if (Module._extensions[extension]) return extension;
  }
  return '.js';
}

function extensionForFormat(format) {
  return format === 'addon' ? '.node' : format === 'json' ? '.json' : '.js';
}

Module.prototype.load = function (filename) {
  this.filename ??= filename;
  this.paths ??= Module._nodeModulePaths(directoryOf(filename));
  const { format } = stateOf(this);
  const extension = format !== undefined ? extensionForFormat(format) : registeredExtension(filename);
  Module._extensions[extension](this, filename);
  this.loaded = true;
};

Module.prototype.require = function (id) {
  if (typeof id !== 'string') require('internal/util/validators').validateString(id, 'id');
  if (id === '') {
    const { ERR_INVALID_ARG_VALUE } = require('internal/errors/coded').codes;
    throw new ERR_INVALID_ARG_VALUE('id', id, 'must be a non-empty string');
  }
  resolver.beginStatCache();
  try {
    return load(id, this, false);
  } finally {
    resolver.endStatCache();
  }
};

// Told at once: the error that follows may end the process.
function warnOfModuleSyntax(filename) {
  const warning = new Error(
    `Failed to load the ES module: ${filename}. ` +
      'Make sure to set "type": "module" in the nearest package.json file or use the .mjs extension.',
  );
  warning.name = 'Warning';
  require('internal/process/warning').listen();
  process.emit('warning', warning);
}

// Programs and people know these two messages; the engine words them differently.
const otherWords = [
  [/^Unexpected keyword '(export|import)'.*$/s, (text, word) => `Unexpected token '${word}'`],
  [
    /^Unexpected (?:token|identifier|string literal)[^.]*\. import call expects one or two arguments\.$/s,
    () => 'Cannot use import statement outside a module',
  ],
];

function inNodesWords(error) {
  if (!(error instanceof SyntaxError)) return error;
  const { message, stack } = error;
  for (const [pattern, replacement] of eachEntry(otherWords)) {
    const said = replaceMatches(message, pattern, replacement);
    if (said === message) continue;
    error.message = said;
    if (typeof stack === 'string') error.stack = stringReplace.call(stack, message, () => said);
  }
  return error;
}

// A text whose syntax the engine does not know yet (internal/modules/lower_using).
function compileLowered(error, content, filename) {
  if (!stringIncludes.call(content, 'using') && !stringIncludes.call(content, 'source')) return undefined;
  const lowered = require('internal/modules/lower_using').retryText(error, content, 'commonjs');
  try {
    return lowered === undefined ? undefined : binding.compileFunction(lowered, filename, wrapperParameters);
  } catch {
    return undefined;
  }
}

function compile(module, content, filename, format) {
  if (wrapperIsPatched) return { wrapper: binding.runScript(Module.wrap(content), filename) };
  try {
    const cached = programState.compileCache?.lookUp('commonjs', filename, content);
    return { wrapper: binding.compileFunction(content, filename, wrapperParameters, cached) };
  } catch (error) {
    const wrapper = compileLowered(error, content, filename);
    if (wrapper !== undefined) return { wrapper };
    if (format === 'commonjs') {
      if (formats().mayBeModule(content) && binding.parsesAsModule(content, filename)) warnOfModuleSyntax(filename);
      throw inNodesWords(error);
    }
    const may = stateOf(module).isMain ? '--experimental-detect-module' : '--require-module';
    if (getOptionValue(may) && formats().mayBeModule(content) && binding.parsesAsModule(content, filename)) {
      return { isModule: true };
    }
    throw inNodesWords(error);
  }
}

const strippedFormat = { __proto__: null, 'commonjs-typescript': 'commonjs', 'module-typescript': 'module' };

Module.prototype._compile = function (content, filename, format) {
  if (format === 'typescript' || format in strippedFormat) {
    const { stripTypes } = require('internal/modules/typescript');
    content = stripTypes(content, filename, (stateOf(this).url ??= hooks().filenameToUrl(filename)));
    format = strippedFormat[format];
  }
  if (programState.rewriteSource !== undefined) content = programState.rewriteSource(content, filename);
  let wrapper;
  if (format !== 'module') {
    const compiled = compile(this, content, filename, format);
    if (compiled.isModule) format = 'module';
    else wrapper = compiled.wrapper;
  }
  if (format === 'module') {
    require('internal/modules/require_esm').loadIntoModule(this, filename, content, stateOf(this));
    return undefined;
  }
  programState.onSource?.(filename, content);
  const { exports } = this;
  return Reflect.apply(wrapper, exports, [exports, makeRequire(this), this, filename, directoryOf(filename)]);
};

Module._extensions['.js'] = function (module, filename) {
  const { source, format } = loadSource(module, filename, formats().commonJsFormat(filename));
  if ((format === 'module' || format === 'module-typescript') && !getOptionValue('--require-module')) {
    throw require('internal/modules/require_esm').refusal(module, filename, source, stateOf(module).firstParent);
  }
  module._compile(source, filename, format);
};

Module._extensions['.json'] = function (module, filename) {
  const { source } = loadSource(module, filename, 'json');
  try {
    module.exports = JSON.parse(stringCharCodeAt.call(source, 0) === 0xfeff ? stringSlice.call(source, 1) : source);
  } catch (error) {
    error.message = filename + ': ' + error.message;
    throw error;
  }
};

Module._extensions['.node'] = function (module, filename) {
  return process.dlopen(module, require('internal/path/path').toNamespacedPath(filename));
};

function makeRequire(module) {
  if (!(module instanceof Module)) {
    const { ERR_INVALID_ARG_TYPE } = require('internal/errors/coded').codes;
    throw new ERR_INVALID_ARG_TYPE('mod', 'Module', module);
  }
  const validateString = (value, name) => {
    if (typeof value !== 'string') require('internal/util/validators').validateString(value, name);
  };
  function require_(id) {
    return module.require(id);
  }
  function resolve(request, options) {
    validateString(request, 'request');
    const { filename, url } = resolveRequest(request, module, false, options ?? {}, false);
    return url === request && hasBuiltinScheme(request) ? url : filename;
  }
  resolve.paths = function paths(request) {
    validateString(request, 'request');
    return Module._resolveLookupPaths(request, module);
  };
  Object.defineProperty(require_, 'name', { value: 'require', configurable: true });
  setOwn(require_, 'resolve', resolve);
  setOwn(require_, 'main', process.mainModule);
  setOwn(require_, 'extensions', Module._extensions);
  setOwn(require_, 'cache', Module._cache);
  return require_;
}

// The text that is run instead of `content`, when a preloaded module has changed Module.wrap or Module.wrapper.
const wrappedText = (content) => (wrapperIsPatched ? Module.wrap(content) : undefined);

let wrap = (script) => Module.wrapper[0] + script + Module.wrapper[1];
const patched = (done) => {
  wrapperIsPatched = true;
  return done;
};
let wrapper = new Proxy(['(function (exports, require, module, __filename, __dirname) { ', '\n});'], {
  __proto__: null,
  set: (target, property, value, receiver) => patched(Reflect.set(target, property, value, receiver)),
  defineProperty: (target, property, descriptor) => patched(Reflect.defineProperty(target, property, descriptor)),
});

Object.defineProperties(Module, {
  wrap: {
    get: () => wrap,
    set: (value) => {
      wrap = patched(value);
    },
  },
  wrapper: {
    get: () => wrapper,
    set: (value) => {
      wrapper = patched(value);
    },
  },
  _stat: {
    get: () => resolver.patchable.stat,
    set: (value) => {
      resolver.patchable.stat = value;
    },
    configurable: true,
  },
  _readPackage: {
    get: () => resolver.patchable.readPackage,
    set: (value) => {
      resolver.patchable.readPackage = value;
    },
    configurable: true,
  },
});

let hasWarnedOfParent = false;
function warnOfParent() {
  if (hasWarnedOfParent || !require('internal/process/options').getOptionValue('--pending-deprecation') || process.noDeprecation) return;
  hasWarnedOfParent = true;
  process.emitWarning(
    'module.parent is deprecated due to accuracy issues. Please use require.main to find program entry point instead.',
    'DeprecationWarning',
    'DEP0144',
  );
}

Object.defineProperties(Module.prototype, {
  constructor: { get: () => Module, configurable: false, enumerable: false },
  isPreloading: { get: () => isPreloading },
  parent: {
    get() {
      warnOfParent();
      return stateOf(this).firstParent;
    },
    set(value) {
      warnOfParent();
      stateOf(this).firstParent = value;
    },
  },
});

module.exports = {
  wrappedText,
  Module,
  wrapperParameters,
  stateOf,
  load,
  loadSource,
  resolveRequest,
  makeRequire,
  registeredExtension,
  requireStack: (module) => resolver.requireStack(module, firstParent),
};
