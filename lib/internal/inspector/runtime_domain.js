// natives: inspector, vm
//
// The Runtime domain: evaluate, objects and their properties, calls, the console's messages.

'use strict';

const binding = native('inspector');
const vm = native('vm');
const { ProtocolError, optional, required } = require('internal/inspector/protocol_error');
const { byValue, dataProperty } = require('internal/inspector/remote_object');
const { parseStack } = require('internal/inspector/stack');
const { later, randomNumber } = require('internal/inspector/session');
const { propertiesOf } = require('internal/inspector/objects');
const { isPromise } = require('internal/util/types');

const kServerError = -32000;
const uniqueId = `${randomNumber()}.${randomNumber()}`;
let lastException = 0;

const engine = () => require('internal/inspector/debugger_engine');
const scriptIdOf = (url) => engine().scriptIdOf(url);

class RuntimeState {
  isEnabled = false;
  bindings = new Set();
  hasAsyncStacks = false;

  constructor(session) {
    this.session = session;
  }

  enable() {
    if (this.isEnabled) return;
    this.isEnabled = true;
    this.session.event('Runtime.executionContextCreated', {
      context: { id: 1, origin: '', name: `${process.execPath}[${process.pid}]`, uniqueId, auxData: { isDefault: true } },
    });
    require('internal/inspector/console_messages').add(this);
  }

  disable() {
    if (!this.isEnabled) return;
    this.isEnabled = false;
    require('internal/inspector/console_messages').remove(this);
  }

  close() {
    this.disable();
    if (this.hasAsyncStacks) require('internal/inspector/async_stacks').setDepth(this.session, 0);
  }
}

const stateOf = (session) => session.state('Runtime', () => new RuntimeState(session));

// The thrown value as Runtime.ExceptionDetails.
function exceptionDetails(session, error, group, text = 'Uncaught') {
  const stack = error !== null && typeof error === 'object' ? dataProperty(error, 'stack') : undefined;
  const trace = typeof stack === 'string' ? parseStack(stack, scriptIdOf) : { callFrames: [] };
  const top = trace.callFrames[0];
  return {
    exceptionId: ++lastException,
    text,
    lineNumber: top?.lineNumber ?? 0,
    columnNumber: top?.columnNumber ?? 0,
    ...(top !== undefined && { scriptId: top.scriptId, stackTrace: trace }),
    exception: session.objects.remote(error, group, { generatePreview: false }),
  };
}

function thrown(session, error, group) {
  return { result: session.objects.remote(error, group), exceptionDetails: exceptionDetails(session, error, group) };
}

const optionsOf = (params) => ({ generatePreview: params.generatePreview === true, returnByValue: params.returnByValue === true });

// The answer for a value, at once or, with awaitPromise, when it is settled.
function answerWith(session, value, params, group) {
  if (params.awaitPromise !== true || !isPromise(value)) return { result: session.objects.remote(value, group, optionsOf(params)) };
  return later((answer, fail) => {
    promiseThen(
      value,
      (settled) => {
        try {
          answer({ result: session.objects.remote(settled, group, optionsOf(params)) });
        } catch (error) {
          fail(error);
        }
      },
      (error) => {
        answer({
          result: session.objects.remote(error, group),
          exceptionDetails: exceptionDetails(session, error, group, 'Uncaught (in promise)'),
        });
      },
    );
  });
}

// Reading variables and data properties is all that evaluating without side effects can be sure of here.
const kPlainRead = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*|\[\d+\])*$/;

function refuseSideEffects(expression) {
  if (!regexpTest.call(kPlainRead, stringTrim.call(expression))) throw new EvalError('Possible side-effect in debug-evaluate');
}

