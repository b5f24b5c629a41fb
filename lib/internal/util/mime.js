// natives: none
// util.MIMEType and util.MIMEParams, as the WHATWG MIME Sniffing Standard parses and
// serializes them (https://mimesniff.spec.whatwg.org/#parsing-a-mime-type).
'use strict';

const { codes: { ERR_INVALID_MIME_SYNTAX } } = require('internal/errors/coded');

const kNotToken = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/;
const kNotQuotable = /[^\t\u0020-~\u0080-\u00FF]/;
const kLeadingSpace = /^[\r\n\t ]*/;
const kTrailingSpace = /[\r\n\t ]*$/;

const asciiLower = (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const trimEnd = (text) => text.replace(kTrailingSpace, '');

function checkToken(production, token, whole = token) {
  const at = token.search(kNotToken);
  if (token === '' || at !== -1) throw new ERR_INVALID_MIME_SYNTAX(production, whole, at);
}

function parseEssence(text) {
  const start = kLeadingSpace.exec(text)[0].length;
  const slash = text.indexOf('/', start);
  const type = slash === -1 ? text.slice(start) : text.slice(start, slash);
  checkToken('type', type, text);
  if (slash === -1) throw new ERR_INVALID_MIME_SYNTAX('type', text, -1);
  const semicolon = text.indexOf(';', slash + 1);
  const subtype = trimEnd(semicolon === -1 ? text.slice(slash + 1) : text.slice(slash + 1, semicolon));
  checkToken('subtype', subtype, text);
  const rest = semicolon === -1 ? '' : text.slice(semicolon + 1);
  return { type: asciiLower(type), subtype: asciiLower(subtype), rest };
}

// Reads a quoted string from just after its first quote; gives the value and where it ends.
function readQuoted(text, at) {
  let value = '';
  for (; at < text.length && text[at] !== '"'; at++) {
    if (text[at] === '\\' && at + 1 < text.length) at++;
    value += text[at];
  }
  return { value, end: at + 1 };
}

function parseParameters(source) {
  const text = trimEnd(source);
  const data = new Map();
  let at = 0;
  while (at < text.length) {
    at += kLeadingSpace.exec(text.slice(at))[0].length;
    const nameLength = text.slice(at).search(/[;=]|$/);
    const name = asciiLower(text.slice(at, at + nameLength));
    at += nameLength;
    if (text[at++] !== '=') continue;
    if (at >= text.length) break;
    let value;
    if (text[at] === '"') {
      const quoted = readQuoted(text, at + 1);
      value = quoted.value;
      const semicolon = text.indexOf(';', quoted.end);
      at = semicolon === -1 ? text.length : semicolon + 1;
    } else {
      const semicolon = text.indexOf(';', at);
      const end = semicolon === -1 ? text.length : semicolon;
      value = trimEnd(text.slice(at, end));
      at = end + 1;
      if (value === '') continue;
    }
    if (name !== '' && !kNotToken.test(name) && !kNotQuotable.test(value) && !data.has(name)) data.set(name, value);
  }
  return data;
}

function encode(value) {
  if (value === '') return '""';
  return kNotToken.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value;
}

let parametersFrom;

class MIMEParams {
  #data = new Map();
  #source = null;

  // Parameters are parsed when first needed.
  static {
    parametersFrom = (source) => {
      const params = new MIMEParams();
      params.#source = source;
      return params;
    };
  }

  get #parsed() {
    if (this.#source !== null) {
      this.#data = parseParameters(this.#source);
      this.#source = null;
    }
    return this.#data;
  }

  delete(name) { this.#parsed.delete(asciiLower(`${name}`)); }
  get(name) { return this.#parsed.get(asciiLower(`${name}`)) ?? null; }
  has(name) { return this.#parsed.has(asciiLower(`${name}`)); }

  set(name, value) {
    const data = this.#parsed;
    name = asciiLower(`${name}`);
    value = `${value}`;
    checkToken('parameter name', name);
    const at = value.search(kNotQuotable);
    if (at !== -1) throw new ERR_INVALID_MIME_SYNTAX('parameter value', value, at);
    data.set(name, value);
  }

  *entries() { yield* each(this.#parsed.entries()); }
  *keys() { yield* each(this.#parsed.keys()); }
  *values() { yield* each(this.#parsed.values()); }

  toString() {
    return [...each(this.#parsed)].map((entry) => `${entry[0]}=${encode(entry[1])}`).join(';');
  }
}

class MIMEType {
  #type;
  #subtype;
  #params;

  constructor(input) {
    const { type, subtype, rest } = parseEssence(`${input}`);
    this.#type = type;
    this.#subtype = subtype;
    this.#params = parametersFrom(rest);
  }

  get type() { return this.#type; }
  set type(value) {
    value = `${value}`;
    checkToken('type', value);
    this.#type = asciiLower(value);
  }

  get subtype() { return this.#subtype; }
  set subtype(value) {
    value = `${value}`;
    checkToken('subtype', value);
    this.#subtype = asciiLower(value);
  }

  get essence() { return `${this.#type}/${this.#subtype}`; }
  get params() { return this.#params; }

  toString() {
    const params = MIMEParams.prototype.toString.call(this.#params);
    return params === '' ? this.essence : `${this.#type}/${this.#subtype};${params}`;
  }
}

const hidden = (value) => ({ __proto__: null, configurable: true, writable: true, value });
Object.defineProperty(MIMEParams.prototype, Symbol.iterator, hidden(MIMEParams.prototype.entries));
Object.defineProperty(MIMEParams.prototype, 'toJSON', hidden(MIMEParams.prototype.toString));
Object.defineProperty(MIMEType.prototype, 'toJSON', hidden(MIMEType.prototype.toString));

module.exports = { MIMEParams, MIMEType };
