// natives: inspector
//
// The Debugger domain: scripts, breakpoints, stopping and stepping, the frames of a stopped program and their variables.

'use strict';

const binding = native('inspector');
const asyncStacks = require('internal/inspector/async_stacks');
const engine = require('internal/inspector/debugger_engine');
const { ScopeParts } = require('internal/inspector/objects');
const { ProtocolError, optional, required } = require('internal/inspector/protocol_error');
const { Breakpoints } = require('internal/inspector/breakpoints');
const { randomNumber } = require('internal/inspector/session');
const runtime = require('internal/inspector/runtime_domain');

const kServerError = -32000;
const kPauseGroup = 'backtrace';
const loopBreakpoints = () => require('internal/inspector/loop_breakpoints');
const debuggerId = `${randomNumber()}.${randomNumber()}`;

class DebuggerState {
  isEnabled = false;
  exceptions = 'none';
  skipsAll = false;
  hasLoopBreakpoints = false;
  patterns = []; // of blackboxing

  constructor(session) {
    this.session = session;
    this.breakpoints = new Breakpoints(this);
  }

  enable() {
    if (this.isEnabled) return;
    this.isEnabled = true;
    engine.add(this);
  }

  disable() {
    if (!this.isEnabled) return;
    this.isEnabled = false;
    this.breakpoints.clear();
    if (this.hasLoopBreakpoints) loopBreakpoints().clear(this.session);
    asyncStacks.setDepth(this.session, 0);
    this.exceptions = 'none';
    engine.remove(this);
    updateExceptions();
  }

  close() {
    this.disable();
  }

  onScript(script) {
    this.session.event('Debugger.scriptParsed', describeScript(script));
    if (this.#isSkipped(script)) binding.skipScript(script.id, true);
    this.breakpoints.onScript(script);
  }

  onFailedScript(script) {
    const { isLiveEdit, ...rest } = describeScript(script);
    this.session.event('Debugger.scriptFailedToParse', rest);
  }

  stopsAtException(isCaught) {
    switch (this.exceptions) {
      case 'all':
        return true;
      case 'uncaught':
        return !isCaught;
      case 'caught':
        return isCaught;
      default:
        return false;
    }
  }

  #isSkipped(script) {
    return arraySome.call(this.patterns, (pattern) => regexpTest.call(pattern, script.url));
  }

  setPatterns(patterns) {
    this.patterns = patterns;
    for (const script of each(Array.from(engine.scripts.values()))) {
      if (!script.isLibrary) binding.skipScript(script.id, this.#isSkipped(script));
    }
  }

  onPaused(pause) {
    const { reason, data, auxData, hitBreakpoints } = this.#reasonOf(pause);
    const callFrames = arrayMap.call(pause.frames, (frame, index) => this.#frame(frame, index));
    const detail = data ?? auxData;
    const asyncStackTrace = asyncStacks.current(this.session);
    this.session.event('Debugger.paused', {
      callFrames,
      reason,
      ...(detail !== undefined && { data: detail }),
      hitBreakpoints,
      ...(asyncStackTrace !== undefined && { asyncStackTrace }),
    });
  }

  #reasonOf({ kind, breakpoint, hasException, exception, reason, data, loopStop }) {
    if (hasException) {
      const shown = this.session.objects.remote(exception, kPauseGroup, { generatePreview: true });
      return { reason: 'exception', data: { ...shown, uncaught: true }, hitBreakpoints: [] };
    }
    const isStep = breakpoint !== 0 && this.breakpoints.isStep(breakpoint);
    const hit = breakpoint === 0 ? undefined : this.breakpoints.idOf(breakpoint);
    const hitBreakpoints = hit === undefined ? [] : [hit];
    if (reason !== undefined) return { reason, data, hitBreakpoints };
    if (hit !== undefined && this.breakpoints.isAtFunction(hit)) return { reason: 'debugCommand', hitBreakpoints };
    const ofLoop =
      loopStop === undefined || hit !== undefined ? undefined : loopBreakpoints().describe(this.session, loopStop[0], loopStop[1]);
    if (ofLoop !== undefined) return ofLoop;
    return { reason: (kind === 'step' && hit === undefined) || isStep ? 'step' : 'other', hitBreakpoints };
  }

  #frame(frame, index) {
    const scopes = mergeScopes(frame.scopes);
    frame.merged = scopes;
    const { objects } = this.session;
    const script = engine.scripts.get(frame.scriptId);
    return {
      callFrameId: `${debuggerId}.${index}`,
      functionName: frame.functionName,
      location: { scriptId: String(frame.scriptId), lineNumber: frame.line, columnNumber: frame.column },
      url: script?.url ?? '',
      scopeChain: arrayMap.call(scopes, ({ type, name, parts }) => ({
        type,
        object: scopeObject(objects, type, parts),
        ...(name !== undefined && { name }),
      })),
      this: objects.remote(frame.self, kPauseGroup),
      canBeRestarted: false,
    };
  }

