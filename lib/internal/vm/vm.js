// natives: modules, vm
// node:vm: scripts run in this context or in contexts of their own. A context is an ordinary object; code that runs in it sees
// the object's properties as its globals. Modules (vm.SourceTextModule) are internal/vm/module's.
'use strict';

const binding = native('vm');
const modules = native('modules');
const contexts = require('internal/vm/contexts');
const { addLanguage } = require('internal/language/every_realm');
const { runMicrotasks } = require('internal/queues/microtasks');
const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const {
  validateArray,
  validateBoolean,
  validateBuffer,
  validateFunction,
  validateInt32,
  validateObject,
  validateOneOf,
  validateString,
  validateStringArray,
  validateUint32,
  kValidateObjectAllowArray,
  kValidateObjectAllowNullable,
} = require('internal/util/validators');
const points = require('internal/util/trace_points');
const { decorate } = require('internal/errors/arrow');

const kMainLoader = Symbol('vm_dynamic_import_main_context_default');
const kDontContextify = Symbol('vm_context_no_contextify');
const { dynamicOrigin, kMainPrefix, kNoFlag, kNoLoader } = require('internal/vm/dynamic_import');

function isContext(object) {
  validateObject(object, 'object', kValidateObjectAllowArray);
  return contexts.has(object);
}

// Settings of import() in the code: { origin, keepIn, entry }, the last two for a program's own function alone.
function originOf(importModuleDynamically, filename) {
  if (importModuleDynamically === undefined) return { origin: kNoLoader };
  if (importModuleDynamically !== kMainLoader) {
    validateFunction(importModuleDynamically, 'options.importModuleDynamically');
    if (!require('internal/process/options').getOptionValue('--experimental-vm-modules')) return { origin: kNoFlag };
    return dynamicOrigin(importModuleDynamically);
  }
  if (regexpTest.call(/^(file|https?|data|blob):/, filename)) return { origin: kMainPrefix + filename };
  const { pathToFileURL } = require('internal/url/url');
  return { origin: kMainPrefix + pathToFileURL(stringStartsWith.call(filename, '/') ? filename : `${process.cwd()}/${filename}`).href };
}

// The place of a syntax error, which has no frame of its own: of the token that cannot be there, where the engine finds it again.
function syntaxPlace(error, code, filename, lineOffset) {
  const found = modules.syntaxPlace(code, false);
  const line = found !== undefined ? found[0] + lineOffset : error.line > 0 ? error.line : 1;
  return [filename, line, found?.[1] ?? 1, stringSplit.call(code, '\n')[line - 1 - lineOffset] ?? ''];
}

function compiling(code, filename, lineOffset, compile) {
  try {
    return points.script === undefined ? compile() : points.script.compile(filename, compile);
  } catch (error) {
    if (error instanceof SyntaxError) decorate(error, syntaxPlace(error, code, filename, lineOffset));
    throw error;
  }
}

class Script {
  #script;
  #imports;
  #isLowered = false;
  #start; // where its text begins, in stacks

