// natives: none
// The global object a REPL runs its input in: the program's own (useGlobal), or one of a new realm that has the program's globals,
// too; both with `module`, `require` and the builtin modules by name.
'use strict';

const vm = require('internal/vm/vm');

let languageNames;

// Globals that every new realm has by itself.
function namesOfLanguage() {
  languageNames ??= new Set(each(vm.runInNewContext('Object.getOwnPropertyNames(globalThis)')));
  return languageNames;
}

function copyGlobals(context) {
  for (const name of each(Object.getOwnPropertyNames(globalThis))) {
    if (!namesOfLanguage().has(name)) Object.defineProperty(context, name, Object.getOwnPropertyDescriptor(globalThis, name));
  }
}

const put = (target, name, value) => {
  Object.defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
};

// Builtin modules by their names; loaded when they are used, replaced by whatever is assigned to the name.
function addBuiltins(context, load) {
  const { builtinModules } = require('internal/modules/builtins');
  for (const name of each(builtinModules())) {
    if (name[0] === '_' || stringIncludes.call(name, '/') || Object.hasOwn(context, name)) continue;
    const set = (value) => {
      delete context[name];
      context[name] = value;
    };
    const define = (get) => Object.defineProperty(context, name, { __proto__: null, get, set, configurable: true, enumerable: false });
    define(() => {
      const loaded = load(name);
      try {
        define(() => loaded);
      } catch {
        // The program has made the property fixed.
      }
      return loaded;
    });
  }
}

function replModule() {
  const { Module, makeRequire } = require('internal/modules/cjs_loader');
  const { currentDirectory } = require('internal/modules/places');
  const made = new Module('<repl>');
  let folder;
  try {
    folder = currentDirectory();
  } catch {
    folder = require('internal/path/path').dirname(process.execPath); // the working directory is gone
  }
  made.paths = [...each(Module._nodeModulePaths(folder)), ...each(Module.globalPaths ?? [])];
  return { module: made, require: makeRequire(made) };
}

function makeContext(repl) {
  let context = globalThis;
  if (!repl.useGlobal) {
    context = vm.createContext(vm.constants.DONT_CONTEXTIFY);
    copyGlobals(context);
    context.global = context;
    const { Console } = require('internal/console/program');
    put(context, 'console', new Console(repl.output));
  }
  const own = replModule();
  put(context, 'module', own.module);
  put(context, 'require', own.require);
  addBuiltins(context, (name) => own.require(name));
  return context;
}

module.exports = { makeContext, namesOfLanguage };
