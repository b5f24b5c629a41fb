// natives: none
// fetch of a window or worker, with its Headers, Request and Response (undici's, as subclasses): relative addresses are the
// document's, bodies may be what the document makes (FormData, Blob), answers know their address and kind, and what they are read
// into is the page's own. html/network/cors says what a page may have.
'use strict';

const { sources, queueTask, define, defineAll } = require('html/agents/agent');
const requests = require('html/network/requests');
const { parse, originOf } = require('html/network/addresses');
const { headersOfPage, isForbiddenHeader } = require('html/network/cors');
const { adopt, adoptShared } = require('html/window/own_realm');

const kReaders = ['text', 'json', 'arrayBuffer', 'bytes', 'blob', 'formData'];
const kNullBody = [101, 204, 205, 304];

// https://fetch.spec.whatwg.org/#concept-bodyinit-extract for what the document has: bytes, with a type; else the body as it is.
function bodyOf(window, body) {
  if (window.document === undefined || typeof body !== 'object' || body === null) return { body };
  const pack = require('html/jsdom/pack');
  const impl = pack.load('jsdom/lib/generated/idl/utils.js').implForWrapper(body);
  const isA = (name) => impl !== null && impl !== undefined && pack.load(`jsdom/lib/generated/idl/${name}.js`).isImpl(impl);
  if (isA('Blob')) return { body: new Uint8Array(impl._bytes), type: impl.type };
  if (body instanceof window.URLSearchParams)
    return {
      body: new Uint8Array(require('internal/buffer/buffer').Buffer.from(`${body}`)),
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
    };
  if (!isA('FormData')) return { body };
  const { boundary, outputChunks } = pack.load('jsdom/lib/jsdom/living/xhr/multipart-form-data.js').serializeEntryList(impl._entries);
  const { Buffer } = require('internal/buffer/buffer');
  return {
    body: new Uint8Array(Buffer.concat(outputChunks)),
    type: `multipart/form-data; boundary=${Buffer.from(boundary).toString('latin1')}`,
  };
}

// `init` with a body that undici knows and without what it would not take for its own.
function initOf(window, init) {
  if (typeof init !== 'object' || init === null) return [init, undefined];
  const given = {};
  for (const name of each([
    'method',
    'headers',
    'referrer',
    'referrerPolicy',
    'mode',
    'credentials',
    'cache',
    'redirect',
    'integrity',
    'keepalive',
    'duplex',
    'priority',
    'status',
    'statusText',
  ])) {
    if (init[name] !== undefined) given[name] = init[name];
  }
  const { body, type } = bodyOf(window, init.body);
  if (body !== undefined) given.body = body;
  if (body !== undefined && typeof body?.getReader === 'function') given.duplex ??= 'half';
  return [given, type];
}

function setType(list, type) {
  if (type !== undefined && type !== '' && !list.contains('content-type', true)) list.append('content-type', type, true);
}

// Members of undici's classes as they were before a page could replace them: a page may say what its Request is made of by the
// constructor, which judges it, and not by accessors of its own.
const kParts = ['method', 'url', 'mode', 'credentials', 'redirect', 'referrerPolicy', 'referrer', 'body'];
let readers;
function readersOf(InnerRequest, InnerResponse, getHeadersList) {
  if (readers !== undefined) return readers;
  const getter = (Class, name) => {
    const { get } = Object.getOwnPropertyDescriptor(Class.prototype, name);
    return (object) => Reflect.apply(get, object, []);
  };
  const getters = kParts.map((name) => [name, getter(InnerRequest, name)]);
  const requestHeaders = getter(InnerRequest, 'headers');
  const responseHeaders = getter(InnerResponse, 'headers');
  const { arrayBuffer } = InnerRequest.prototype;
  readers = {
    requestList: (request) => getHeadersList(requestHeaders(request)),
    responseList: (response) => getHeadersList(responseHeaders(response)),
    bytesOf: (request) => Reflect.apply(arrayBuffer, request, []),
    partsOf(request) {
      const parts = { __proto__: null, headers: [...each(readers.requestList(request))] };
      for (const [name, get] of eachEntry(getters)) parts[name] = get(request);
      return parts;
    },
  };
  return readers;
}