// Names that DevTools' console has beside the program's, while `run` runs.
function withCommandLine(session, run) {
  const added = [];
  const add = (name, value) => {
    if (name in globalThis) return;
    Object.defineProperty(globalThis, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
    arrayPush.call(added, name);
  };
  const names = require('internal/inspector/command_line').names(session);
  for (const name of each(Object.keys(names))) add(name, names[name]);
  try {
    return run();
  } finally {
    for (const name of each(added)) delete globalThis[name];
  }
}

// The last expression's value of a text with top-level await, as a REPL has it.
function isAwaiting(expression) {
  return regexpTest.call(/\bawait\b/, expression);
}

const kShortestTimeout = 1; // to the engine 0 is none

function evaluateGlobal(session, expression, params) {
  const given = optional(params, 'timeout', 'number');
  const timeout = given === undefined ? 0 : Math.max(given, kShortestTimeout);
  const run = () => vm.run(compileScript(expression, params), undefined, timeout, [], false);
  return params.includeCommandLineAPI === true ? withCommandLine(session, run) : run();
}

function compileScript(expression, params) {
  if (params.replMode === true && isAwaiting(expression)) {
    try {
      return vm.compile(`(async () => (${expression}\n))()`, '', '', 0, 0, undefined);
    } catch {
      // no expression: statements
      return vm.compile(`(async () => {${expression}\n})()`, '', '', 0, 0, undefined);
    }
  }
  return vm.compile(expression, '', '', 0, 0, undefined);
}

function evaluate(session, params) {
  const expression = required(params, 'expression', 'string');
  optional(params, 'contextId', 'integer');
  checkContext(params.contextId);
  if (params.uniqueContextId !== undefined && params.uniqueContextId !== uniqueId)
    throw new ProtocolError(kServerError, 'uniqueContextId not found');
  const group = optional(params, 'objectGroup', 'string');
  let value;
  try {
    if (params.throwOnSideEffect === true) refuseSideEffects(expression);
    value = evaluateGlobal(session, expression, params);
  } catch (error) {
    if (error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new ProtocolError(kServerError, 'Execution was terminated');
    return thrown(session, error, group);
  }
  if (params.replMode === true && isPromise(value) && isAwaiting(expression))
    return answerWith(session, value, { ...params, awaitPromise: true }, group);
  return answerWith(session, value, params, group);
}

function checkContext(id) {
  if (id !== undefined && id !== 1) throw new ProtocolError(kServerError, 'Cannot find context with specified id');
}

function callFunctionOn(session, params) {
  const text = required(params, 'functionDeclaration', 'string');
  const { objects } = session;
  if (params.objectId === undefined && params.executionContextId === undefined && params.uniqueContextId === undefined) {
    throw new ProtocolError(kServerError, 'Either objectId or executionContextId or uniqueContextId must be specified');
  }
  checkContext(params.executionContextId);
  const self = params.objectId === undefined ? globalThis : objects.get(params.objectId);
  const group = params.objectGroup ?? (params.objectId === undefined ? undefined : objects.groupOf(params.objectId));
  const args = arrayMap.call(optional(params, 'arguments', 'array') ?? [], (given) => objects.argument(given));
  let value;
  try {
    const called = vm.run(vm.compile(`(${text})`, '', '', 0, 0, undefined), undefined, 0, [], false);
    if (typeof called !== 'function') throw new ProtocolError(kServerError, 'Given expression does not evaluate to a function');
    value = Reflect.apply(called, self, args);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return thrown(session, error, group);
  }
  return answerWith(session, value, params, group);
}

const compiled = new Map(); // id → script
let lastScript = 1000000;

function compileScriptMethod(session, params) {
  const expression = required(params, 'expression', 'string');
  const sourceURL = required(params, 'sourceURL', 'string');
  const persist = required(params, 'persistScript', 'boolean');
  let script;
  try {
    script = vm.compile(expression, sourceURL, '', 0, 0, undefined);
  } catch (error) {
    return { exceptionDetails: exceptionDetails(session, error) };
  }
  if (!persist) return {};
  const scriptId = String(lastScript++);
  compiled.set(scriptId, script);
  return { scriptId };
}

function runScript(session, params) {
  const script = compiled.get(required(params, 'scriptId', 'string'));
  if (script === undefined) throw new ProtocolError(kServerError, 'No script with given id');
  checkContext(params.executionContextId);
  try {
    return answerWith(session, vm.run(script, undefined, 0, [], false), params, params.objectGroup);
  } catch (error) {
    return thrown(session, error, params.objectGroup);
  }
}

function awaitPromise(session, params) {
  const id = required(params, 'promiseObjectId', 'string');
  const promise = session.objects.get(id);
  if (!isPromise(promise)) throw new ProtocolError(kServerError, 'Could not find promise with given id');
  return answerWith(session, promise, { ...params, awaitPromise: true }, session.objects.groupOf(id));
}

function addBinding(session, params) {
  const name = required(params, 'name', 'string');
  const state = stateOf(session);
  state.bindings.add(name);
  const call = (...args) => {
    if (args.length !== 1 || typeof args[0] !== 'string') throw new Error('Invalid arguments: should be exactly one string.');
    if (session.isOpen && state.bindings.has(name))
      session.event('Runtime.bindingCalled', { name, payload: args[0], executionContextId: 1 });
  };
  Object.defineProperty(globalThis, name, { __proto__: null, value: call, writable: true, configurable: true, enumerable: true });
}

function globalLexicalScopeNames(session, params) {
  checkContext(params.executionContextId);
  return { names: binding.globalNames() };
}

// Error.captureStackTrace and the like need no switch: stacks are always there.
const methods = {
  __proto__: null,
  'Runtime.enable': (session) => stateOf(session).enable(),
  'Runtime.disable': (session) => stateOf(session).disable(),
  'Runtime.evaluate': evaluate,
  'Runtime.callFunctionOn': callFunctionOn,
  'Runtime.getProperties': (session, params) => propertiesOf(session.objects, required(params, 'objectId', 'string'), params),
  'Runtime.releaseObject': (session, params) => session.objects.release(required(params, 'objectId', 'string')),
  'Runtime.releaseObjectGroup': (session, params) => session.objects.releaseGroup(required(params, 'objectGroup', 'string')),
  'Runtime.compileScript': compileScriptMethod,
  'Runtime.runScript': runScript,
  'Runtime.awaitPromise': awaitPromise,
  'Runtime.addBinding': addBinding,
  'Runtime.removeBinding': (session, params) => {
    stateOf(session).bindings.delete(required(params, 'name', 'string'));
  },
  'Runtime.globalLexicalScopeNames': globalLexicalScopeNames,
  'Runtime.getIsolateId': () => ({ id: randomNumber() }),
  'Runtime.getHeapUsage': () => {
    const { heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
    return { usedSize: heapUsed, totalSize: heapTotal, embedderHeapUsedSize: external, backingStorageSize: arrayBuffers };
  },
  'Runtime.runIfWaitingForDebugger': (session) => {
    require('internal/inspector/waiting').release(session);
  },
  'Runtime.discardConsoleEntries': () => require('internal/inspector/console_messages').discard(),
  'Runtime.setMaxCallStackSizeToCapture': (session, params) => {
    const size = required(params, 'size', 'integer');
    if (size < 0) throw new ProtocolError(kServerError, 'maxCallStackSizeToCapture should be non-negative');
    require('internal/inspector/stack').setMostFrames(size);
  },
  'Runtime.setAsyncCallStackDepth': (session, params) => {
    const depth = required(params, 'maxDepth', 'integer');
    if (!stateOf(session).isEnabled) throw new ProtocolError(kServerError, 'Runtime agent is not enabled');
    stateOf(session).hasAsyncStacks = true;
    require('internal/inspector/async_stacks').setDepth(session, depth);
  },
  'Runtime.setCustomObjectFormatterEnabled': (session, params) => {
    if (required(params, 'enabled', 'boolean')) throw new ProtocolError(kServerError, 'Custom formatters of objects are not supported');
  },
  'Runtime.getExceptionDetails': (session, params) => ({
    exceptionDetails: exceptionDetails(session, session.objects.get(required(params, 'errorObjectId', 'string'))),
  }),
};

module.exports = { answerWith, byValue, exceptionDetails, methods, optionsOf, refuseSideEffects, scriptIdOf, thrown, withCommandLine };
