// natives: vm, modules
// vm.Module, vm.SourceTextModule and vm.SyntheticModule, which node:vm has with --experimental-vm-modules. The program itself says which
// module a request means (link, linkRequests); the engine's records are linked here one by one and evaluated by
// internal/modules/evaluation.
'use strict';

const binding = native('vm');
const { moduleHasTopLevelAwait } = native('modules');
const contexts = require('internal/vm/contexts');
const { CyclicModule, evaluate, statusOf } = require('internal/modules/evaluation');
const { dynamicOrigin } = require('internal/vm/dynamic_import');
const { runMicrotasks } = require('internal/queues/microtasks');
const { emitExperimentalWarning } = require('internal/util/helpers');
const { codes } = require('internal/errors/coded');
const {
  validateArray,
  validateBoolean,
  validateBuffer,
  validateFunction,
  validateInt32,
  validateObject,
  validateString,
  validateUint32,
} = require('internal/util/validators');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const states = new WeakMap(); // vm.Module → ModuleState
let lastId = 0;
const idsOf = new WeakMap(); // context → the next number of a module without a name

class ModuleState extends CyclicModule {
  isLinked = false;
  dependencies = undefined; // ModuleStates, in the order of the requests; none before linking

  constructor(record, identifier, context) {
    super(record);
    this.identifier = identifier;
    this.context = context;
  }

  get requestedModules() {
    return this.dependencies;
  }
  get name() {
    return this.identifier;
  }
  get publicStatus() {
    if (!this.isLinked) return 'unlinked';
    const status = statusOf(this);
    return status === 'evaluating-async' ? 'evaluated' : status;
  }
}

class SyntheticState extends ModuleState {
  dependencies = [];
  isLinked = true;

  constructor(record, identifier, context, steps) {
    super(record, identifier, context);
    this.steps = steps;
  }

  begin() {}
  execute() {
    this.steps();
  }
}

function stateOf(module, name) {
  const state = typeof module === 'object' && module !== null ? states.get(module) : undefined;
  if (state === undefined) throw new codes.ERR_INVALID_THIS(name);
  return state;
}

function checkContext(context) {
  if (context === undefined) return;
  validateObject(context, 'context');
  if (!contexts.has(context)) throw new codes.ERR_INVALID_ARG_TYPE('options.context', 'vm.Context', context);
}

function nameOf(identifier, context) {
  if (identifier !== undefined) {
    validateString(identifier, 'options.identifier');
    return identifier;
  }
  if (context === undefined) return `vm:module(${lastId++})`;
  const id = idsOf.get(context) ?? 0;
  idsOf.set(context, id + 1);
  return `vm:module(${id})`;
}

// Dependencies first; a loop instead of recursion, so that a graph may be deep.
function linkGraph(root) {
  const path = [{ module: root, next: 0 }];
  const seen = new Set([root]);
  while (path.length > 0) {
    const step = path[path.length - 1];
    const { module } = step;
    if (module.dependencies === undefined) {
      if (module === root || module.requests.length > 0) {
        throw new codes.ERR_VM_MODULE_LINK_FAILURE(
          `request for '${module.requests[0]?.specifier ?? module.identifier}' is not yet fulfilled`,
          undefined,
        );
      }
      module.dependencies = [];
    }
    const dependency = module.dependencies[step.next++];
    if (dependency === undefined) {
      binding.linkRecord(module.record);
      module.isLinked = true;
      path.length--;
    } else if (!dependency.isLinked && !seen.has(dependency)) {
      seen.add(dependency);
      path[path.length] = { module: dependency, next: 0 };
    }
  }
}

function setDependencies(state, modules) {
  const phased = arrayFindIndex.call(state.requests, ({ phase }) => phase === 'source');
  if (phased !== -1) throw new codes.ERR_SOURCE_PHASE_NOT_DEFINED(modules[phased].identifier);
  const specifiers = arrayMap.call(state.requests, writtenSpecifier);
  binding.setDependencies(
    state.record,
    specifiers,
    arrayMap.call(modules, ({ record }) => record),
  );
  state.dependencies = modules;
}