// The object that a body was read into, as one of the page.
function converter(window, name, response) {
  if (name === 'json') return (text) => window.JSON.parse(text);
  if (name === 'arrayBuffer') return (bytes) => new window.Uint8Array(new Uint8Array(bytes)).buffer;
  if (name === 'bytes') return (bytes) => new window.Uint8Array(bytes);
  if (name === 'blob' && window.document !== undefined)
    return (bytes) => new window.Blob([new window.Uint8Array(new Uint8Array(bytes))], { type: response.headers.get('content-type') ?? '' });
  if (name !== 'formData' || window.document === undefined) return (value) => value;
  return (entries) => entries;
}
const kReadAs = { __proto__: null, json: 'text', blob: 'arrayBuffer' };

// FormData of undici's into the document's.
async function documentForm(window, inner) {
  const form = new window.FormData();
  for (const [name, value] of eachEntry([...each(inner)])) {
    if (typeof value === 'string') form.append(name, value);
    else
      form.append(
        name,
        new window.File([new window.Uint8Array(new Uint8Array(await value.arrayBuffer()))], value.name, { type: value.type }),
      );
  }
  return form;
}

// https://fetch.spec.whatwg.org/#body-fully-read: what reads a body ends in a task.
function readInTasks(window, Class, Inner) {
  const toPage = (error) => (error instanceof TypeError ? new window.TypeError(error.message) : error);
  for (const name of each(kReaders)) {
    const isForm = name === 'formData' && window.document !== undefined;
    const as = name === 'blob' && window.document === undefined ? 'blob' : (kReadAs[name] ?? name);
    define(
      Class.prototype,
      name,
      {
        [name]() {
          return new window.Promise((resolve, reject) => {
            const later = (settle) => (value) => queueTask(sources.networking, () => settle(value));
            const convert = converter(window, name, this);
            const read = Reflect.apply(Inner.prototype[as], this, []);
            promiseThen(
              isForm ? promiseThen(read, (inner) => documentForm(window, inner)) : read,
              later((value) => {
                try {
                  resolve(convert(value));
                } catch (error) {
                  reject(error);
                }
              }),
              later((error) => reject(toPage(error))),
            );
          });
        },
      }[name],
    );
  }
}

function requestAddress(window, input, base) {
  const target = parse(`${input}`, base);
  if (target === undefined) throw new window.TypeError(`Failed to construct 'Request': Failed to parse URL from ${input}`);
  if (target.username !== '' || target.password !== '')
    throw new window.TypeError(`Request cannot be constructed from a URL that includes credentials: ${input}`);
  return target.href;
}

function dropForbidden(list) {
  for (const [name, value] of eachEntry([...each(list)])) if (isForbiddenHeader(name, value)) list.delete(name, true);
}

// The inner Response for an answer of html/network/requests.
function innerResponse(InnerResponse, { status, statusText, headers, body, type }) {
  if (type === 'opaque' || type === 'opaqueredirect') return InnerResponse.error();
  return new InnerResponse(kNullBody.includes(status) ? null : new Uint8Array(body), { status, statusText, headers });
}

// Errors of undici as errors of the page.
const ownErrors = (window) => (error) =>
  error instanceof TypeError
    ? new window.TypeError(error.message)
    : error instanceof RangeError
      ? new window.RangeError(error.message)
      : error;

// Members that a class has of undici's: the same, with errors of the page.
function throwOwnErrors(own, Class, Inner) {
  const guarded = (inner) => {
    const name = inner.name.replace(/^[gs]et /, '');
    const made = {
      [name](...args) {
        try {
          return Reflect.apply(inner, this, args);
        } catch (error) {
          throw own(error);
        }
      },
    }[name];
    Object.defineProperty(made, 'length', { __proto__: null, value: inner.length, configurable: true });
    Object.defineProperty(made, 'name', { __proto__: null, value: inner.name, configurable: true });
    return made;
  };
  const guardAll = (to, from) => {
    for (const key of each(Reflect.ownKeys(from))) {
      const descriptor = Object.getOwnPropertyDescriptor(from, key);
      if (
        key === 'constructor' ||
        key === 'prototype' ||
        Object.hasOwn(to, key) ||
        typeof (descriptor.value ?? descriptor.get) !== 'function'
      )
        continue;
      for (const part of each(['value', 'get', 'set']))
        if (typeof descriptor[part] === 'function') descriptor[part] = guarded(descriptor[part]);
      Object.defineProperty(to, key, { __proto__: null, ...descriptor });
    }
  };
  guardAll(Class.prototype, Inner.prototype);
  guardAll(Class, Inner);
}

const as = (Class, made) => Object.setPrototypeOf(made, Class.prototype);

