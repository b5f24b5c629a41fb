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
  process.emitWarning('Importing WebAssembly module instances is an experimental feature and might change at any time', 'ExperimentalWarning');
}

function checkNames(names, what) {
  for (const name of each(names)) {
    if (name.startsWith('wasm:') || name.startsWith('wasm-js:')) {
      throw new WebAssembly.LinkError(`Invalid Wasm ${what} "${name}"`);  // the program's: loaded with its first wasm module
    }
  }
}

function generate(url, compiled) {
  const imports = WebAssembly.Module.imports(compiled);  // the program's: as above
  const exported = WebAssembly.Module.exports(compiled);  // the program's: as above
  checkNames(imports.map(({ module }) => module), 'import');
  checkNames(imports.map(({ name }) => name), 'import name');
  checkNames(exported.map(({ name }) => name), 'export name');
  const modules = [...each(new Set(imports.map(({ module }) => module)))];
  const lines = [`import compiled from ${JSON.stringify(compiledPrefix + url)};`];
  modules.forEach((name, i) => lines.push(`import * as i${i} from ${JSON.stringify(name)};`));
  const table = modules.map((name, i) => `${JSON.stringify(name)}: i${i}`).join(', ');
  lines.push(`const instance = new WebAssembly.Instance(compiled, { __proto__: null, ${table} }).exports;`);
  exported.forEach(({ name, kind }, i) => {
    const value = `instance[${JSON.stringify(name)}]`;
    lines.push(`const e${i} = ${kind === 'global' ? `${value}.value` : value}; export { e${i} as ${JSON.stringify(name)} };`);
  });
  return lines.join('');
}

function wasmModule(url, bytes) {
  warnOnce();
  let compiled;
  try {
    compiled = new WebAssembly.Module(bytes);  // the program's: as above
  } catch (error) {
    error.message = `${require('internal/modules/file_url').displayName(url)}: ${error.message}`;
    throw error;
  }
  provide(compiledPrefix + url, { kind: 'synthetic', names: ['default'], evaluate: (set) => set('default', compiled) });
  return { kind: 'module', source: generate(url, compiled) };
}

module.exports = { wasmModule, compiledPrefix };
