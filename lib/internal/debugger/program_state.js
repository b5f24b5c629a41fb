// natives: none
// The debugged program between two commands of the prompt: its scripts, the frame that is looked at while it is stopped, breakpoints, and
// watched expressions. Breakpoints and expressions outlive a restart.
'use strict';

const { codes } = require('internal/errors/coded');
const { fileURLToPath } = require('internal/url/url');
const { inspect } = require('internal/util/inspect');
const path = require('internal/path/path');
const { RemoteValue } = require('internal/debugger/values');
const { validateString } = require('internal/util/validators');

const kGroup = 'rondo-inspect';
const kUsualLines = 5; // around a place that was asked for
const kLibraryPrefix = 'node:';

// A file below the current folder is shown relative to it.
function shownName(url) {
  const name = stringStartsWith.call(url, 'file://') ? fileURLToPath(url) : url;
  const folder = path.join(path.resolve(), '/');
  return stringStartsWith.call(name, folder) ? stringSlice.call(name, folder.length) : name;
}

const padded = (number, most) => stringPadStart.call(`${number}`, Math.max(2, `${most}`.length));

// Lines around a place; '>' marks the place, '*' other breakpoints.
class Excerpt {
  constructor(place, around, source, breakpointLines) {
    this.place = place;
    this.around = around;
    this.source = source;
    this.breakpointLines = breakpointLines;
  }

  [inspect.custom](_depth, options) {
    const { lineNumber, columnNumber } = this.place;
    const first = Math.max(0, lineNumber - this.around);
    const end = lineNumber + this.around + 1;
    const lines = arraySlice.call(stringSplit.call(this.source, '\n'), first, end);
    const shown = arrayMap.call(lines, (line, index) => {
      const number = first + index;
      const isCurrent = number === lineNumber;
      const mark = isCurrent ? '>' : this.breakpointLines.has(number) ? '*' : ' ';
      return `${mark}${padded(number + 1, end)} ${isCurrent && options.colors ? colored(line, columnNumber) : line}`;
    });
    return arrayJoin.call(shown, '\n');
  }
}

// The word at a column in green.
function colored(line, column) {
  const head = stringSlice.call(line, 0, column);
  return head + stringReplace.call(stringSlice.call(line, column), /^.+?(?=\W|$)/, '\u001b[32m$&\u001b[39m');
}

// Printed by the prompt as a list of lines.
class Backtrace {
  constructor(state, frames) {
    this.state = state;
    this.frames = frames;
  }

  [inspect.custom]() {
    const lines = arrayMap.call(this.frames, ({ functionName, location: { scriptId, lineNumber, columnNumber } }, index) => {
      const url = this.state.scripts.get(scriptId)?.url;
      const name = url === undefined ? '<unknown>' : shownName(url);
      return `#${index} ${functionName || '(anonymous)'} ${name}:${lineNumber + 1}:${columnNumber}`;
    });
    return arrayJoin.call(lines, '\n');
  }
}

class ProgramState {
  scripts = new Map(); // id → { url, isLibrary, … }
  breakpoints = []; // { breakpointId, location: { scriptId, scriptUrl, lineNumber } }
  watched = []; // expressions
  frames; // while it is stopped
  frame; // the one that is looked at
  exceptions = 'none';

  constructor(target) {
    this.target = target;
    const { Debugger } = target;
    Debugger.on('scriptParsed', (script) => {
      if (script.url) this.scripts.set(script.scriptId, { ...script, isLibrary: stringStartsWith.call(script.url, kLibraryPrefix) });
    });
    Debugger.on('breakpointResolved', ({ breakpointId, location }) => this.#remember(breakpointId, location));
    Debugger.on('resumed', () => this.goesOn());
  }

  // A new process, or none any more.
  reset() {
    this.scripts = new Map();
    this.goesOn();
  }

  stopsAt(frames) {
    this.frames = frames;
    this.frame = frames[0];
  }

  goesOn() {
    this.frames = undefined;
    this.frame = undefined;
  }

  get place() {
    if (this.frame === undefined) throw new codes.ERR_DEBUGGER_ERROR('Requires execution to be paused');
    return this.frame.location;
  }

  get backtrace() {
    return this.frames === undefined ? undefined : new Backtrace(this, this.frames);
  }

  async excerpt(place, around = kUsualLines) {
    const { scriptId } = place;
    const { scriptSource } = await this.target.Debugger.getScriptSource({ scriptId });
    const lines = new Set();
    for (const { location } of each(this.breakpoints)) {
      if (location?.scriptId === scriptId) lines.add(location.lineNumber);
    }
    return new Excerpt(place, around, scriptSource, lines);
  }

  // In the frame that is looked at, or in the global scope. Something thrown is a value, too.
  async evaluate(expression, options) {
    const { Debugger, Runtime } = this.target;
    const params = { expression, objectGroup: kGroup, generatePreview: true, ...options };
    const { result } =
      this.frame === undefined
        ? await Runtime.evaluate(params)
        : await Debugger.evaluateOnCallFrame({ ...params, callFrameId: this.frame.callFrameId });
    return new RemoteValue(result);
  }

  // Names in each scope of the frame but the global one.
  async scopeNames() {
    this.place; // throws while the program runs
    const scopes = [];
    for (const { type, object } of each(this.frame.scopeChain)) {
      if (type === 'global') continue;
      const { result } = await this.target.Runtime.getProperties({ objectId: object.objectId, generatePreview: true });
      arrayPush.call(
        scopes,
        arrayMap.call(result, ({ name }) => name),
      );
    }
    return scopes;
  }

  async watchedText() {
    const last = this.watched.length - 1;
    const lines = [];
    for (let index = 0; index <= last; index++) {
      const expression = this.watched[index];
      const value = await promiseThen(
        this.evaluate(expression),
        (result) => this.inspect(result),
        (error) => this.inspect(`<${error.message}>`),
      );
      const isLong = stringIncludes.call(value, '\n');
      const shown = isLong ? `\n    ${stringReplaceAll.call(value, '\n', '\n    ')}` : ` ${value}`;
      arrayPush.call(lines, ` ${padded(index, last)}: ${expression} =${shown}`);
    }
    return arrayJoin.call(lines, '\n');
  }

  inspect(value) {
    return inspect(value, { colors: this.target.stdout.isTTY });
  }

  scriptList(withLibrary) {
    const current = this.frame?.location.scriptId;
    const lines = [];
    for (const { scriptId, url, isLibrary } of each(Array.from(this.scripts.values()))) {
      const isCurrent = scriptId === current;
      if (isLibrary && !withLibrary && !isCurrent) continue;
      arrayPush.call(lines, `${isCurrent ? '*' : ' '} ${scriptId}: ${shownName(url)}${isLibrary ? ' <native>' : ''}`);
    }
    return arrayJoin.call(lines, '\n');
  }

  #remember(breakpointId, location) {
    const url = this.scripts.get(location?.scriptId)?.url;
    if (url !== undefined) location.scriptUrl = url;
    const known = arrayFind.call(this.breakpoints, (breakpoint) => breakpoint.breakpointId === breakpointId);
    if (known !== undefined) known.location = location;
    else arrayPush.call(this.breakpoints, { breakpointId, location });
  }

