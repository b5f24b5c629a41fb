// natives: none
// Command line of `rondo inspect`: whether it asks for help, a prompt or probes, and the probes.
'use strict';

const { codes } = require('internal/errors/coded');
const { parseArgs } = require('internal/util/parse_args');

const kUsualTimeout = 30_000; // ms
const kNeedsExpression = 'Each --probe must be followed immediately by --expr <expr>';
const kNeedsDashes = 'Use -- before child Node.js flags in probe mode';

const kOptions = {
  __proto__: null,
  cond: { type: 'string' },
  expr: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  'max-hit': { type: 'string' },
  port: { type: 'string' },
  preview: { type: 'boolean' },
  probe: { type: 'string' },
  timeout: { type: 'string' },
};

const tokensOf = (args) => parseArgs({ args, allowPositionals: true, options: kOptions, strict: false, tokens: true }).tokens;
const refuse = (message) => {
  throw new codes.ERR_DEBUGGER_STARTUP_ERROR(message);
};

// 'help', 'probe' or 'prompt': by the options before the script.
function chooseMode(args) {
  for (const { kind, name, value, inlineValue } of each(tokensOf(args))) {
    if (kind !== 'option') break;
    if (name === 'help') return 'help';
    if (name === 'probe') return !inlineValue && (value === '--help' || value === '-h') ? 'help' : 'probe';
  }
  return 'prompt';
}

function wholeNumber(text, name, least) {
  if (typeof text !== 'string' || !regexpTest.call(/^\d+$/, text) || Number(text) < least) refuse(`Invalid ${name}: ${text}`);
  return Number(text);
}

// file:line[:column], counted from 1
function readPlace(text) {
  const found = regexpExec.call(/^(.+?):(\d+)(?::(\d+))?$/, text);
  if (found === null) refuse(`Invalid probe location: ${text}`);
  const place = { suffix: found[1], line: wholeNumber(found[2], 'probe location', 1) };
  if (found[3] !== undefined) place.column = wholeNumber(found[3], 'probe location', 1);
  return place;
}

const placeText = ({ suffix, line, column }) => (column === undefined ? `${suffix}:${line}` : `${suffix}:${line}:${column}`);

class ProbeReader {
  options = { host: '127.0.0.1', port: 0, timeout: kUsualTimeout, json: false, preview: false, probes: [], args: [], waitsForPort: false };
  #place; // of a --probe without its --expr
  #nextIndex; // where that must stand

  constructor(args) {
    this.args = args;
  }

  read() {
    let start = this.args.length; // of the script
    let hasDashes = false;
    for (const token of each(tokensOf(this.args))) {
      if (token.kind === 'option-terminator') {
        hasDashes = true;
        start = token.index + 1;
        break;
      }
      if (this.#place !== undefined) {
        this.#takeExpression(token);
        continue;
      }
      if (token.kind === 'positional') {
        start = token.index;
        break;
      }
      this.#takeOption(token);
    }
    this.#finish(start, hasDashes);
    return this.options;
  }

  #takeExpression({ kind, name, index, value }) {
    if (kind !== 'option' || name !== 'expr' || index !== this.#nextIndex || value === undefined) refuse(kNeedsExpression);
    arrayPush.call(this.options.probes, { expr: value, target: this.#place });
    this.#place = undefined;
  }

  #takeOption({ name, rawName, value, index, inlineValue }) {
    const { options } = this;
    switch (name) {
      case 'json':
      case 'preview':
        options[name] = true;
        break;
      case 'timeout':
        options.timeout = wholeNumber(given(value, rawName), 'timeout', 0);
        break;
      case 'port':
        options.port = wholeNumber(given(value, rawName), 'inspector port', 0);
        break;
      case 'probe':
        this.#place = readPlace(value);
        this.#nextIndex = index + (inlineValue ? 1 : 2);
        break;
      case 'expr':
        refuse('Unexpected --expr before --probe');
        break;
      case 'max-hit':
      case 'cond':
        this.#takeModifier(name, rawName, value);
        break;
      default:
        refuse(options.probes.length > 0 ? kNeedsDashes : `Unknown probe option: ${rawName}`);
    }
  }

  // Of the probe before it.
  #takeModifier(name, rawName, value) {
    const { probes } = this.options;
    if (probes.length === 0) refuse(`Unexpected --${name} before --probe`);
    const probe = probes[probes.length - 1];
    if (name === 'max-hit') {
      given(value, rawName);
      if (probe.maxHit !== undefined) refuse('Duplicate --max-hit for a single --probe');
      probe.maxHit = wholeNumber(value, 'max-hit', 1);
      return;
    }
    if (value === undefined || stringTrim.call(value) === '') refuse(`Missing value for ${rawName}`);
    if (probe.condition !== undefined) refuse('A --probe can have at most one --cond');
    probe.condition = value;
  }

  #finish(start, hasDashes) {
    const { options } = this;
    if (this.#place !== undefined) refuse(kNeedsExpression);
    if (options.probes.length === 0) refuse('Probe mode requires at least one --probe <loc> --expr <expr> group');
    checkConditions(options.probes);
    options.args = arraySlice.call(this.args, start);
    if (options.args.length === 0) refuse('Probe mode requires a child script');
    if (!hasDashes && stringStartsWith.call(options.args[0], '-')) refuse(kNeedsDashes);
    options.waitsForPort = options.port !== 0;
    for (const arg of each(options.args)) {
      const port = regexpExec.call(/^--inspect-port=(\d+)$/, arg)?.[1];
      if (port === '0') options.waitsForPort = false;
      else if (port !== undefined) refuse('Only child --inspect-port=0 is supported in probe mode');
    }
  }
}

function given(value, rawName) {
  if (value === undefined) refuse(`Missing value for ${rawName}`);
  return value;
}

// One place has one breakpoint, and that one condition.
function checkConditions(probes) {
  const known = new Map();
  for (const { target, condition } of each(probes)) {
    const key = placeText(target);
    if (!known.has(key)) known.set(key, condition);
    else if (known.get(key) !== condition) refuse(`Probes at ${key} must use the same --cond (or none)`);
  }
}

const readProbes = (args) => new ProbeReader(args).read();

module.exports = { chooseMode, placeText, readProbes };
