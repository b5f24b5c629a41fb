// natives: none
// util.MIMEType and util.MIMEParams, as the WHATWG MIME Sniffing Standard parses and
// serializes them (https://mimesniff.spec.whatwg.org/#parsing-a-mime-type).
'use strict';

const {
  codes: { ERR_INVALID_MIME_SYNTAX },
} = require('internal/errors/coded');

const kNotToken = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/;
const kNotQuotable = /[^\t\u0020-~\u0080-\u00FF]/;
const kLeadingSpace = /^[\r\n\t ]*/;
const kTrailingSpace = /[\r\n\t ]*$/;

const asciiLower = (text) => replaceMatches(text, /[A-Z]+/g, (letters) => stringToLowerCase.call(letters));
const trimEnd = (text) => replaceMatches(text, kTrailingSpace, '');

function checkToken(production, token, whole = token) {
  const at = regexpSearch.call(kNotToken, token);
  if (token === '' || at !== -1) throw new ERR_INVALID_MIME_SYNTAX(production, whole, at);
}

function parseEssence(text) {
  const start = regexpExec.call(kLeadingSpace, text)[0].length;
  const slash = stringIndexOf.call(text, '/', start);
  const type = slash === -1 ? stringSlice.call(text, start) : stringSlice.call(text, start, slash);
  checkToken('type', type, text);
  if (slash === -1) throw new ERR_INVALID_MIME_SYNTAX('type', text, -1);
  const semicolon = stringIndexOf.call(text, ';', slash + 1);
  const subtype = trimEnd(semicolon === -1 ? stringSlice.call(text, slash + 1) : stringSlice.call(text, slash + 1, semicolon));
  checkToken('subtype', subtype, text);
  const rest = semicolon === -1 ? '' : stringSlice.call(text, semicolon + 1);
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
    at += regexpExec.call(kLeadingSpace, stringSlice.call(text, at))[0].length;
    const nameLength = regexpSearch.call(/[;=]|$/, stringSlice.call(text, at));
    const name = asciiLower(stringSlice.call(text, at, at + nameLength));
    at += nameLength;
    if (text[at++] !== '=') continue;
    if (at >= text.length) break;
    let value;
    if (text[at] === '"') {
      const quoted = readQuoted(text, at + 1);
      value = quoted.value;
      const semicolon = stringIndexOf.call(text, ';', quoted.end);
      at = semicolon === -1 ? text.length : semicolon + 1;
    } else {
      const semicolon = stringIndexOf.call(text, ';', at);
      const end = semicolon === -1 ? text.length : semicolon;
      value = trimEnd(stringSlice.call(text, at, end));
      at = end + 1;
      if (value === '') continue;
    }
    if (name !== '' && !regexpTest.call(kNotToken, name) && !regexpTest.call(kNotQuotable, value) && !data.has(name)) data.set(name, value);
  }
  return data;
}

function encode(value) {
  if (value === '') return '""';
  return regexpTest.call(kNotToken, value) ? `"${replaceMatches(value, /["\\]/g, '\\$&')}"` : value;
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

  delete(name) {
    this.#parsed.delete(asciiLower(`${name}`));
  }
  get(name) {
    return this.#parsed.get(asciiLower(`${name}`)) ?? null;
  }
  has(name) {
    return this.#parsed.has(asciiLower(`${name}`));
  }

  set(name, value) {
    const data = this.#parsed;
    name = asciiLower(`${name}`);
    value = `${value}`;
    checkToken('parameter name', name);
    const at = regexpSearch.call(kNotQuotable, value);
    if (at !== -1) throw new ERR_INVALID_MIME_SYNTAX('parameter value', value, at);
    data.set(name, value);
  }

  *entries() {
    yield* each(this.#parsed.entries());
  }
  *keys() {
    yield* each(this.#parsed.keys());
  }
  *values() {
    yield* each(this.#parsed.values());
  }

  toString() {
    return arrayJoin.call(
      arrayMap.call([...each(this.#parsed)], (entry) => `${entry[0]}=${encode(entry[1])}`),
      ';',
    );
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

  get type() {
    return this.#type;
  }
  set type(value) {
    value = `${value}`;
    checkToken('type', value);
    this.#type = asciiLower(value);
  }

  get subtype() {
    return this.#subtype;
  }
  set subtype(value) {
    value = `${value}`;
    checkToken('subtype', value);
    this.#subtype = asciiLower(value);
  }

  get essence() {
    return `${this.#type}/${this.#subtype}`;
  }
  get params() {
    return this.#params;
  }

  toString() {
    const params = call0(MIMEParams.prototype.toString, this.#params);
    return params === '' ? this.essence : `${this.#type}/${this.#subtype};${params}`;
  }
}

const hidden = (value) => ({ __proto__: null, configurable: true, writable: true, value });
Object.defineProperty(MIMEParams.prototype, Symbol.iterator, hidden(MIMEParams.prototype.entries));
Object.defineProperty(MIMEParams.prototype, 'toJSON', hidden(MIMEParams.prototype.toString));
Object.defineProperty(MIMEType.prototype, 'toJSON', hidden(MIMEType.prototype.toString));

module.exports = { MIMEParams, MIMEType };