  onResumed() {
    this.session.objects.releaseGroup(kPauseGroup);
    this.session.event('Debugger.resumed', {});
  }
}

function scopeObject(objects, type, parts) {
  if (type === 'global') return objects.remote(globalThis, kPauseGroup);
  const object = new ScopeParts(parts);
  return { type: 'object', className: 'Object', description: 'Object', objectId: objects.keep(object, kPauseGroup) };
}

// The engine has a scope for a function's parameters and `var`s and another for its `let`s; the protocol has one for both.
function mergeScopes(scopes) {
  const merged = [];
  let hasLocal = false;
  let last; // the scope before, when it is a function's
  for (const { type, name, line, column, object } of each(scopes)) {
    if (type !== 'closure') {
      arrayPush.call(merged, { type, name: type === 'block' && name !== '' ? name : undefined, parts: [object] });
      last = undefined;
      continue;
    }
    const key = `${line}:${column}:${name}`;
    if (last?.key === key) {
      arrayPush.call(last.parts, object);
      continue;
    }
    last = { type: hasLocal ? 'closure' : 'local', name: name === '' ? undefined : name, parts: [object], key };
    hasLocal = true;
    arrayPush.call(merged, last);
  }
  return arrayFilter.call(
    merged,
    ({ type, parts }) =>
      type === 'global' || type === 'local' || arraySome.call(parts, (part) => Object.getOwnPropertyNames(part).length > 0),
  );
}

const kTypeScript = /^file:.*\.[cm]?tsx?$/;

function describeScript(script) {
  const { id, url, startLine, startColumn, endLine, endColumn, hash, sourceMapURL, isModule, length } = script;
  return {
    scriptId: String(id),
    url,
    startLine,
    startColumn,
    endLine,
    endColumn,
    executionContextId: 1,
    hash,
    buildId: '',
    executionContextAuxData: { isDefault: true },
    isLiveEdit: false,
    sourceMapURL,
    hasSourceURL: regexpTest.call(kTypeScript, url), // its types are taken out: the text is not the file's
    isModule,
    length,
    scriptLanguage: 'JavaScript',
    embedderName: url,
  };
}

const stateOf = (session) => session.state('Debugger', () => new DebuggerState(session));

function enabled(session) {
  const state = stateOf(session);
  if (!state.isEnabled) throw new ProtocolError(kServerError, 'Debugger agent is not enabled');
  return state;
}

function paused(session) {
  enabled(session);
  const { pause } = engine;
  if (pause === undefined || pause.isOver) throw new ProtocolError(kServerError, 'Can only perform operation while paused.');
  return pause;
}

function scriptNumber(text) {
  const id = Number(text);
  if (!engine.scripts.has(id)) throw new ProtocolError(kServerError, 'No script for id: ' + text);
  return id;
}

function frameOf(session, params) {
  const pause = paused(session);
  const id = required(params, 'callFrameId', 'string');
  const index = Number(stringSlice.call(id, stringLastIndexOf.call(id, '.') + 1));
  const frame = stringStartsWith.call(id, `${debuggerId}.`) ? pause.frames[index] : undefined;
  if (frame === undefined) throw new ProtocolError(kServerError, 'Invalid call frame id');
  return { frame, index };
}

function evaluateOnCallFrame(session, params) {
  const { index } = frameOf(session, params);
  const expression = required(params, 'expression', 'string');
  const group = params.objectGroup ?? kPauseGroup;
  try {
    if (params.throwOnSideEffect === true) runtime.refuseSideEffects(expression);
    const run = () => binding.evaluateInFrame(index, expression);
    const value = params.includeCommandLineAPI === true ? runtime.withCommandLine(session, run) : run();
    return runtime.answerWith(session, value, params, group);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return runtime.thrown(session, error, group);
  }
}

