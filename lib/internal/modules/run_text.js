// natives: modules
//
// How a program starts that is no file: the text of -e and -p, standard input,
// a worker's. A script in the global scope, or an ES module.

'use strict';

const programState = require('internal/process/program_state');
const binding = native('modules');
const { defineLazy } = require('internal/util/lazy_property');
const { getOptionValue, hasOptions } = require('internal/process/options');
const { currentDirectory } = require('internal/modules/places');

const loader = () => require('internal/modules/cjs_loader');
const pathToUrl = (file) => require('internal/modules/file_url').pathToUrl(file);

// A module object in which -e, -p and stdin programs run, as Node names it.
function evalModule(name) {
  const { Module, makeRequire } = loader();
  const cwd = currentDirectory();
  const module = new Module(name);
  module.filename = cwd === '/' ? cwd + name : `${cwd}/${name}`;
  module.paths = Module._nodeModulePaths(cwd);
  return { module, require: makeRequire(module) };
}

const kScriptNames = ['module', 'exports', 'require', '__filename', '__dirname'];

function exposeModule({ module, require: userRequire }, name) {
  const own = { module, exports: module.exports, require: userRequire, __filename: name, __dirname: '.' };
  for (const key of each(kScriptNames)) {
    Object.defineProperty(globalThis, key, { value: own[key], writable: true, configurable: true, enumerable: true });
  }
}

function exposeBuiltins(userRequire) {
  const { builtinModules } = require('internal/modules/builtins');
  for (const id of each(builtinModules())) {
    if (id[0] === '_' || regexpTest.call(/[/:]/, id) || Object.hasOwn(globalThis, id)) continue;
    defineLazy(globalThis, id, () => userRequire(id), false);
  }
}

// `crypto` of a script on the command line is node:crypto, which has what the web's has, too.
function exposeCrypto(userRequire) {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
  if (own?.configurable) defineLazy(globalThis, 'crypto', () => userRequire('crypto'), own.enumerable);
  return own;
}

// Variables that a script has and a module has not.
function hideGlobals(webCrypto) {
  for (const key of each(kScriptNames)) delete globalThis[key];
  if (webCrypto !== undefined) Object.defineProperty(globalThis, 'crypto', webCrypto);
}

const lowered = (source, name, isModule) => {
  if (!regexpTest.call(/using|source|with/, source)) return source;
  const { loweredModule, loweredScript } = require('internal/modules/lower_using');
  return isModule ? loweredModule(source, name) : loweredScript(source, name);
};

function evalAsModule(source, name, print) {
  if (print) {
    const { ERR_EVAL_ESM_CANNOT_PRINT } = require('internal/errors/coded').codes;
    throw new ERR_EVAL_ESM_CANNOT_PRINT();
  }
  const key = pathToUrl(currentDirectory() + '/') + '[eval1]';
  require('internal/modules/esm_sources').provide(key, { kind: 'module', source: lowered(source, name, true) });
  return require('internal/modules/run_main').runAsModule(key);
}

// A text that is no JavaScript may be TypeScript. A text that is neither, or whose types cannot be stripped, keeps the error that it has
// as JavaScript.
function withoutTypes(text, name) {
  if (!regexpTest.call(/[:<!]|\b(?:as|type|interface|enum|namespace|declare|satisfies|abstract|implements|import)\b/, text)) return text;
  if (binding.checkSyntax(text, name, false) === undefined || binding.parsesAsModule(text, name)) return text;
  try {
    return require('internal/modules/typescript').stripTypes(text, name);
  } catch {
    return text;
  }
}

function evalTypes() {
  const type = getOptionValue('--input-type') || '';
  if (type === '' && getOptionValue('--strip-types')) return { format: '', prepareSource: withoutTypes };
  if (!stringEndsWith.call(type, '-typescript')) return { format: type, prepareSource: (text) => text };
  const { stripTypes } = require('internal/modules/typescript');
  return { format: stringReplace.call(type, '-typescript', ''), prepareSource: (text, name) => stripTypes(text, name) };
}

// Three searches cost less than the first use of an expression.
function maySayModule(source) {
  if (!stringIncludes.call(source, 'import') && !stringIncludes.call(source, 'export') && !stringIncludes.call(source, 'await'))
    return false;
  return regexpTest.call(/\b(?:import|export|await)\b/, source);
}

// Whether a script failed on what only a module may have: then the rest of its faults is a module's, too.
const saysModule = ({ message }) =>
  message === 'Cannot use import statement outside a module' ||
  message === "Cannot use 'import.meta' outside a module" ||
  message === "Unexpected token 'export'";

// A classic script in the global scope; a SyntaxError may turn out to be ESM or, failing that, TypeScript.
function evalAsScript(source, name, { print, hasBuiltins }, format) {
  const scope = evalModule(name);
  exposeModule(scope, name);
  if (hasBuiltins) exposeBuiltins(scope.require);
  const webCrypto = hasBuiltins && stringIncludes.call(source, 'crypto') ? exposeCrypto(scope.require) : undefined;
  let result;
  if (format === '' && maySayModule(source)) {
    try {
      result = binding.runScript(lowered(source, name, false), name);
    } catch (error) {
      const isModule = error instanceof SyntaxError && (saysModule(error) || binding.parsesAsModule(source, name));
      if (!isModule) throw error;
      hideGlobals(webCrypto);
      return evalAsModule(source, name, print);
    }
  } else {
    result = binding.runScript(lowered(source, name, false), name); // not caught: the place of a throw stays known
  }
  if (print) require('internal/process/print_result').print(result);
  return undefined;
}

// `name` is '[eval]', '[stdin]' or '[worker eval]'. Builtin modules are globals for the first alone, as in Node.
function evalScript(name, source, { print = false, hasBuiltins = true } = {}) {
  const { format, prepareSource } = evalTypes();
  const run = () => {
    const text = prepareSource(source, name);
    programState.evalText = text;
    if (name !== '[worker eval]') process._eval = source; // fork() leaves it out of what it hands on
    return format === 'module' ? evalAsModule(text, name, print) : evalAsScript(text, name, { print, hasBuiltins }, format);
  };
  if (!hasOptions()) {
    run();
    return;
  }
  const { preloadImports, preloadRequires } = require('internal/modules/run_main');
  preloadRequires();
  preloadImports(run);
}

module.exports = { evalScript };
