// natives: none
//
// module.registerHooks: synchronous hooks around resolving and loading, shared
// by require() and import. A chain is built per request: the hook registered
// last runs first, and each calls the next by the function it is given; the
// loader's own step ends the chain.

'use strict';

const { builtinId } = require('internal/modules/builtins');
const { pathToUrl, urlToPath } = require('internal/modules/file_url');
const { resolveHooks, loadHooks } = require('internal/modules/hook_lists');

function remove(list, hooks) {
  const index = arrayIndexOf.call(list, hooks);
  if (index !== -1) arraySplice.call(list, index, 1);
}

class ModuleHooks {
  constructor(resolve, load) {
    this.resolve = resolve;
    this.load = load;
    if (resolve) arrayPush.call(resolveHooks, this);
    if (load) arrayPush.call(loadHooks, this);
    Object.freeze(this);
  }

  deregister() {
    remove(resolveHooks, this);
    remove(loadHooks, this);
  }
}
ModuleHooks.prototype[Symbol.dispose] = ModuleHooks.prototype.deregister;

function registerHooks(hooks) {
  const { validateFunction } = require('internal/util/validators');
  const { resolve, load } = hooks;
  if (resolve) validateFunction(resolve, 'hooks.resolve');
  if (load) validateFunction(load, 'hooks.load');
  return new ModuleHooks(resolve, load);
}

function badReturn(expected, hook, property, value) {
  const { ERR_INVALID_RETURN_PROPERTY_VALUE } = require('internal/errors/coded').codes;
  return new ERR_INVALID_RETURN_PROPERTY_VALUE(expected, hook, property, value);
}

function checkResolved(url, { url: answer, format, importAttributes }) {
  if (typeof answer !== 'string') throw badReturn('a URL string', 'resolve', 'url', answer);
  if (format && typeof format !== 'string') throw badReturn('a string', 'resolve', 'format', format);
  if (importAttributes && typeof importAttributes !== 'object') {
    throw badReturn('an object', 'resolve', 'importAttributes', importAttributes);
  }
  return { url: answer, format, importAttributes };
}

function isBytes(source) {
  return ArrayBuffer.isView(source) || source instanceof ArrayBuffer || source instanceof SharedArrayBuffer;
}

function checkLoaded(url, result) {
  const { source, format } = result;
  if (!stringStartsWith.call(url, 'node:') && typeof source !== 'string' && !isBytes(source) && format !== 'addon') {
    throw badReturn('a string, an ArrayBuffer, or a TypedArray', 'load', 'source', source);
  }
  if (typeof format !== 'string' && format !== undefined) throw badReturn('a string', 'load', 'format', format);
  return result;
}

// `context` is one object for the whole chain: what a hook passes on is merged into it.
function runChain(hooks, name, lastStep, check, first, context) {
  let deepest = Infinity;
  const stepAt = (index) =>
    function nextStep(argument, changed) {
      deepest = index;
      if (changed && changed !== context) Object.assign(context, changed);
      const result = index < 0 ? lastStep(argument, context) : hooks[index][name](argument, context, stepAt(index - 1));
      if (index >= 0 && deepest === index && !result?.shortCircuit) {
        throw badReturn('true', name, 'shortCircuit', result?.shortCircuit);
      }
      return check(argument, result);
    };
  return stepAt(hooks.length - 1)(first, context);
}

function runResolveHooks(specifier, context, lastStep) {
  return runChain(arraySlice.call(resolveHooks), 'resolve', lastStep, checkResolved, specifier, context);
}

function runLoadHooks(url, context, lastStep) {
  const result = runChain(arraySlice.call(loadHooks), 'load', lastStep, checkLoaded, url, context);
  if (isBytes(result.source) && result.format !== 'wasm' && result.format !== 'addon' && result.format !== 'builtin') {
    return { ...result, source: new (require('internal/encoding/encoding').TextDecoder)().decode(result.source) };
  }
  return result;
}

// CommonJS names modules by path (or builtin id), hooks by URL.
function filenameToUrl(filename) {
  if (!filename) return filename;
  const id = builtinId(filename);
  if (id !== undefined) return 'node:' + id;
  return filename[0] === '/' ? pathToUrl(filename) : filename;
}

function urlToFilename(url) {
  if (!url) return url;
  const id = builtinId(url);
  if (id !== undefined) return id;
  return stringStartsWith.call(url, 'file://') ? urlToPath(url) : url;
}

module.exports = {
  registerHooks,
  runResolveHooks,
  runLoadHooks,
  filenameToUrl,
  urlToFilename,
  isBytes,
  hasResolveHooks: () => resolveHooks.length !== 0,
  hasLoadHooks: () => loadHooks.length !== 0,
};