// A module that answers a request of `state`, checked.
function answering(state, module) {
  const found = typeof module === 'object' && module !== null ? states.get(module) : undefined;
  if (found === undefined) throw new codes.ERR_VM_MODULE_NOT_MODULE();
  if (found.context !== state.context) throw new codes.ERR_VM_MODULE_DIFFERENT_CONTEXT();
  return found;
}

async function askLinker(module, linker) {
  const state = states.get(module);
  state.statusOverride = 'linking';
  try {
    const answers = arrayMap.call(state.requests, ({ specifier, attributes }) =>
      linked(state, specifier, linker(specifier, module, { attributes, assert: attributes }), linker),
    );
    setDependencies(state, await Promise.all(answers));
  } catch (error) {
    state.linkError = { error };
    throw error;
  } finally {
    state.statusOverride = undefined;
  }
}

async function linked(state, specifier, answer, linker) {
  const module = await answer;
  const found = answering(state, module);
  if (module.status === 'errored') {
    throw new codes.ERR_VM_MODULE_LINK_FAILURE(`request for '${specifier}' resolved to an errored module`, module.error);
  }
  if (module.status === 'unlinked' && found.dependencies === undefined) await askLinker(module, linker);
  return found;
}

// Settled already when nothing of the graph waits.
function evaluateState(state, { timeout, breakOnSigint }) {
  try {
    const isLimited = timeout !== undefined || breakOnSigint;
    const result = isLimited ? binding.callWithin(() => evaluate(state), timeout ?? 0, breakOnSigint) : evaluate(state);
    if (contexts.get(state.context)?.drains) runMicrotasks();
    return Promise.resolve(result);
  } catch (error) {
    return Promise.reject(error);
  }
}

function checkEvaluation(state, options) {
  validateObject(options, 'options');
  const { timeout, breakOnSigint = false } = options;
  if (timeout !== undefined) validateUint32(timeout, 'options.timeout', true);
  validateBoolean(breakOnSigint, 'options.breakOnSigint');
  if (!arrayIncludes.call(['linked', 'evaluated', 'errored'], state.publicStatus)) {
    throw new codes.ERR_VM_MODULE_STATUS('must be one of linked, evaluated, or errored');
  }
  return { timeout, breakOnSigint };
}

class Module {
  constructor() {
    emitExperimentalWarning('VM Modules');
    if (new.target === Module) throw new TypeError('Module is not a constructor');
  }

  get identifier() {
    return stateOf(this, 'Module').identifier;
  }
  get context() {
    return stateOf(this, 'Module').context;
  }

  get namespace() {
    const state = stateOf(this, 'Module');
    if (!state.isLinked) throw new codes.ERR_VM_MODULE_STATUS('must not be unlinked or linking');
    return binding.namespaceOfRecord(state.record);
  }

  get status() {
    const state = stateOf(this, 'Module');
    return state.linkError !== undefined ? 'errored' : (state.statusOverride ?? state.publicStatus);
  }

  get error() {
    const state = stateOf(this, 'Module');
    if (state.linkError !== undefined) return state.linkError.error;
    if (!state.hasError) throw new codes.ERR_VM_MODULE_STATUS('must be errored');
    return state.evaluationError;
  }

  async link(linker) {
    const state = stateOf(this, 'Module');
    validateFunction(linker, 'linker');
    if (this.status === 'linked') throw new codes.ERR_VM_MODULE_ALREADY_LINKED();
    if (this.status !== 'unlinked') throw new codes.ERR_VM_MODULE_STATUS('must be unlinked');
    await askLinker(this, linker);
    linkGraph(state);
  }

  evaluate(options = {}) {
    let state;
    let limits;
    try {
      state = stateOf(this, 'Module');
      limits = checkEvaluation(state, options);
    } catch (error) {
      return Promise.reject(error);
    }
    return evaluateState(state, limits);
  }

