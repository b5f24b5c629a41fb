// natives: none
// fetch of a page, over html/requests: relative addresses are the document's, scripted answers and files of the page's folder count, and
// what another origin answers is the page's only if that origin says so (https://fetch.spec.whatwg.org/#cors-check).
'use strict';

const { sources, queueTask, define, defineAll } = require('html/agent');
const requests = require('html/requests');
const { URL } = require('web/url');

const classes = [['Headers', 'undici/lib/web/fetch/headers'], ['Request', 'undici/lib/web/fetch/request'], ['Response', 'undici/lib/web/fetch/response']];

// https://fetch.spec.whatwg.org/#body-fully-read: what reads a body ends in a task.
function readInTasks(window, response) {
  for (const name of each(['text', 'json', 'arrayBuffer', 'bytes', 'blob', 'formData'])) {
    const read = response[name];
    define(response, name, () => new window.Promise((resolve, reject) => {
      const later = (settle) => (value) => queueTask(sources.networking, () => settle(value));
      promiseThen(Reflect.apply(read, response, []), later(resolve), later(reject));
    }), false);
  }
  return response;
}

function install(window) {
  for (const [name, module] of eachEntry(classes)) {
    Object.defineProperty(window, name, {
      __proto__: null, configurable: true,
      get: () => require(module)[name],
      set(value) { Object.defineProperty(window, name, { __proto__: null, value, writable: true, configurable: true }); },
    });
  }
  const failed = (url) => new window.TypeError(`Failed to fetch ${url}`);

  function fetch(input, init = {}) {
    return new window.Promise((resolve, reject) => {
      const url = new URL(typeof input === 'object' && input !== null && 'url' in input ? input.url : `${input}`, window.document?.baseURI ?? window.location.href).href;
      const signal = init?.signal ?? input?.signal;
      if (signal?.aborted) throw signal.reason;
      signal?.addEventListener('abort', () => reject(signal.reason));
      const origin = window.location.origin;
      const { method = input?.method ?? 'GET', headers = input?.headers, body } = init ?? {};
      require('html/cors').request(url, { method, headers, body, signal: undefined }, origin, (error, answer) => {
        if (error !== undefined || !requests.isAllowed(answer, origin)) return reject(failed(url));
        const hasBody = ![101, 204, 205, 304].includes(answer.status);
        return resolve(readInTasks(window, new window.Response(hasBody ? answer.body : null, { status: answer.status, statusText: answer.statusText, headers: answer.headers })));
      });
    });
  }
  defineAll(window, { fetch });
}

module.exports = { install };
