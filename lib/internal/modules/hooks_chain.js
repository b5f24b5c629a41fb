// natives: none
//
// Chains of asynchronous resolve and load hooks, as module.register adds them:
// the one added last is called first, and each calls the next. Runs in the
// process that hooks_process.js serves; the default steps end the chains.

'use strict';

const { codes } = require('internal/errors/coded');

const lists = { __proto__: null, resolve: [], load: [] };

function addHooks(url, exported) {
  for (const name of each(['resolve', 'load'])) {
    if (typeof exported[name] === 'function') arrayPush.call(lists[name], { run: exported[name], url });
  }
}

const isObject = (value) => typeof value === 'object' && value !== null;

function checkArguments(name, who, first, context) {
  if (name === 'resolve') {
    require('internal/util/validators').validateString(first, `${who} specifier`);
  } else if (typeof first !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE(`${who} url`, 'a URL string', first);
  } else if (!require('internal/url/url').URL.canParse(first)) {
    throw new codes.ERR_INVALID_ARG_VALUE(`${who} url`, first, 'should be a URL string');
  }
  if (context) require('internal/util/validators').validateObject(context, `${who} context`);
}

let hasWarned = false;
function warnOldName() {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning('Use `importAttributes` instead of `importAssertions`', 'ExperimentalWarning');
}

// The older name of the same thing.
function withOldName(context) {
  return Object.defineProperty(context, 'importAssertions', {
    __proto__: null,
    configurable: true,
    get() {
      warnOldName();
      return this.importAttributes;
    },
    set(value) {
      warnOldName();
      this.importAttributes = value;
    },
  });
}

// The attributes that a resolve hook answered, maybe by the older name.
function attributesIn(output) {
  if (output.importAttributes == null && output.importAssertions != null) {
    warnOldName();
    return output.importAssertions;
  }
  return output.importAttributes;
}

// Returns what the chain answered and who answered first, for complaints.
async function runChain(name, defaultStep, first, context) {
  const steps = [{ run: defaultStep, url: `node:internal/modules/esm/${name}` }, ...each(lists[name])];
  const nextName = name === 'resolve' ? 'nextResolve' : 'nextLoad';
  let isFinished = false;
  let isCut = false;
  let who = '';
  const stepAt = (index) => Object.defineProperty(stepFrom(index), 'name', { __proto__: null, value: nextName });
  const stepFrom = (index) => async (argument, changed) => {
    who = `${steps[index].url} '${name}'`;
    const asked = `${who} hook's ${nextName}()`;
    checkArguments(name, asked, argument, changed);
    if (index === 0) isFinished = true;
    if (changed) Object.assign(context, changed);
    const { run } = steps[index];
    const output = await run(argument, context, index === 0 ? undefined : stepAt(index - 1));
    if (!isObject(output)) throw new codes.ERR_INVALID_RETURN_VALUE('an object', asked, output);
    if (output.shortCircuit === true) isCut = true;
    return output;
  };
  const output = await stepAt(steps.length - 1)(first, withOldName(context));
  if (!isFinished && !isCut) throw new codes.ERR_LOADER_CHAIN_INCOMPLETE(who);
  return { output, who };
}

function bad(expected, who, property, value) {
  return new codes.ERR_INVALID_RETURN_PROPERTY_VALUE(expected, who, property, value);
}

async function runResolve(specifier, context, defaultStep) {
  const { output, who } = await runChain('resolve', defaultStep, specifier, context);
  const { url, format } = output;
  const importAttributes = attributesIn(output);
  if (typeof url !== 'string' || !require('internal/url/url').URL.canParse(url)) throw bad('a URL string', who, 'url', url);
  if (importAttributes != null && typeof importAttributes !== 'object') {
    throw bad('an object', who, 'importAttributes', importAttributes);
  }
  if (format != null && typeof format !== 'string') throw bad('a string', who, 'format', format);
  return { url, format, importAttributes };
}

function isSource(source) {
  return (
    source == null ||
    typeof source === 'string' ||
    ArrayBuffer.isView(source) ||
    source instanceof ArrayBuffer ||
    source instanceof SharedArrayBuffer
  );
}

async function runLoad(url, context, defaultStep) {
  const { output, who } = await runChain('load', defaultStep, url, context);
  const { format, source, responseURL = url } = output;
  if (typeof responseURL !== 'string' || require('internal/url/url').URL.parse(responseURL)?.href !== responseURL) {
    throw bad('undefined or a fully resolved URL string', who, 'responseURL', responseURL);
  }
  if (format == null) throw new codes.ERR_UNKNOWN_MODULE_FORMAT(format, url);
  if (typeof format !== 'string') throw bad('a string', who, 'format', format);
  if (!isSource(source)) throw bad('a string, an ArrayBuffer, or a TypedArray', who, 'source', source);
  // Shared memory cannot leave the process: its bytes can.
  const bytes = source instanceof SharedArrayBuffer ? new Uint8Array(source) : source;
  const isShared = ArrayBuffer.isView(bytes) && bytes.buffer instanceof SharedArrayBuffer;
  return {
    format,
    source: isShared ? bytesSlice.call(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)) : bytes,
    responseURL,
  };
}

const hasHooks = () => lists.resolve.length > 0;

module.exports = { addHooks, hasHooks, runResolve, runLoad };
