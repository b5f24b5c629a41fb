// natives: modules, ledger
//
// The evaluation of linked ES modules as the Standard orders it: dependencies first, siblings without waiting for one
// another's top-level await, modules whose last dependency has settled in the order in which they were reached, and an
// error remembered by every module it passed through. Names and steps are those of
// https://tc39.es/ecma262/#sec-moduleevaluation; the recursion over the graph is a loop, so that stacks have one frame of it
// and a graph may be as deep as it likes. The engine's loader calls evaluateEntry for its modules, node:vm evaluate for its own.

'use strict';

const { executeModule, isModuleSuspended, moduleHasTopLevelAwait } = native('modules');

const ledger = native('ledger');

const kDone = -1; // asyncEvaluationOrder of a module whose waiting is over; 0 is one that never waited
const kNormal = 0; // how a suspended body goes on: the engine's numbers
const kThrow = 2;

let asyncEvaluationCount = 0;

class CyclicModule {
  status = 'linked';
  hasError = false;
  evaluationError = undefined;
  dfsIndex = 0;
  dfsAncestorIndex = 0;
  nextRequest = 0; // of requestedModules, while the loop is in this module
  stack = undefined; // the evaluation that reached it
  cycleRoot = undefined;
  hasTLA = false;
  asyncEvaluationOrder = 0;
  pendingAsyncDependencies = 0;
  asyncParentModules = [];
  topLevelCapability = undefined;
  isResumed = false; // its body has begun, while it is traced

  constructor(record) {
    this.record = record;
  }

  get requestedModules() {
    return [];
  }
  begin() {
    this.hasTLA = moduleHasTopLevelAwait(this.record);
  }
  execute(sent, mode) {
    return ledger.enabled ? executeTraced(this, sent, mode) : executeModule(this.record, sent, mode);
  }
}

// The body, or what follows a top-level await, as a task of its own.
function executeTraced(module, sent, mode) {
  const { begin, end, kScript } = ledger;
  const id = ledger.queuedAs(kScript, `module ${module.name}${module.isResumed ? ', after a top-level await' : ''}`);
  module.isResumed = true;
  begin(kScript, id);
  try {
    return executeModule(module.record, sent, mode);
  } finally {
    end(kScript, id);
  }
}

// A module of the engine's loader, by its entry in the registry.
class LoadedModule extends CyclicModule {
  constructor(entry) {
    super(entry.module);
    this.entry = entry;
  }

  get requestedModules() {
    return this.entry.dependencies;
  }
  get name() {
    return require('internal/modules/file_url').displayName(this.entry.key);
  }
}

// Entries stand in for their modules until they are reached.
function moduleOf(requested) {
  if (requested instanceof CyclicModule) return requested;
  return (requested.cyclicModule ??= new LoadedModule(requested));
}

function capabilityOf(module) {
  return (module.topLevelCapability ??= Promise.withResolvers());
}

// require() met a module that is being evaluated further up the stack.
const cycleError = (filename, from) => cycleErrorOf(`require() ES Module ${filename}`, from);

// A module that require() asked for imports one that is being evaluated further up the stack, by their keys.
function importCycleError(required, importer, what = 'Module') {
  const { urlToPath } = require('internal/modules/file_url');
  const { specifier, referrer } = require('internal/modules/esm_loader').requestOf(required, importer);
  return cycleErrorOf(`import ${what} ${specifier}`, referrer && stringStartsWith.call(referrer, 'file:') ? urlToPath(referrer) : referrer);
}

function cycleErrorOf(what, from) {
  const { ERR_REQUIRE_CYCLE_MODULE } = require('internal/errors/coded').codes;
  return new ERR_REQUIRE_CYCLE_MODULE(
    `Cannot ${what} in a cycle.${from ? ` (from ${from})` : ''} A cycle involving require(esm) is not allowed to ` +
      'maintain invariants mandated by the ECMAScript specification. ' +
      'Try making at least part of the dependency in the graph lazily loaded.',
  );
}

// → undefined when all is done, a promise when something of the graph waits; throws what the module threw, every time.
function evaluate(module) {
  if (module.status === 'evaluating-async' || module.status === 'evaluated') {
    const root = module.cycleRoot ?? module;
    if (root.hasError) throw root.evaluationError;
    return root.status === 'evaluating-async' ? capabilityOf(root).promise : undefined;
  }
  if (module.status === 'evaluating') throw cycleError(module.name);
  const stack = [];
  try {
    innerModuleEvaluation(module, stack);
  } catch (error) {
    for (let i = 0; i < stack.length; i++) fail(stack[i], error);
    throw error;
  }
  return module.status === 'evaluating-async' ? capabilityOf(module).promise : undefined;
}

function fail(module, error) {
  module.status = 'evaluated';
  module.hasError = true;
  module.evaluationError = error;
  module.stack = undefined;
}