function setVariableValue(session, params) {
  const { frame } = frameOf(session, params);
  const scope = frame.merged?.[required(params, 'scopeNumber', 'integer')];
  const name = required(params, 'variableName', 'string');
  if (scope === undefined) throw new ProtocolError(kServerError, 'Could not find scope with given number');
  const value = session.objects.argument(required(params, 'newValue', 'object'));
  const holder =
    scope.type === 'global'
      ? globalThis
      : arrayFind.call(scope.parts, (part) => Reflect.getOwnPropertyDescriptor(part, name) !== undefined);
  if (holder === undefined) throw new ProtocolError(-32603, 'Internal error');
  holder[name] = value;
}

function updateExceptions() {
  binding.stopAtExceptions(arraySome.call(Array.from(engine.users), (user) => user.exceptions !== 'none'));
}

function setPauseOnExceptions(session, params) {
  const state = required(params, 'state', 'string');
  if (!arrayIncludes.call(['none', 'caught', 'uncaught', 'all'], state))
    throw new ProtocolError(kServerError, `Unknown pause on exceptions mode: ${state}`);
  enabled(session).exceptions = state;
  updateExceptions();
}

function setBlackboxPatterns(session, params) {
  const list = required(params, 'patterns', 'array');
  let patterns;
  try {
    patterns = arrayMap.call(list, (pattern) => new RegExp(`${pattern}`));
  } catch (error) {
    throw new ProtocolError(kServerError, `Pattern parser error: ${error.message}`);
  }
  enabled(session).setPatterns(patterns);
}

function getPossibleBreakpoints(session, params) {
  enabled(session);
  const start = required(params, 'start', 'object');
  const id = scriptNumber(start.scriptId);
  const end = optional(params, 'end', 'object') ?? { lineNumber: engine.scripts.get(id).endLine + 1, columnNumber: 0 };
  const places = binding.possibleBreakpoints(
    id,
    start.lineNumber ?? 0,
    start.columnNumber ?? 0,
    end.lineNumber ?? 0,
    end.columnNumber ?? 0,
  );
  return { locations: arrayMap.call(places, (place) => ({ scriptId: String(id), ...place })) };
}

function getScriptSource(session, params) {
  enabled(session);
  const id = scriptNumber(required(params, 'scriptId', 'string'));
  return { scriptSource: binding.scriptSource(id) ?? '' };
}