  // Lines that the prompt shows for a new breakpoint.
  async #added(name, breakpointId, place) {
    this.#remember(breakpointId, place);
    if (place?.scriptId !== undefined) return this.excerpt(place);
    this.target.print(`Warning: script '${name}' was not loaded yet.`);
    return undefined;
  }

  async #setAt(location, condition) {
    const { breakpointId, actualLocation } = await this.target.Debugger.setBreakpoint({ location, condition });
    return this.#added(undefined, breakpointId, actualLocation);
  }

  // (): here; (line): in this script; ('function()'); ('file.js', line, condition).
  async setBreakpoint(script, line, condition) {
    if (script === undefined) return this.#setAt(this.place, condition);
    if (line === undefined && typeof script === 'number')
      return this.#setAt({ scriptId: this.place.scriptId, lineNumber: script - 1 }, condition);
    validateString(script, 'script');
    if (stringEndsWith.call(script, '()')) {
      const outcome = await this.evaluate(`debug(${stringSlice.call(script, 0, -2)})`, { includeCommandLineAPI: true });
      return outcome.subtype === 'error' ? outcome : undefined;
    }
    return this.#setInScript(script, line, condition);
  }

  async #setInScript(script, line, condition) {
    const found = this.scripts.has(script) ? [script] : this.#scriptsNamed(script);
    if (found.length > 1) return this.target.print('Script name is ambiguous');
    if (!(line > 0)) return this.target.print('Line should be a positive value');
    const lineNumber = line - 1;
    if (found.length === 1) return this.#setAt({ scriptId: found[0], lineNumber }, condition);
    const escaped = replaceMatches(script, /[/\\.?*()^${}|[\]]/g, '\\$&');
    const urlRegex = `^(.*[\\/\\\\])?${escaped}$`;
    const { breakpointId } = await this.target.Debugger.setBreakpointByUrl({ urlRegex, lineNumber, condition });
    return this.#added(script, breakpointId, { scriptUrl: script, lineNumber });
  }

  #scriptsNamed(part) {
    const ids = [];
    for (const { scriptId, url } of each(Array.from(this.scripts.values()))) {
      if (stringIncludes.call(url, part)) arrayPush.call(ids, scriptId);
    }
    return ids;
  }

  async clearBreakpoint(name, line) {
    const index = arrayFindIndex.call(this.breakpoints, ({ location }) => {
      const url = this.scripts.get(location?.scriptId)?.url;
      return url !== undefined && stringIncludes.call(url, name) && location.lineNumber + 1 === line;
    });
    if (index < 0) return this.target.print(`Could not find breakpoint at ${name}:${line}`);
    const { breakpointId } = this.breakpoints[index];
    await this.target.Debugger.removeBreakpoint({ breakpointId });
    arraySplice.call(this.breakpoints, index, 1);
    return undefined;
  }

  breakpointList() {
    if (this.breakpoints.length === 0) return 'No breakpoints yet';
    const lines = arrayMap.call(this.breakpoints, ({ location }, index) => {
      const url = this.scripts.get(location?.scriptId)?.url ?? location?.scriptUrl;
      return `#${index} ${url === undefined ? '<unknown location>' : `${shownName(url)}:${location.lineNumber + 1}`}`;
    });
    return arrayJoin.call(lines, '\n');
  }

  // In the program that was started anew.
  async restoreBreakpoints() {
    const last = arrayFilter.call(this.breakpoints, ({ location }) => location?.scriptUrl !== undefined);
    this.breakpoints = [];
    for (const { location } of each(last)) await this.setBreakpoint(location.scriptUrl, location.lineNumber + 1);
    if (last.length > 0) this.target.print(`${last.length} breakpoints restored.`);
  }
}

module.exports = { ProgramState, shownName };
