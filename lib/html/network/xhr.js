// natives: none
// XMLHttpRequest's network: jsdom's interface over html/network/requests, in place of its own dispatcher and of the thread that made its
// synchronous requests.
'use strict';

const pack = require('html/jsdom/pack');
const { replaceFile } = require('html/jsdom/patches');
const { define } = require('html/agents/agent');
const requests = require('html/network/requests');
const { headersOfPage } = require('html/network/cors');

const kJsdom = 'jsdom/lib/jsdom';

function listOf(headers) {
  const list = new (pack.load(`${kJsdom}/living/fetch/header-list.js`))();
  for (const [name, value] of eachEntry(headers)) list.append(name, value);
  return list;
}

// The request's client and options, for html/network/requests.
function requestOf(impl) {
  return {
    client: requests.clientOf(impl._globalObject._globalProxy),
    options: {
      method: impl._method,
      headers: headersOfPage([...each(impl._requestHeaders)], 'cors'),
      body: impl._body ?? undefined,
      mode: 'cors',
      credentials: impl._withCredentials ? 'include' : 'same-origin',
      mustAsk: impl._uploadListener === true,
    },
  };
}

// In place of jsdom's function of this name; `impl` by html/jsdom/patch_table.
function performFetch(impl, config, signal) {
  const { client, options } = requestOf(impl);
  return new Promise((resolve) => {
    const abort = requests.request(impl._url, options, client, (error, answer) => {
      if (error !== undefined) return resolve({ type: 'error', error: null });
      const { status, statusText, headers, body, url } = answer;
      return resolve({ status, statusText, headers: listOf(headers), body: [body], url, filteredResponseHeaders: new Set() });
    });
    signal.addEventListener('abort', () => {
      abort();
      resolve({ type: 'error', error: null });
    });
  });
}

// https://xhr.spec.whatwg.org/#the-send()-method, with the synchronous flag set: nothing else runs until the answer is there.
function sendSync(impl) {
  const { client, options } = requestOf(impl);
  let answer;
  try {
    answer = requests.requestSync(impl._url, options, client);
  } catch (error) {
    impl._error = `Failed to execute 'send' on 'XMLHttpRequest': Failed to load '${impl._url}': ${error.message}`;
    return;
  }
  Object.assign(impl, {
    responseURL: answer.url.split('#')[0],
    status: answer.status,
    statusText: answer.statusText,
    _responseBytes: new Uint8Array(answer.body),
    _totalReceivedChunkSize: answer.body.length,
    _responseHeaders: listOf(answer.headers),
    _filteredResponseHeaders: new Set(),
    _responseCache: null,
    _responseTextCache: null,
    _responseXMLCache: null,
  });
}

function install() {
  replaceFile('network: xhr', { performFetch, sendSync, isNetworkError: (response) => response?.type === 'error' });
}

// jsdom takes a body of parameters for a text.
function installForms(window) {
  const { implOf } = require('html/document/document');
  const { prototype } = window.XMLHttpRequest;
  const { send, setRequestHeader } = prototype;
  const kType = 'content-type';
  define(prototype, 'send', function (body = null) {
    if (body instanceof window.URLSearchParams && this.readyState === 1 && implOf(this)._requestHeaders.get(kType) === null)
      Reflect.apply(setRequestHeader, this, [kType, 'application/x-www-form-urlencoded;charset=UTF-8']);
    return Reflect.apply(send, this, [body]);
  });
}

module.exports = { install, installForms };
