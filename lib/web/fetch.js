// natives: buffer
// fetch (https://fetch.spec.whatwg.org/#fetch-method) for the schemes that need no network: data: and blob:. Every other
// scheme is a network error, as the Standard has it for a scheme that the runtime does not fetch.
'use strict';

const { responseFrom } = require('web/fetch/response');

function networkError(message) {
  return new TypeError('fetch failed', { cause: new Error(message) });
}

function percentDecode(text) {
  const bytes = native('buffer').fromString(text, 0);
  let length = 0;
  for (let i = 0; i < bytes.length; i++, length++) {
    const digits = bytes[i] === 0x25 ? String.fromCharCode(bytes[i + 1], bytes[i + 2]) : '';
    if (/^[0-9a-fA-F]{2}$/.test(digits)) {
      bytes[length] = parseInt(digits, 16);
      i += 2;
    } else {
      bytes[length] = bytes[i];
    }
  }
  return bytes.subarray(0, length);
}

// https://fetch.spec.whatwg.org/#data-url-processor
function fetchData(url) {
  const text = url.href.slice('data:'.length, url.hash ? -url.hash.length : undefined);
  const comma = text.indexOf(',');
  if (comma === -1) throw networkError('invalid data: URL');
  let type = text.slice(0, comma).trim();
  let bytes = percentDecode(text.slice(comma + 1));
  const base64 = /; *base64$/i.exec(type);
  if (base64 !== null) {
    type = type.slice(0, base64.index);
    const decoded = native('buffer').atob(native('buffer').latin1Slice.call(bytes, 0, bytes.length));
    if (typeof decoded !== 'string') throw networkError('invalid data: URL');
    bytes = native('buffer').fromString(decoded, 2);
  }
  if (type.startsWith(';')) type = `text/plain${type}`;
  return responseFrom(url.href, bytes, type || 'text/plain;charset=US-ASCII');
}

function fetchBlob(url, method) {
  const blob = require('web/blob').resolveObjectURL(url.href);
  if (blob === undefined || method !== 'GET') throw networkError('the object URL names no blob');
  return responseFrom(url.href, blob, blob.type);
}

async function fetch(input, init = undefined) {
  if (arguments.length === 0) throw new TypeError('fetch: 1 argument required, but only 0 present.');
  const { URL } = require('web/url');
  let url;
  try {
    url = new URL(typeof input === 'object' && input !== null && input.url !== undefined ? input.url : input);
  } catch (error) {
    throw new TypeError(`Failed to parse URL from ${input}`, { cause: error });
  }
  const signal = init?.signal ?? input?.signal;
  if (signal?.aborted) throw signal.reason;
  const method = `${init?.method ?? input?.method ?? 'GET'}`.toUpperCase();
  if (url.protocol === 'data:') return fetchData(url);
  if (url.protocol === 'blob:') return fetchBlob(url, method);
  throw networkError(url.protocol === 'about:' ? 'about scheme is not supported' : `unknown scheme ${url.protocol}`);
}

module.exports = { fetch };