  [kInspect](depth, options) {
    stateOf(this, 'Module');
    const { name } = this.constructor;
    if (typeof depth === 'number' && depth < 0) return options.stylize(`[${name}]`, 'special');
    const shown = { __proto__: Object.getPrototypeOf(this) };
    for (const key of each(['status', 'identifier', 'context'])) {
      Object.defineProperty(shown, key, { __proto__: null, value: this[key], enumerable: true });
    }
    Object.defineProperty(shown, Symbol.toStringTag, { __proto__: null, value: name, configurable: true });
    return require('internal/util/inspect').inspect(shown, { ...options, customInspect: false });
  }
}

// As it stands in the text that the engine got.
const written = new WeakMap();
const writtenSpecifier = (request) => written.get(request) ?? request.specifier;

// A request whose specifier says more (internal/modules/lower_phases).
function markedRequest(specifier) {
  const marked = require('internal/modules/lower_phases').readMark(specifier);
  if (marked === undefined) return undefined;
  const attributes = Object.freeze({ __proto__: null, ...marked.attributes });
  const request = { __proto__: null, specifier: marked.rest, attributes, phase: marked.isSource ? 'source' : 'evaluation' };
  written.set(request, specifier);
  return Object.freeze(request);
}

function requestsOf(record) {
  const requests = [];
  const seen = new Set();
  for (const [specifier, type] of eachEntry(binding.requestsOfRecord(record))) {
    if (seen.has(specifier)) continue;
    seen.add(specifier);
    const marked = stringStartsWith.call(specifier, 'rondo:') ? markedRequest(specifier) : undefined;
    if (marked !== undefined) {
      requests[requests.length] = marked;
      continue;
    }
    const attributes = Object.freeze({ __proto__: null, ...(type === undefined ? {} : { type }) });
    requests[requests.length] = Object.freeze({ __proto__: null, specifier, attributes, phase: 'evaluation' });
  }
  return Object.freeze(requests);
}

// A text that the engine refuses is lowered to the syntax that it knows.
function compile(source, compileText, global) {
  const { hasTypes } = require('internal/modules/lower_phases');
  const { installScope, lower } = require('internal/modules/lower_using');
  const compileLowered = () => {
    const lowered = lower(source, 'module');
    if (lowered === undefined) return undefined;
    installScope(global ?? globalThis, global === undefined ? require : (id) => binding.loadInContext(global, id));
    return compileText(lowered);
  };
  if (hasTypes(source)) return compileLowered() ?? compileText(source);
  try {
    return compileText(source);
  } catch (error) {
    const record = compileLowered();
    if (record === undefined) throw error;
    return record;
  }
}

class SourceTextModule extends Module {
  constructor(sourceText, options = {}) {
    validateString(sourceText, 'sourceText');
    validateObject(options, 'options');
    const { lineOffset = 0, columnOffset = 0, initializeImportMeta, importModuleDynamically, context, identifier, cachedData } = options;
    validateInt32(lineOffset, 'options.lineOffset');
    validateInt32(columnOffset, 'options.columnOffset');
    if (initializeImportMeta !== undefined) validateFunction(initializeImportMeta, 'options.initializeImportMeta');
    if (importModuleDynamically !== undefined) validateFunction(importModuleDynamically, 'options.importModuleDynamically');
    if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
    super();
    checkContext(context);
    const name = nameOf(identifier, context);
    const cache = cachedData === undefined ? undefined : require('internal/vm/module_cache').bytecodeIn(cachedData, sourceText);
    const { origin, keepIn } = dynamicOrigin(importModuleDynamically, this, initializeImportMeta);
    const global = contexts.get(context)?.global;
    const record = compile(
      sourceText,
      (text) => binding.compileModule(text, name, origin, lineOffset, columnOffset, global, cache),
      global,
    );
    keepIn(contexts.get(context));
    const state = new ModuleState(record, name, context);
    state.source = sourceText;
    state.requests = requestsOf(record);
    states.set(this, state);
  }

