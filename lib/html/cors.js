// natives: none
// Requests of a page to other origins (https://fetch.spec.whatwg.org/#http-cors-protocol): the other origin is told whose they are, is asked first where
// they are not of the simple kind, and its answer is the page's only if it says so.
'use strict';

const requests = require('html/requests');
const { URL } = require('web/url');

const kSimpleMethods = ['GET', 'HEAD', 'POST'];
const kSafeHeaders = ['accept', 'accept-language', 'content-language'];
const kSimpleTypes = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(;|$)/i;

const isSafe = (name, value) => kSafeHeaders.includes(name) || (name === 'content-type' && kSimpleTypes.test(value));
const listOf = (headers, name) => (headers.find((pair) => pair[0].toLowerCase() === name)?.[1] ?? '').split(',').map((item) => item.trim().toLowerCase());

// Pairs of names in small letters and values.
function pairsOf(headers) {
  if (headers === undefined || headers === null) return [];
  const pairs = typeof headers[Symbol.iterator] === 'function' ? [...each(headers)] : Object.entries(headers);
  return pairs.map((pair) => [`${pair[0]}`.toLowerCase(), `${pair[1]}`]);
}

// As requests.request, for a page of `origin`. `options.unsafe`: the names of headers that the page has set and that are not simple, where the caller knows.
function request(url, options, origin, callback) {
  if (!/^https?:/.test(url) || requests.isRouted(url) || new URL(url).origin === origin) return requests.request(url, options, callback);
  const { method = 'GET' } = options;
  const own = pairsOf(options.headers);
  const refuse = () => callback(new Error(`${new URL(url).origin} does not allow it to ${origin}`));
  const send = () => requests.request(url, { ...options, headers: [...each(own.filter((pair) => pair[0] !== 'origin')), ['origin', origin]] }, (error, answer) => (
    error === undefined && !requests.isAllowed(answer, origin) ? refuse() : callback(error, answer)));
  const unsafe = options.unsafe ?? own.filter((pair) => !isSafe(pair[0], pair[1])).map((pair) => pair[0]);
  if (unsafe.length === 0 && kSimpleMethods.includes(method.toUpperCase())) return send();
  const asked = [['origin', origin], ['access-control-request-method', method], ...each(unsafe.length === 0 ? [] : [['access-control-request-headers', unsafe.join(',')]])];
  return requests.request(url, { method: 'OPTIONS', headers: asked, signal: options.signal }, (error, answer) => {
    if (error !== undefined) return callback(error);
    const methods = listOf(answer.headers, 'access-control-allow-methods');
    const names = listOf(answer.headers, 'access-control-allow-headers');
    const mayUse = kSimpleMethods.includes(method.toUpperCase()) || methods.includes('*') || methods.includes(method.toLowerCase());
    const maySay = unsafe.every((name) => names.includes('*') || names.includes(name));
    return answer.status < 300 && requests.isAllowed(answer, origin) && mayUse && maySay ? send() : refuse();
  });
}

module.exports = { request };
