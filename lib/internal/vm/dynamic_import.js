// natives: none
// import() in code that node:vm compiled, and import.meta of its modules. Where such code is from is a name of its own that begins with
// `vm:` and says what import() does there: it calls the program's importModuleDynamically ('vm:import:7'), or goes to the main loader
// ('vm:main:URL'), or is refused.
'use strict';

const {
  codes: {
    ERR_SOURCE_PHASE_NOT_DEFINED,
    ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING,
    ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG,
    ERR_VM_MODULE_NOT_MODULE,
  },
} = require('internal/errors/coded');

const kNoLoader = 'vm:no-loader';
const kNoFlag = 'vm:no-flag';
const kMainPrefix = 'vm:main:';

// Origin → { importModuleDynamically, initializeImportMeta, referrer }. An entry is held by its referrer and each context in which
// the code has run, as functions of the code may outlive the referrer; code of the main context keeps it for ever.
const entries = new Map();
const gone = new FinalizationRegistry((origin) => entries.delete(origin));
const heldBy = new WeakMap();
const heldForEver = new Set();
let count = 0;

// → { origin, keepIn(context entry of internal/vm/contexts, or undefined for the main one) }
function dynamicOrigin(importModuleDynamically, referrer, initializeImportMeta) {
  const origin = `vm:import:${++count}`;
  const entry = { importModuleDynamically, initializeImportMeta, referrer };
  entries.set(origin, new WeakRef(entry));
  gone.register(entry, origin);
  if (referrer !== undefined) heldBy.set(referrer, entry);
  const keepIn = (context) => {
    if (context === undefined) heldForEver.add(entry);
    else (context.imports ??= new Set()).add(entry);
  };
  return { origin, keepIn, entry };
}

async function importByCallback({ importModuleDynamically, referrer }, specifier, attributes) {
  const { isModuleNamespaceObject } = require('internal/util/types');
  const marked = stringStartsWith.call(specifier, 'rondo:') ? require('internal/modules/lower_phases').readMark(specifier) : undefined;
  const phase = marked?.isSource ? 'source' : 'evaluation';
  const found = await importModuleDynamically(marked?.rest ?? specifier, referrer, { __proto__: null, ...attributes }, phase);
  if (phase === 'source') {
    const { SourceTextModule } = require('internal/vm/module');
    if (found instanceof SourceTextModule) throw new ERR_SOURCE_PHASE_NOT_DEFINED(found.identifier);
    return { default: found };
  }
  if (isModuleNamespaceObject(found)) return found;
  if (!require('internal/vm/module').isModule(found)) throw new ERR_VM_MODULE_NOT_MODULE();
  if (found.status === 'errored') throw found.error;
  return found.namespace;
}

async function importFrom(specifier, origin, attributes, importByLoader) {
  if (stringStartsWith.call(origin, kMainPrefix)) {
    const referrer = stringSlice.call(origin, kMainPrefix.length);
    // The lines of a REPL (internal/repl/evaluate) have it by themselves.
    const isReplLine = regexpTest.call(/\/REPL\d+$/, referrer);
    if (!isReplLine) require('internal/util/helpers').emitExperimentalWarning('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER');
    return importByLoader(specifier, referrer);
  }
  const entry = entries.get(origin)?.deref();
  if (entry?.importModuleDynamically !== undefined) return importByCallback(entry, specifier, attributes);
  if (origin === kNoFlag) throw new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG();
  throw new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING();
}

function initializeImportMeta(meta, origin) {
  const entry = entries.get(origin)?.deref();
  entry?.initializeImportMeta?.(meta, entry.referrer);
}

module.exports = { dynamicOrigin, importFrom, initializeImportMeta, kMainPrefix, kNoFlag, kNoLoader };