  constructor(code, options = {}) {
    code = `${code}`;
    if (typeof options === 'string') options = { filename: options };
    else validateObject(options, 'options');
    const { filename = 'evalmachine.<anonymous>', lineOffset = 0, columnOffset = 0, cachedData, produceCachedData = false } = options;
    validateString(filename, 'options.filename');
    validateInt32(lineOffset, 'options.lineOffset');
    validateInt32(columnOffset, 'options.columnOffset');
    if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
    validateBoolean(produceCachedData, 'options.produceCachedData');
    this.#start = { filename, lineOffset, columnOffset };
    const imports = (this.#imports = originOf(options.importModuleDynamically, filename));
    if (imports.entry !== undefined) imports.entry.referrer = this;
    const compile = (text) => binding.compile(text, filename, imports.origin, lineOffset, columnOffset, cachedData);
    this.#script = compiling(code, filename, lineOffset, () => {
      try {
        return compile(code);
      } catch (error) {
        return compile(this.#lowered(error, code));
      }
    });
    if (cachedData !== undefined) this.cachedDataRejected = binding.isCacheRejected(this.#script);
    if (produceCachedData) {
      this.cachedDataProduced = true;
      this.cachedData = this.createCachedData();
    }
    this.sourceMapURL = regexpExec.call(/^\/\/[#@] sourceMappingURL=(\S+)\s*$/m, code)?.[1];
  }

  // The text in the syntax that the engine knows; throws the error where there is none.
  #lowered(error, code) {
    const text = require('internal/modules/lower_using').lower(code, 'script');
    if (text === undefined) throw error;
    this.#isLowered = true;
    return text;
  }

  createCachedData() {
    const { buffer, byteOffset, byteLength } = binding.cachedData(this.#script);
    return require('internal/buffer/buffer').Buffer.from(buffer, byteOffset, byteLength);
  }

  runInThisContext(options) {
    return this.#run(undefined, options);
  }

  runInContext(contextifiedObject, options) {
    checkContext(contextifiedObject);
    return this.#run(contexts.get(contextifiedObject), options);
  }

  runInNewContext(contextObject, options) {
    return this.runInContext(createContext(contextObject, contextOptions(options)), options);
  }

  // The column offset holds for the script's first line.
  #offsetAt({ 0: url, 1: line }) {
    const { filename, lineOffset, columnOffset } = this.#start;
    return url === filename && line === lineOffset + 1 ? columnOffset : 0;
  }

  #run(context, options = {}) {
    validateObject(options, 'options');
    const { timeout, displayErrors = true, breakOnSigint = false } = options;
    if (timeout !== undefined) validateUint32(timeout, 'options.timeout', true);
    validateBoolean(displayErrors, 'options.displayErrors');
    validateBoolean(breakOnSigint, 'options.breakOnSigint');
    const place = [];
    this.#imports.keepIn?.(context);
    if (this.#isLowered) {
      const load = context === undefined ? require : (id) => binding.loadInContext(context.global, id);
      require('internal/modules/lower_using').installScope(context?.global ?? globalThis, load);
    }
    try {
      const run = () => binding.run(this.#script, context?.global, timeout ?? 0, place, breakOnSigint);
      const result = points.script === undefined ? run() : points.script.run(run);
      if (context?.drains) runMicrotasks();
      return result;
    } catch (error) {
      if (displayErrors && place.length > 0) decorate(error, place, this.#offsetAt(place));
      throw error;
    }
  }
}

function checkContext(object) {
  if (!isContext(object)) throw new ERR_INVALID_ARG_TYPE('contextifiedObject', 'vm.Context', object);
}

function contextOptions(options) {
  if (!options) return {};
  const { contextName: name, contextOrigin: origin, contextCodeGeneration, microtaskMode } = options;
  if (name !== undefined) validateString(name, 'options.contextName');
  if (origin !== undefined) validateString(origin, 'options.contextOrigin');
  if (microtaskMode !== undefined) validateString(microtaskMode, 'options.microtaskMode');
  let codeGeneration;
  if (contextCodeGeneration !== undefined) {
    validateObject(contextCodeGeneration, 'options.contextCodeGeneration');
    const { strings, wasm } = (codeGeneration = contextCodeGeneration);
    if (strings !== undefined) validateBoolean(strings, 'options.contextCodeGeneration.strings');
    if (wasm !== undefined) validateBoolean(wasm, 'options.contextCodeGeneration.wasm');
  }
  return { ...(name === undefined ? {} : { name }), origin, codeGeneration, microtaskMode };
}

let lastContext = 0;

function createContext(contextObject = {}, options = {}) {
  if (contextObject !== kDontContextify && isContext(contextObject)) return contextObject;
  validateObject(options, 'options');
  const { name = `VM Context ${++lastContext}`, origin, codeGeneration, microtaskMode } = options;
  validateString(name, 'options.name');
  if (origin !== undefined) validateString(origin, 'options.origin');
  if (codeGeneration !== undefined) validateObject(codeGeneration, 'options.codeGeneration');
  const { strings = true, wasm = true } = codeGeneration ?? {};
  validateBoolean(strings, 'options.codeGeneration.strings');
  validateBoolean(wasm, 'options.codeGeneration.wasm');
  validateOneOf(microtaskMode, 'options.microtaskMode', ['afterEvaluate', undefined]);
  originOf(options.importModuleDynamically, name);
  const isPlain = contextObject === kDontContextify;
  const global = binding.makeContext(isPlain ? undefined : contextObject, strings, wasm, addLanguage);
  const result = isPlain ? global : contextObject;
  contexts.set(result, { global, drains: microtaskMode === 'afterEvaluate' });
  return result;
}

const named = (options) => (typeof options === 'string' ? { filename: options } : options);

function runInContext(code, contextifiedObject, options) {
  checkContext(contextifiedObject);
  options = named(options);
  return new Script(code, options).runInContext(contextifiedObject, options);
}

function runInNewContext(code, contextObject, options) {
  options = named(options);
  const context = createContext(contextObject, contextOptions(options));
  return new Script(code, options).runInContext(context, options);
}

function runInThisContext(code, options) {
  options = named(options);
  return new Script(code, options).runInThisContext(options);
}

function compileFunction(code, params, options = {}) {
  validateString(code, 'code');
  validateObject(options, 'options');
  if (params !== undefined) validateStringArray(params, 'params');
  const {
    filename = '',
    columnOffset = 0,
    lineOffset = 0,
    cachedData,
    produceCachedData = false,
    parsingContext,
    contextExtensions = [],
  } = options;
  validateString(filename, 'options.filename');
  validateInt32(columnOffset, 'options.columnOffset');
  validateInt32(lineOffset, 'options.lineOffset');
  if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
  validateBoolean(produceCachedData, 'options.produceCachedData');
  if (parsingContext !== undefined && (typeof parsingContext !== 'object' || parsingContext === null || !isContext(parsingContext))) {
    throw new ERR_INVALID_ARG_TYPE('options.parsingContext', 'Context', parsingContext);
  }
  validateArray(contextExtensions, 'options.contextExtensions');
  arrayForEach.call(contextExtensions, (extension, i) => {
    validateObject(extension, `options.contextExtensions[${i}]`, kValidateObjectAllowNullable);
  });
  const imports = originOf(options.importModuleDynamically, filename);
  const context = parsingContext && contexts.get(parsingContext);
  let made = compiling(code, filename, lineOffset, () =>
    binding.compileFunction(
      code,
      filename,
      imports.origin,
      lineOffset,
      columnOffset,
      context?.global,
      arrayJoin.call(params ?? [], ','),
      contextExtensions.length,
    ),
  );
  if (contextExtensions.length > 0) made = made(...each(contextExtensions));
  if (imports.entry !== undefined) imports.entry.referrer = made;
  imports.keepIn?.(context);
  Object.defineProperty(made, 'name', { __proto__: null, value: '', configurable: true });
  if (produceCachedData) {
    const script = new Script(`(function (${arrayJoin.call(params ?? [], ',')}) {\n${code}\n})`);
    made.cachedDataProduced = true;
    made.cachedData = script.createCachedData();
  } else if (cachedData !== undefined) {
    made.cachedDataRejected = new Script(`(function (${arrayJoin.call(params ?? [], ',')}) {\n${code}\n})`, {
      cachedData,
    }).cachedDataRejected;
  }
  return made;
}

// An estimate of the whole heap: contexts share one.
async function measureMemory(options = {}) {
  validateObject(options, 'options');
  const { mode = 'summary', execution = 'default' } = options;
  validateOneOf(mode, 'options.mode', ['summary', 'detailed']);
  validateOneOf(execution, 'options.execution', ['default', 'eager']);
  const { heapUsed, heapTotal } = process.memoryUsage();
  const measure = { jsMemoryEstimate: heapUsed, jsMemoryRange: [heapUsed, heapTotal] };
  return mode === 'summary' ? { total: measure } : { total: measure, current: measure, other: [] };
}

const constants = Object.freeze({
  __proto__: null,
  USE_MAIN_CONTEXT_DEFAULT_LOADER: kMainLoader,
  DONT_CONTEXTIFY: kDontContextify,
});

module.exports = {
  Script,
  createContext,
  createScript: (code, options) => new Script(code, options),
  runInContext,
  runInNewContext,
  runInThisContext,
  isContext,
  compileFunction,
  measureMemory: (options) => checkedMeasure(options),
  constants,
};

function checkedMeasure(options = {}) {
  require('internal/util/helpers').emitExperimentalWarning('vm.measureMemory');
  validateObject(options, 'options');
  validateOneOf(options.mode ?? 'summary', 'options.mode', ['summary', 'detailed']);
  validateOneOf(options.execution ?? 'default', 'options.execution', ['default', 'eager']);
  return measureMemory(options);
}

if (require('internal/process/options').getOptionValue('--experimental-vm-modules')) {
  const { Module, SourceTextModule, SyntheticModule } = require('internal/vm/module');
  module.exports.Module = Module;
  module.exports.SourceTextModule = SourceTextModule;
  module.exports.SyntheticModule = SyntheticModule;
}
