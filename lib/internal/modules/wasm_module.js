// natives: none
//
// A .wasm file as an ES module: its imports become import statements of a
// small generated module, which instantiates it and exports what it exports.
// The compiled module itself reaches that text through a synthetic neighbour.

'use strict';

const { provide } = require('internal/modules/esm_sources');

const compiledPrefix = 'rondo:wasm-compiled:';
let warned = false;

function warnOnce() {
  if (warned) return;
  warned = true;
  process.emitWarning(
    'Importing WebAssembly module instances is an experimental feature and might change at any time',
    'ExperimentalWarning',
  );
}

function checkNames(names, what) {
  for (const name of each(names)) {
    if (stringStartsWith.call(name, 'wasm:') || stringStartsWith.call(name, 'wasm-js:')) {
      throw new WebAssembly.LinkError(`Invalid Wasm ${what} "${name}"`); // the program's: loaded with its first wasm module
    }
  }
}

function generate(url, compiled) {
  const imports = WebAssembly.Module.imports(compiled); // the program's: as above
  const exported = WebAssembly.Module.exports(compiled); // the program's: as above
  checkNames(
    arrayMap.call(imports, ({ module }) => module),
    'import',
  );
  checkNames(
    arrayMap.call(imports, ({ name }) => name),
    'import name',
  );
  checkNames(
    arrayMap.call(exported, ({ name }) => name),
    'export name',
  );
  const modules = [...each(new Set(arrayMap.call(imports, ({ module }) => module)))];
  const lines = [`import compiled from ${JSON.stringify(compiledPrefix + url)};`];
  arrayForEach.call(modules, (name, i) => arrayPush.call(lines, `import * as i${i} from ${JSON.stringify(name)};`));
  const table = arrayJoin.call(
    arrayMap.call(modules, (name, i) => `${JSON.stringify(name)}: i${i}`),
    ', ',
  );
  arrayPush.call(lines, `const instance = new WebAssembly.Instance(compiled, { __proto__: null, ${table} }).exports;`);
  arrayForEach.call(exported, ({ name, kind }, i) => {
    const value = `instance[${JSON.stringify(name)}]`;
    arrayPush.call(lines, `const e${i} = ${kind === 'global' ? `${value}.value` : value}; export { e${i} as ${JSON.stringify(name)} };`);
  });
  return arrayJoin.call(lines, '');
}

// One for each URL: of a source-phase import and of the instance.
const compiledModules = new Map();

function compiledModule(url, bytes) {
  let compiled = compiledModules.get(url);
  if (compiled !== undefined) return compiled;
  try {
    compiled = new WebAssembly.Module(bytes); // the program's: as above
  } catch (error) {
    error.message = `${require('internal/modules/file_url').displayName(url)}: ${error.message}`;
    throw error;
  }
  compiledModules.set(url, compiled);
  return compiled;
}

// %AbstractModuleSource%, above WebAssembly.Module from the first source-phase import on.
let hasAbstract = false;

function addAbstractSource() {
  if (hasAbstract) return;
  hasAbstract = true;
  const { Module } = WebAssembly; // the program's: as above
  const tag = Symbol.toStringTag;
  function AbstractModuleSource() {
    throw new TypeError('AbstractModuleSource is not a constructor');
  }
  const { get } = Object.getOwnPropertyDescriptor(
    {
      get [tag]() {
        return isModule(this) ? 'WebAssembly.Module' : undefined;
      },
    },
    tag,
  );
  Object.defineProperty(AbstractModuleSource.prototype, tag, { __proto__: null, get, enumerable: false, configurable: true });
  Object.defineProperty(AbstractModuleSource, 'prototype', { __proto__: null, writable: false });
  Object.setPrototypeOf(Module, AbstractModuleSource);
  Object.setPrototypeOf(Module.prototype, AbstractModuleSource.prototype);
}

function isModule(value) {
  try {
    WebAssembly.Module.exports(value); // the program's: as above
    return true;
  } catch {
    return false;
  }
}

function sourceOf(url, bytes) {
  addAbstractSource();
  return compiledModule(url, bytes);
}

function wasmModule(url, bytes) {
  warnOnce();
  const compiled = compiledModule(url, bytes);
  provide(compiledPrefix + url, { kind: 'synthetic', names: ['default'], evaluate: (set) => set('default', compiled) });
  return { kind: 'module', source: generate(url, compiled) };
}

module.exports = { sourceOf, wasmModule };