  linkRequests(modules) {
    const state = stateOf(this, 'SourceTextModule');
    if (this.status !== 'unlinked') throw new codes.ERR_VM_MODULE_STATUS('must be unlinked');
    validateArray(modules, 'modules');
    if (modules.length !== state.requests.length) {
      throw new codes.ERR_MODULE_LINK_MISMATCH(`Expected ${state.requests.length} modules, got ${modules.length}`);
    }
    setDependencies(
      state,
      arrayMap.call(modules, (module) => answering(state, module)),
    );
  }

  instantiate() {
    const state = stateOf(this, 'SourceTextModule');
    if (this.status !== 'unlinked') throw new codes.ERR_VM_MODULE_STATUS('must be unlinked');
    linkGraph(state);
  }

  get dependencySpecifiers() {
    const state = stateOf(this, 'SourceTextModule');
    return (state.specifiers ??= Object.freeze(arrayMap.call(state.requests, ({ specifier }) => specifier)));
  }

  get moduleRequests() {
    return stateOf(this, 'SourceTextModule').requests;
  }

  hasAsyncGraph() {
    const state = stateOf(this, 'SourceTextModule');
    if (!state.isLinked) throw new codes.ERR_VM_MODULE_STATUS('must be instantiated');
    const seen = new Set([state]);
    const queue = [state];
    for (let i = 0; i < queue.length; i++) {
      if (moduleHasTopLevelAwait(queue[i].record)) return true;
      for (const dependency of each(queue[i].dependencies)) {
        if (seen.has(dependency)) continue;
        seen.add(dependency);
        queue[queue.length] = dependency;
      }
    }
    return false;
  }

  hasTopLevelAwait() {
    const state = stateOf(this, 'SourceTextModule');
    if (state.isLinked) return moduleHasTopLevelAwait(state.record);
    return require('internal/modules/unsettled').hasTopLevelAwait(state.source);
  }

  createCachedData() {
    const state = stateOf(this, 'SourceTextModule');
    if (arrayIncludes.call(['evaluating', 'evaluated', 'errored'], this.status)) throw new codes.ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA();
    return require('internal/vm/module_cache').makeCache(state.source, state.identifier);
  }
}

class SyntheticModule extends Module {
  constructor(exportNames, evaluateCallback, options = {}) {
    if (!Array.isArray(exportNames) || arraySome.call(exportNames, (name) => typeof name !== 'string')) {
      throw new codes.ERR_INVALID_ARG_TYPE('exportNames', 'Array of unique strings', exportNames);
    }
    arrayForEach.call(exportNames, (name, i) => {
      if (arrayIndexOf.call(exportNames, name, i + 1) !== -1)
        throw new codes.ERR_INVALID_ARG_VALUE(`exportNames.${name}`, name, 'is duplicated');
    });
    validateFunction(evaluateCallback, 'evaluateCallback');
    validateObject(options, 'options');
    const { context, identifier } = options;
    super();
    checkContext(context);
    const name = nameOf(identifier, context);
    const record = binding.makeSyntheticModule(name, exportNames, contexts.get(context)?.global);
    const state = new SyntheticState(record, name, context, () => {
      Reflect.apply(evaluateCallback, this, []);
    });
    state.requests = [];
    binding.linkRecord(record);
    states.set(this, state);
  }

  link() {
    stateOf(this, 'SyntheticModule');
  }

  setExport(name, value) {
    const state = stateOf(this, 'SyntheticModule');
    validateString(name, 'name');
    if (!binding.setSyntheticExport(state.record, name, value)) throw new ReferenceError(`Export '${name}' is not defined in module`);
  }
}

const isModule = (value) => typeof value === 'object' && value !== null && states.has(value);

module.exports = { Module, SourceTextModule, SyntheticModule, isModule };