function headersClass(own, InnerHeaders) {
  class Headers extends InnerHeaders {
    constructor(init = undefined) {
      try {
        super(init);
      } catch (error) {
        throw own(error);
      }
    }
  }
  throwOwnErrors(own, Headers, InnerHeaders);
  return Headers;
}

// signals: Request → its AbortSignal
function requestClass(window, base, { own, signals, Headers, requestList }, InnerRequest) {
  const addressOf = (input) => requestAddress(window, input, base());
  class Request extends InnerRequest {
    constructor(input, init = undefined) {
      if (arguments.length === 0) throw new window.TypeError("Failed to construct 'Request': 1 argument required, but only 0 present.");
      const { 0: given, 1: type } = initOf(window, init);
      if (given?.referrer !== undefined && given.referrer !== '')
        given.referrer = parse(`${given.referrer}`, base())?.href ?? given.referrer;
      try {
        super(typeof input === 'object' && input !== null && signals.has(input) ? input : addressOf(input), given ?? {});
      } catch (error) {
        throw own(error);
      }
      dropForbidden(requestList(this));
      setType(requestList(this), type);
      signals.set(this, init?.signal ?? (init?.signal === null ? undefined : signals.get(input)));
    }
    get headers() {
      return as(Headers, super.headers);
    }
    get signal() {
      if (signals.get(this) === undefined) signals.set(this, new window.AbortController().signal);
      return signals.get(this);
    }
    clone() {
      const made = as(Request, super.clone());
      signals.set(made, signals.get(this));
      return made;
    }
  }
  readInTasks(window, Request, InnerRequest);
  throwOwnErrors(own, Request, InnerRequest);
  return Request;
}

// answers: Response → what is known of where it came from
function responseClass(window, base, { own, answers, Headers, responseList }, InnerResponse) {
  const addressOf = (input) => requestAddress(window, input, base());
  class Response extends InnerResponse {
    constructor(body = null, init = undefined) {
      const { body: known, type } = bodyOf(window, body);
      try {
        super(known, init ?? {});
      } catch (error) {
        throw own(error);
      }
      setType(responseList(this), type);
    }
    static error() {
      return as(Response, InnerResponse.error());
    }
    static json(data, init = undefined) {
      try {
        return as(Response, InnerResponse.json(data, init ?? {}));
      } catch (error) {
        throw own(error);
      }
    }
    static redirect(url, status = 302) {
      try {
        return as(Response, InnerResponse.redirect(addressOf(url), status));
      } catch (error) {
        throw own(error);
      }
    }
    get headers() {
      return as(Headers, super.headers);
    }
    get url() {
      return answers.get(this)?.url ?? super.url;
    }
    get type() {
      return answers.get(this)?.type ?? super.type;
    }
    get redirected() {
      return answers.get(this)?.redirected ?? super.redirected;
    }
    clone() {
      const made = as(Response, super.clone());
      if (answers.has(this)) answers.set(made, answers.get(this));
      return made;
    }
  }
  readInTasks(window, Response, InnerResponse);
  throwOwnErrors(own, Response, InnerResponse);
  return Response;
}

function makeClasses(window, base) {
  const { Headers: InnerHeaders, setHeadersGuard, getHeadersList } = require('undici/lib/web/fetch/headers');
  const { Response: InnerResponse } = require('undici/lib/web/fetch/response'); // before Request, which uses its converters
  const { Request: InnerRequest } = require('undici/lib/web/fetch/request');
  const own = ownErrors(window);
  const { requestList, responseList, bytesOf, partsOf } = readersOf(InnerRequest, InnerResponse, getHeadersList);
  const signals = new WeakMap();
  const answers = new WeakMap();
  const Headers = headersClass(own, InnerHeaders);
  const Request = requestClass(window, base, { own, signals, Headers, requestList }, InnerRequest);
  const Response = responseClass(window, base, { own, answers, Headers, responseList }, InnerResponse);

  // The Response for an answer of html/network/requests.
  function responseTo(answer) {
    const { url, type, redirected } = answer;
    const made = as(Response, innerResponse(InnerResponse, answer));
    const isHidden = type === 'opaque' || type === 'opaqueredirect';
    answers.set(made, { url: type === 'opaque' ? '' : url.split('#')[0], type, redirected: !isHidden && redirected });
    setHeadersGuard(made.headers, 'immutable');
    return made;
  }
  require('html/window/window').adoptStreams(window);
  for (const Class of each([InnerHeaders, InnerRequest, InnerResponse])) adoptShared(window, Class);
  for (const Class of each([Headers, Request, Response])) adopt(window, Class);
  return {
    Headers,
    Request,
    Response,
    signalOf: (request) => signals.get(request),
    responseTo,
    bytesOf,
    partsOf,
  };
}