function searchInContent(session, params) {
  enabled(session);
  const lines = stringSplit.call(binding.scriptSource(scriptNumber(required(params, 'scriptId', 'string'))) ?? '', '\n');
  const query = required(params, 'query', 'string');
  const escaped = params.isRegex === true ? query : replaceMatches(query, /[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(escaped, params.caseSensitive === true ? '' : 'i');
  const result = [];
  for (let lineNumber = 0; lineNumber < lines.length; lineNumber++) {
    if (regexpTest.call(pattern, lines[lineNumber])) arrayPush.call(result, { lineNumber, lineContent: lines[lineNumber] });
  }
  return { result };
}

function step(name) {
  return (session) => {
    paused(session);
    engine.goOn(name);
  };
}

// A step over an await ends behind it, when the function goes on: the engine's own step would end in the caller.
function placeAfterAwait({ scriptId, line, column }) {
  const script = engine.scripts.get(scriptId);
  const source = binding.scriptSource(scriptId);
  if (script === undefined || source === undefined || !stringIncludes.call(source, 'await')) return undefined;
  const lines = stringSplit.call(source, '\n');
  for (const place of each(binding.possibleBreakpoints(scriptId, line, column, script.endLine + 1, 0))) {
    if (place.lineNumber === line && place.columnNumber <= column) continue;
    const text = textBetween(lines, line, column, place);
    if (depthOf(text) > 0) continue; // in a function that the statement makes
    return regexpTest.call(/\bawait\b/, text) ? place : undefined;
  }
  return undefined;
}

function textBetween(lines, line, column, { lineNumber, columnNumber }) {
  if (lineNumber === line) return stringSlice.call(lines[line], column, columnNumber);
  const between = arraySlice.call(lines, line, lineNumber + 1);
  between[0] = stringSlice.call(between[0], column);
  between[between.length - 1] = stringSlice.call(between[between.length - 1], 0, columnNumber);
  return arrayJoin.call(between, '\n');
}

// How many brackets of a text are open at its end.
function depthOf(text) {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (stringIncludes.call('([{', text[i])) depth++;
    else if (stringIncludes.call(')]}', text[i])) depth--;
  }
  return depth;
}

function stepOver(session) {
  const frame = paused(session).frames[0];
  const next = frame === undefined ? undefined : placeAfterAwait(frame);
  if (next === undefined) return engine.goOn('stepOver');
  stateOf(session).breakpoints.continueTo({ scriptId: frame.scriptId, ...next }, true);
  engine.goOn('resume');
}

function pause(session) {
  enabled(session);
  if (engine.pause === undefined) engine.pauseSoon({ reason: 'other' });
}

const methods = {
  __proto__: null,
  'Debugger.enable': (session) => {
    stateOf(session).enable();
    return { debuggerId };
  },
  'Debugger.disable': (session) => stateOf(session).disable(),
  'Debugger.setBreakpointByUrl': (session, params) => enabled(session).breakpoints.setByUrl(params),
  'Debugger.setBreakpoint': (session, params) => enabled(session).breakpoints.setAt(params),
  'Debugger.removeBreakpoint': (session, params) => {
    const id = required(params, 'breakpointId', 'string');
    if (!enabled(session).hasLoopBreakpoints || !loopBreakpoints().remove(session, id)) stateOf(session).breakpoints.remove(id);
  },
  // Of our own: the event loop stops the program.
  'Debugger.setLoopBreakpoint': (session, params) => {
    enabled(session).hasLoopBreakpoints = true;
    return loopBreakpoints().set(session, params);
  },
  'Debugger.setBreakpointsActive': (session, params) => enabled(session).breakpoints.setActive(required(params, 'active', 'boolean')),
  'Debugger.getPossibleBreakpoints': getPossibleBreakpoints,
  'Debugger.continueToLocation': (session, params) => {
    paused(session);
    stateOf(session).breakpoints.continueTo(required(params, 'location', 'object'));
    engine.goOn('resume');
  },
  'Debugger.pause': pause,
  'Debugger.resume': step('resume'),
  'Debugger.stepOver': stepOver,
  'Debugger.stepInto': step('stepInto'),
  'Debugger.stepOut': step('stepOut'),
  'Debugger.evaluateOnCallFrame': evaluateOnCallFrame,
  'Debugger.setVariableValue': setVariableValue,
  'Debugger.setPauseOnExceptions': setPauseOnExceptions,
  'Debugger.setSkipAllPauses': (session, params) => {
    const skip = required(params, 'skip', 'boolean');
    enabled(session);
    binding.skipAllPauses(skip);
  },
  'Debugger.setBlackboxPatterns': setBlackboxPatterns,
  'Debugger.setBlackboxedRanges': (session, params) => {
    enabled(session);
    binding.skipScript(scriptNumber(required(params, 'scriptId', 'string')), required(params, 'positions', 'array').length % 2 === 1);
  },
  'Debugger.setBlackboxExecutionContexts': (session, params) => {
    if (required(params, 'uniqueIds', 'array').length > 0) throw new ProtocolError(kServerError, 'Contexts cannot be skipped as a whole');
  },
  'Debugger.setAsyncCallStackDepth': (session, params) => {
    const depth = required(params, 'maxDepth', 'integer');
    if (stateOf(session).isEnabled) asyncStacks.setDepth(session, depth);
  },
  'Debugger.getScriptSource': getScriptSource,
  'Debugger.searchInContent': searchInContent,
  'Debugger.restartFrame': () => {
    throw new ProtocolError(kServerError, 'Restarting frame is not supported by this engine');
  },
  'Debugger.setScriptSource': () => {
    throw new ProtocolError(kServerError, 'LiveEdit is not supported by this engine');
  },
  'Debugger.setReturnValue': () => {
    throw new ProtocolError(kServerError, 'Could not find return value');
  },
  'Debugger.getStackTrace': () => {
    throw new ProtocolError(kServerError, 'Stack trace with given id is not found');
  },
};

module.exports = { methods };