function innerModuleEvaluation(root, stack) {
  const path = [];
  let index = 0;
  const enter = (module) => {
    module.status = 'evaluating';
    module.stack = stack;
    module.dfsIndex = module.dfsAncestorIndex = index++;
    module.begin();
    stack[stack.length] = path[path.length] = module;
  };
  enter(root);
  while (path.length > 0) {
    const module = path[path.length - 1];
    const { requestedModules } = module;
    if (module.nextRequest === requestedModules.length) {
      path.length--;
      finish(module, stack);
      continue;
    }
    const required = moduleOf(requestedModules[module.nextRequest]);
    if (required.status === 'linked') {
      enter(required);
    } else {
      module.nextRequest++;
      meet(module, required, stack);
    }
  }
}

// Steps of 11.c: what a module has to know of one that it requires and that was reached before it.
function meet(module, required, stack) {
  if (required.hasError) throw required.evaluationError;
  if (required.status === 'evaluating') {
    if (required.stack !== stack) throw importCycleError(required.entry?.key ?? required.name, module.entry?.key ?? module.name);
    if (required.dfsAncestorIndex < module.dfsAncestorIndex) module.dfsAncestorIndex = required.dfsAncestorIndex;
  } else {
    required = required.cycleRoot;
    if (required.hasError) throw required.evaluationError;
  }
  if (required.asyncEvaluationOrder <= 0) return;
  module.pendingAsyncDependencies++;
  required.asyncParentModules[required.asyncParentModules.length] = module;
}

// Steps 12 to 16: the body, then everything that hangs together with it in a cycle.
function finish(module, stack) {
  if (module.pendingAsyncDependencies > 0 || module.hasTLA) {
    module.asyncEvaluationOrder = ++asyncEvaluationCount;
    if (module.pendingAsyncDependencies === 0) executeAsyncModule(module);
  } else {
    module.execute(undefined, kNormal);
  }
  if (module.dfsAncestorIndex !== module.dfsIndex) return;
  for (;;) {
    const last = stack[stack.length - 1];
    stack.length--;
    last.stack = undefined;
    last.cycleRoot = module;
    last.status = last.asyncEvaluationOrder === 0 ? 'evaluated' : 'evaluating-async';
    if (last === module) return;
  }
}

// The body of a module that awaits: the engine hands out what is awaited and takes the answer.
async function runBody(module) {
  let sent;
  let mode = kNormal;
  for (;;) {
    const awaited = module.execute(sent, mode);
    if (!isModuleSuspended(module.record)) return;
    try {
      sent = await awaited;
      mode = kNormal;
    } catch (error) {
      sent = error;
      mode = kThrow;
    }
  }
}

function executeAsyncModule(module) {
  promiseThen(
    runBody(module),
    () => asyncModuleExecutionFulfilled(module),
    (error) => asyncModuleExecutionRejected(module, error),
  );
}

function settle(module) {
  module.asyncEvaluationOrder = kDone;
  module.status = 'evaluated';
  module.topLevelCapability?.resolve(undefined);
}

function gatherAvailableAncestors(module, list) {
  for (let i = 0; i < module.asyncParentModules.length; i++) {
    const parent = module.asyncParentModules[i];
    if ((parent.cycleRoot ?? parent).hasError || arrayIncludes.call(list, parent)) continue;
    if (--parent.pendingAsyncDependencies > 0) continue;
    list[list.length] = parent;
    if (!parent.hasTLA) gatherAvailableAncestors(parent, list);
  }
}

function asyncModuleExecutionFulfilled(module) {
  if (module.status === 'evaluated') return; // a dependency of its cycle failed meanwhile
  const list = [];
  settle(module);
  gatherAvailableAncestors(module, list);
  arraySort.call(list, (a, b) => a.asyncEvaluationOrder - b.asyncEvaluationOrder);
  for (let i = 0; i < list.length; i++) {
    const ready = list[i];
    if (ready.status === 'evaluated') continue;
    if (ready.hasTLA) {
      executeAsyncModule(ready);
      continue;
    }
    try {
      ready.execute(undefined, kNormal);
    } catch (error) {
      asyncModuleExecutionRejected(ready, error);
      continue;
    }
    settle(ready);
  }
}

function asyncModuleExecutionRejected(module, error) {
  if (module.status === 'evaluated') return;
  fail(module, error);
  module.asyncEvaluationOrder = kDone;
  for (let i = 0; i < module.asyncParentModules.length; i++) asyncModuleExecutionRejected(module.asyncParentModules[i], error);
  module.topLevelCapability?.reject(error);
}

// The hook of the engine's loader.
function evaluateEntry(entry) {
  return evaluate(moduleOf(entry));
}

// 'linked' (or not yet), 'evaluating', 'evaluating-async', 'evaluated' or 'errored'.
function statusOf(module) {
  return module.hasError ? 'errored' : module.status;
}

function statusOfEntry(entry) {
  return entry?.cyclicModule === undefined ? undefined : statusOf(entry.cyclicModule);
}

module.exports = { CyclicModule, cycleError, importCycleError, evaluate, evaluateEntry, statusOf, statusOfEntry };
