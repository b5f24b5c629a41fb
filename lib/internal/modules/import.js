// natives: modules
//
// import() and the start of a main module. The graph is read when import() is called; linking, evaluation and the promise's
// settling follow after as many microtasks as in Node, so that programs interleave with it as they do there: a graph is linked
// the later the deeper it is, and a module that failed takes as long to reject as one that works takes to fulfil.

'use strict';

const binding = native('modules');
const programState = require('internal/process/program_state');
const { evaluateEntry } = require('internal/modules/evaluation');

const linked = Promise.resolve(undefined);

// Microtasks that pass while Node walks the graph in parallel, counted over the tree of first visits. Marks what it finds.
function walkLength(root, found) {
  const lengths = new Map([[root, 2]]);
  const path = [{ entry: root, next: 0 }];
  found[0] = root;
  while (path.length > 0) {
    const step = path[path.length - 1];
    const dependency = step.entry.dependencies[step.next++];
    if (dependency === undefined) {
      path.length--;
      const above = path[path.length - 1]?.entry;
      if (above !== undefined) lengths.set(above, Math.max(lengths.get(above), lengths.get(step.entry) + 2));
    } else if (!lengths.has(dependency)) {
      lengths.set(dependency, 2);
      found[found.length] = dependency;
      path[path.length] = { entry: dependency, next: 0 };
    }
  }
  return lengths.get(root);
}

async function link(entry) {
  const graph = [];
  for (let ticks = walkLength(entry, graph); ticks >= 0; ticks--) await undefined;
  binding.linkModule(entry);
  for (let i = 0; i < graph.length; i++) graph[i].linking = linked;
}

async function run(entry) {
  await (entry.linking ??= link(entry));
  let evaluation;
  try {
    evaluation = evaluateEntry(entry);
  } catch (error) {
    await undefined;
    explainFormat(error, entry);
    throw error;
  }
  try {
    await evaluation;
  } catch (error) {
    explainFormat(error, entry);
    throw error;
  }
}

const advices = {
  __proto__: null,
  require: 'replace require() with import',
  module: 'use export instead of module.exports/exports',
  exports: 'use export instead of module.exports/exports',
  __filename: 'use import.meta.filename instead',
  __dirname: 'use import.meta.dirname instead',
};

// Text that is a module only because it awaits, and uses what CommonJS alone has: the error says so.
function explainFormat(error, entry) {
  if (!(error instanceof ReferenceError) || !binding.moduleHasTopLevelAwait(entry.module)) return;
  const { message, stack } = error;
  const name = regexpExec.call(/^(\w+) is not defined in ES module scope/, message)?.[1];
  if (advices[name] === undefined) return;
  error.message =
    `Cannot determine intended module format because both '${name}' and top-level await are present. If the code is intended ` +
    `to be CommonJS, wrap await in an async function. If the code is intended to be an ES module, ${advices[name]}.`;
  const place = stringIndexOf.call(stack, message);
  if (place !== -1) {
    const rest = stringSlice.call(stack, place + message.length);
    error.stack = stringSlice.call(stack, 0, place) + error.message + rest;
  }
  error.code = 'ERR_AMBIGUOUS_MODULE_SYNTAX';
}

// An import that a hook never answers stays as pending as the hook's promise.
async function settledOrNever(load) {
  try {
    await load();
  } catch (error) {
    if (error?.code !== 'ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED') throw error;
    await new Promise(() => {});
  }
}

async function runLoaded(key, loading) {
  // A promise when a hook asks for a module that is being loaded further up the stack.
  await (programState.remoteHooks === undefined ? loading : settledOrNever(() => loading));
  await run(binding.moduleEntry(key));
  return binding.moduleNamespace(key);
}

// → the promise of the namespace. `type` is the engine's number for the import attribute.
async function importKey(key, type) {
  if (programState.remoteHooks !== undefined) await settledOrNever(() => binding.loadModule(key, type));
  return runLoaded(key, binding.loadModule(key, type));
}

const kLib = 'node:lib'; // text of an eval() that no code of the program called

// import() as the engine hands it over: where the code is from, and the attributes as an object for node:vm's callbacks.
function importFrom(specifier, referrer, type, attributes) {
  if (stringStartsWith.call(referrer, 'vm:')) {
    return requireLater('internal/vm/dynamic_import').importFrom(specifier, referrer, attributes, (asked, from) =>
      importFrom(asked, from, type, attributes),
    );
  }
  if (referrer === kLib) {
    const { ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING } = require('internal/errors/coded').codes;
    throw new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING();
  }
  const channel = importChannel();
  if (channel === undefined) return importByLoader(specifier, referrer, type, attributes);
  const message = { parentURL: require('internal/modules/file_url').toUrl(referrer), url: specifier };
  return channel.tracePromise(() => importByLoader(specifier, referrer, type, attributes), message);
}

let tracing;

// The tracing channel 'module.import', while somebody listens.
function importChannel() {
  if (tracing === undefined) {
    if (!binding.hasLoadedBuiltin('diagnostics_channel')) return undefined;
    tracing = require('internal/events/diagnostics_channel').tracingChannel('module.import');
  }
  return tracing.hasSubscribers ? tracing : undefined;
}

async function importByLoader(specifier, referrer, type, attributes) {
  let key;
  let loading;
  try {
    const { hasResolvers } = require('internal/modules/esm_loader');
    const isKnownType = attributes === undefined || (type !== undefined && !hasResolvers());
    const asked = isKnownType ? specifier : require('internal/modules/lower_phases').typeMark(attributes) + specifier;
    key = require('internal/modules/esm_loader').resolve(asked, referrer, attributes);
    require('internal/modules/esm_loader').checkLoaded(key, attributes);
    loading = binding.loadModule(key, type);
  } catch (error) {
    if (error?.code === 'ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED') return new Promise(() => {});
    await undefined;
    await undefined;
    throw error;
  }
  return runLoaded(key, loading);
}

module.exports = { importFrom, importKey };