function installFetch(window, classes) {
  // A page may name another of its own addresses as the referrer, not one of another origin.
  const referrerOf = (referrer) => (originOf(referrer) === requests.clientOf(window).origin ? referrer : undefined);
  const optionsOf = ({ method, headers, mode, credentials, redirect, referrerPolicy, referrer }, body) => ({
    method,
    headers: headersOfPage(headers, mode),
    body,
    mode: mode === 'navigate' ? 'same-origin' : mode,
    credentials,
    redirect,
    referrerPolicy: referrer === '' ? 'no-referrer' : referrerPolicy,
    referrer: referrerOf(referrer),
  });

  function fetch(input, init = undefined) {
    return new window.Promise((resolve, reject) => {
      const { Request, signalOf, responseTo, bytesOf, partsOf } = classes();
      let request;
      try {
        request = new Request(input, init);
      } catch (error) {
        throw error instanceof TypeError ? new window.TypeError(error.message) : error;
      }
      const parts = partsOf(request);
      const { url } = parts;
      const signal = signalOf(request);
      if (signal?.aborted) throw signal.reason;
      let stop = () => {};
      const begin = (body) => {
        if (signal?.aborted) return;
        stop = requests.request(url, optionsOf(parts, body), requests.clientOf(window), (error, answer) => {
          if (error !== undefined) return reject(new window.TypeError(`Failed to fetch (${url}: ${error.message})`));
          return resolve(responseTo(answer));
        });
      };
      signal?.addEventListener('abort', () => {
        stop();
        reject(signal.reason);
      });
      if (parts.body === null) begin(undefined);
      else
        promiseThen(
          bytesOf(request),
          (bytes) => begin(require('internal/buffer/buffer').Buffer.from(bytes)),
          (error) => reject(new window.TypeError(error.message)),
        );
    });
  }
  defineAll(window, { fetch });
}

// https://w3c.github.io/beacon/#sendbeacon-method
function installBeacon(window, base) {
  const sendBeacon = {
    sendBeacon(url, data = null) {
      const target = parse(`${url}`, base());
      if (target === undefined || !/^https?:$/.test(target.protocol))
        throw new window.TypeError(`Failed to execute 'sendBeacon' on 'Navigator': '${url}' is not a URL of http or https.`);
      const { body, type } = bodyOf(window, data);
      const bytes =
        body === null || body === undefined
          ? undefined
          : typeof body === 'string'
            ? require('internal/buffer/buffer').Buffer.from(body)
            : bytesIn(body);
      if (bytes !== undefined && bytes.length > kBeaconBytes) return false;
      const known = type ?? (typeof body === 'string' ? 'text/plain;charset=UTF-8' : undefined);
      const headers = known === undefined || known === '' ? [] : [['content-type', known]];
      // A type that is not simple needs a preflight.
      const mode = headersOfPage(headers, 'no-cors').length === headers.length ? 'no-cors' : 'cors';
      requests.request(
        target.href,
        { method: 'POST', headers, body: bytes, mode, credentials: 'include' },
        requests.clientOf(window),
        () => {},
      );
      return true;
    },
  }.sendBeacon;
  define(Object.getPrototypeOf(window.navigator), 'sendBeacon', sendBeacon);
}
const kBeaconBytes = 65536;
function bytesIn(body) {
  const { Buffer } = require('internal/buffer/buffer');
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return require('internal/util/util').types.isAnyArrayBuffer(body) ? Buffer.from(body) : Buffer.from(`${body}`);
}

function install(window) {
  const base = () => window.document?.baseURI ?? window.location.href;
  let made;
  const classes = () => (made ??= makeClasses(window, base));
  for (const name of each(['Headers', 'Request', 'Response'])) {
    Object.defineProperty(window, name, {
      __proto__: null,
      configurable: true,
      get() {
        define(window, name, classes()[name], false);
        return window[name];
      },
      set(value) {
        define(window, name, value, false);
      },
    });
  }
  installFetch(window, classes);
  if (window.document !== undefined) installBeacon(window, base);
}

module.exports = { install };
