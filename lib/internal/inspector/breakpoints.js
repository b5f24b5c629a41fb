// natives: inspector
//
// The breakpoints of one session: by script, by URL and by pattern; the last two also in scripts that come later.

'use strict';

const binding = native('inspector');
const engine = require('internal/inspector/debugger_engine');
const { ProtocolError, optional, required } = require('internal/inspector/protocol_error');

const kServerError = -32000;
const kByUrl = 1,
  kByPattern = 2,
  kByHash = 3,
  kByScript = 4,
  kByFunction = 5; // debug() of the console
let lastNumber = 0; // of all sessions: the engine's ids

class Breakpoints {
  #state;
  #all = new Map(); // protocol's id → { line, column, condition, matches(script), numbers }
  #ids = new Map(); // engine's number → protocol's id
  #isActive = true;
  #temporary;
  #isStep = false;

  constructor(state) {
    this.#state = state;
  }

  idOf(number) {
    if (number === this.#temporary) {
      binding.removeBreakpoint(number);
      this.#temporary = undefined;
      return undefined;
    }
    return this.#ids.get(number);
  }

  setByUrl(params) {
    const line = required(params, 'lineNumber', 'integer');
    const column = optional(params, 'columnNumber', 'integer') ?? 0;
    const condition = optional(params, 'condition', 'string') ?? '';
    const url = optional(params, 'url', 'string'),
      pattern = optional(params, 'urlRegex', 'string'),
      hash = optional(params, 'scriptHash', 'string');
    const given = arrayFilter.call([url, pattern, hash], (value) => value !== undefined);
    if (given.length !== 1) throw new ProtocolError(kServerError, 'Either url or urlRegex or scriptHash must be specified.');
    if (line < 0) throw new ProtocolError(kServerError, 'Line number must be non-negative');
    if (column < 0) throw new ProtocolError(kServerError, 'Invalid column number');
    const kind = url !== undefined ? kByUrl : pattern !== undefined ? kByPattern : kByHash;
    const id = `${kind}:${line}:${column}:${given[0]}`;
    if (this.#all.has(id)) throw new ProtocolError(kServerError, 'Breakpoint at specified location already exists.');
    const breakpoint = { id, line, column, condition, matches: matcher(url, pattern, hash), numbers: [] };
    this.#all.set(id, breakpoint);
    const locations = [];
    for (const script of each(Array.from(engine.scripts.values()))) {
      const location = this.#add(breakpoint, script);
      if (location !== undefined) arrayPush.call(locations, location);
    }
    return { breakpointId: id, locations };
  }

  setAt(params) {
    const location = required(params, 'location', 'object');
    const { scriptId, lineNumber: line, columnNumber: column = 0 } = location;
    const condition = optional(params, 'condition', 'string') ?? '';
    const id = `${kByScript}:${line}:${column}:${scriptId}`;
    if (this.#all.has(id)) throw new ProtocolError(kServerError, 'Breakpoint at specified location already exists.');
    const script = engine.scripts.get(Number(scriptId));
    const breakpoint = { id, line, column, condition, matches: () => false, numbers: [] };
    const actualLocation = script === undefined ? undefined : this.#place(breakpoint, script);
    if (actualLocation === undefined) throw new ProtocolError(kServerError, 'Could not resolve breakpoint');
    this.#all.set(id, breakpoint);
    return { breakpointId: id, actualLocation };
  }

  setAtFunction({ scriptId, line, column }) {
    const id = `${kByFunction}:${line}:${column}:${scriptId}`;
    const script = engine.scripts.get(scriptId);
    if (this.#all.has(id) || script === undefined) return;
    const breakpoint = { id, line, column, condition: '', matches: () => false, numbers: [] };
    if (this.#place(breakpoint, script) !== undefined) this.#all.set(id, breakpoint);
  }

  removeAtFunction({ scriptId, line, column }) {
    this.remove(`${kByFunction}:${line}:${column}:${scriptId}`);
  }

  isAtFunction(id) {
    return stringStartsWith.call(id, `${kByFunction}:`);
  }

  onScript(script) {
    for (const breakpoint of each(Array.from(this.#all.values()))) {
      const location = this.#add(breakpoint, script);
      if (location !== undefined) this.#state.session.event('Debugger.breakpointResolved', { breakpointId: breakpoint.id, location });
    }
  }

  #add(breakpoint, script) {
    return breakpoint.matches(script) ? this.#place(breakpoint, script) : undefined;
  }

  #place(breakpoint, script) {
    const number = ++lastNumber;
    const { line, column, condition, id } = breakpoint;
    if (line > script.endLine) return undefined;
    const place = binding.addBreakpoint(number, script.id, line, column, condition);
    if (place === false) throw new ProtocolError(kServerError, 'Breakpoint at specified location already exists.');
    if (place === undefined) return undefined;
    if (!this.#isActive) binding.removeBreakpoint(number);
    arrayPush.call(breakpoint.numbers, { number, scriptId: script.id, place });
    this.#ids.set(number, id);
    return { scriptId: String(script.id), ...place };
  }

  remove(id) {
    const breakpoint = this.#all.get(id);
    if (breakpoint === undefined) return;
    this.#all.delete(id);
    for (const { number } of each(breakpoint.numbers)) {
      binding.removeBreakpoint(number);
      this.#ids.delete(number);
    }
  }

  clear() {
    for (const id of each(Array.from(this.#all.keys()))) this.remove(id);
  }

  setActive(isActive) {
    if (this.#isActive === isActive) return;
    this.#isActive = isActive;
    for (const { condition, numbers } of each(Array.from(this.#all.values()))) {
      for (const { number, scriptId, place } of each(numbers)) {
        if (isActive) binding.addBreakpoint(number, scriptId, place.lineNumber, place.columnNumber, condition);
        else binding.removeBreakpoint(number);
      }
    }
  }

  isStep(number) {
    return number === this.#temporary && this.#isStep;
  }

  // A breakpoint for one stop.
  continueTo({ scriptId, lineNumber, columnNumber = 0 }, isStep = false) {
    if (this.#temporary !== undefined) binding.removeBreakpoint(this.#temporary);
    this.#isStep = isStep;
    const number = ++lastNumber;
    const place = binding.addBreakpoint(number, Number(scriptId), lineNumber, columnNumber, '');
    if (place === undefined) throw new ProtocolError(kServerError, 'Could not continue to specified location');
    if (place !== false) this.#temporary = number;
  }
}

function matcher(url, pattern, hash) {
  if (url !== undefined) return (script) => script.url === url;
  if (hash !== undefined) return (script) => script.hash === hash;
  const expression = new RegExp(pattern);
  return (script) => regexpTest.call(expression, script.url);
}

module.exports = { Breakpoints };
