// natives: http
// Grammar of a head: tokens, names, values; and when the lenient rules count.
'use strict';

const { kLenientAll, kLenientValues } = native('http');
const {
  codes: { ERR_HTTP_INVALID_HEADER_VALUE, ERR_INVALID_CHAR, ERR_INVALID_HTTP_TOKEN },
} = require('internal/errors/coded');
const { keepName, names } = require('internal/http/header_table');
const { getOptionValue } = require('internal/process/options');

const token = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;
const strictBad = /[^\t\x20-\x7e\x80-\xff]/;
// As fetch has it: any bytes except NUL, CR and LF.
const lenientBad = /[\x00\x0a\x0d]|[^\x00-\xff]/;

const isToken = (text) => regexpTest.call(token, text);
const isBadValue = (value, lenient = false) => regexpTest.call(lenient ? lenientBad : strictBad, value);

// The cached facts about a header name; throws when it is invalid.
function nameOf(name, label) {
  const found = names.get(name);
  return found !== undefined ? found : checkName(name, label);
}

function checkName(name, label) {
  if (typeof name !== 'string' || !regexpTest.call(token, name)) throw new ERR_INVALID_HTTP_TOKEN(label || 'Header name', name);
  return keepName(name);
}

function validateHeaderName(name, label) {
  nameOf(name, label);
}

function validateHeaderValue(name, value, lenient) {
  if (value === undefined) throw new ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (isBadValue(value, lenient)) throw new ERR_INVALID_CHAR('header content', name);
}

let warned = false;
function isLenient() {
  const lenient = getOptionValue('--insecure-http-parser') === true;
  if (lenient && !warned) {
    warned = true;
    process.emitWarning('Using insecure HTTP parsing');
  }
  return lenient;
}

function lenientBits(httpValidation, insecureHTTPParser) {
  if (httpValidation === 'strict') return 0;
  if (httpValidation === 'relaxed') return kLenientValues;
  if (httpValidation === 'insecure') return kLenientAll;
  return (insecureHTTPParser ?? isLenient()) ? kLenientAll : 0;
}

function maxHeaderSize() {
  return getOptionValue('--max-http-header-size') || 16 * 1024;
}

// insecureHTTPParser and httpValidation exclude each other.
function validateStrictness({ insecureHTTPParser, httpValidation }) {
  const { validateBoolean, validateOneOf } = require('internal/util/validators');
  if (insecureHTTPParser !== undefined) validateBoolean(insecureHTTPParser, 'options.insecureHTTPParser');
  if (httpValidation === undefined) return;
  validateOneOf(httpValidation, 'options.httpValidation', ['strict', 'relaxed', 'insecure']);
  if (insecureHTTPParser !== undefined) {
    const {
      codes: { ERR_INVALID_ARG_VALUE },
    } = require('internal/errors/coded');
    throw new ERR_INVALID_ARG_VALUE('options.httpValidation', httpValidation, 'cannot be used together with options.insecureHTTPParser');
  }
}

// Classes that programs call without `new`.
const deprecated = new Set();
function makeWithoutNew(Class, ...args) {
  if (!deprecated.has(Class)) {
    deprecated.add(Class);
    process.emitWarning(`Instantiating ${Class.name} without the 'new' keyword has been deprecated.`, 'DeprecationWarning', 'DEP0195');
  }
  return new Class(...each(args));
}

module.exports = {
  isBadValue,
  isLenient,
  isToken,
  lenientBits,
  makeWithoutNew,
  maxHeaderSize,
  nameOf,
  validateHeaderName,
  validateHeaderValue,
  validateStrictness,
};
