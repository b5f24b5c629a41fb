// natives: none
// The interface Origin (https://html.spec.whatwg.org/#the-origin-interface), `originAgentCluster` and document.domain. Agents of pages are
// keyed by origin, so document.domain says whether it could be set and changes nothing:
// https://html.spec.whatwg.org/#dom-document-domain
'use strict';

const pack = require('html/jsdom/pack');
const requests = require('html/network/requests');
const { parse } = require('html/network/addresses');
const { siteOf } = require('html/network/cookies');
const sandbox = require('html/document/sandbox');

const records = new WeakMap(); // Origin → { origin }: one record for each opaque origin
const opaque = new WeakMap(); // a window, a worker's scope or what sent a message → its record, if its origin is opaque
const events = new WeakMap(); // MessageEvent that was sent → its record

function opaqueOf(owner) {
  if (!opaque.has(owner)) opaque.set(owner, { origin: 'null' });
  return opaque.get(owner);
}
const recordOf = (origin, owner) => (origin === 'null' ? opaqueOf(owner) : { origin });

// A message of a window has an origin that no constructor gives.
function noteMessage(event, origin, source) {
  if (origin !== '') events.set(event, recordOf(origin, source ?? event));
}

const fromAddress = (text, base) => {
  const url = parse(text, base);
  return url && { origin: url.origin };
};

const implOf = (value) => pack.load('jsdom/lib/generated/idl/utils.js').implForWrapper(value);

const readHref = Object.getOwnPropertyDescriptor(require('internal/url/url_class').URL.prototype, 'href').get;
function hrefOf(window, value) {
  try {
    if (window.document === undefined) return Reflect.apply(readHref, value, []);
    return pack.load('whatwg-url/webidl2js-wrapper.js').URL.convert(window, value).href;
  } catch {
    return undefined; // no URL
  }
}

// Of a URL or a link of the document.
function fromElement(window, value) {
  const href = hrefOf(window, value);
  if (href !== undefined || window.document === undefined) return href && fromAddress(href);
  const impl = implOf(value);
  const text = impl && linkOf(impl);
  return typeof text === 'string' ? fromAddress(text, impl._ownerDocument.baseURLSerialized()) : undefined;
}

// The address of <a> and <area>, of SVG's <a>, too.
function linkOf(impl) {
  const isHtml = impl._namespaceURI === 'http://www.w3.org/1999/xhtml';
  if (!isHtml && impl._namespaceURI !== 'http://www.w3.org/2000/svg') return undefined;
  if (impl._localName !== 'a' && !(isHtml && impl._localName === 'area')) return undefined;
  return impl.getAttributeNS(null, 'href') ?? (isHtml ? undefined : impl.getAttributeNS('http://www.w3.org/1999/xlink', 'href'));
}

// https://html.spec.whatwg.org/#extract-an-origin
function extract(window, value) {
  if (typeof value === 'string') return fromAddress(value);
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  const client = requests.clientOf(value);
  return records.get(value) ?? events.get(value) ?? (client && recordOf(client.origin, value)) ?? fromElement(window, value);
}

function makeClass(window) {
  const wrong = (message) => new window.TypeError(message);
  const checked = (value, name) => {
    const record = records.get(value);
    if (record === undefined) throw wrong(`Failed to execute '${name}' on 'Origin': parameter 1 is not of type 'Origin'.`);
    return record;
  };
  const own = (value) => records.get(value) ?? fail(wrong('Illegal invocation'));
  class Origin {
    constructor() {
      records.set(this, { origin: 'null' });
    }
    static from(value) {
      const record = extract(window, value);
      if (record === undefined) throw wrong("Failed to execute 'from' on 'Origin': the value has no origin.");
      const made = new Origin();
      records.set(made, record);
      return made;
    }
    get opaque() {
      return own(this).origin === 'null';
    }
    isSameOrigin(other) {
      const { 0: one, 1: second } = [own(this), checked(other, 'isSameOrigin')];
      return one === second || (one.origin !== 'null' && one.origin === second.origin);
    }
    isSameSite(other) {
      const { 0: one, 1: second } = [own(this), checked(other, 'isSameSite')];
      if (one.origin === 'null' || second.origin === 'null') return one === second;
      return siteOf(parse(one.origin)) === siteOf(parse(second.origin));
    }
  }
  for (const name of each(['opaque', 'isSameOrigin', 'isSameSite'])) setEnumerable(Origin.prototype, name);
  setEnumerable(Origin, 'from');
  Object.defineProperty(Origin.prototype, Symbol.toStringTag, { __proto__: null, value: 'Origin', configurable: true });
  require('html/window/own_realm').adopt(window, Origin);
  return Origin;
}
function fail(error) {
  throw error;
}
function setEnumerable(target, name) {
  Object.defineProperty(target, name, { ...Object.getOwnPropertyDescriptor(target, name), enumerable: true });
}

// https://html.spec.whatwg.org/#is-a-registrable-domain-suffix-of-or-is-equal-to
function isSuffixOf(suffix, host) {
  if (suffix === host) return true;
  if (suffix === '' || /^[\d.]+$|^\[/.test(host) || !host.endsWith(`.${suffix}`)) return false;
  return pack.load('tldts/dist/cjs/index.js').getDomain(suffix, { allowPrivateDomains: true }) !== null;
}

function installDomain(window, documentOf) {
  const refuse = (reason) => new window.DOMException(`Failed to set the 'domain' property on 'Document': ${reason}`, 'SecurityError');
  const hostOf = (document) => {
    const view = document?._defaultView?._globalProxy;
    return (view && parse(requests.clientOf(view).origin)?.hostname) || '';
  };
  Object.defineProperty(window.Document.prototype, 'domain', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return hostOf(documentOf(this));
    },
    set(given) {
      const document = documentOf(this);
      if (!document?._defaultView) throw refuse('A browsing context is required to set a domain.');
      if (sandbox.has(document, 'domain')) throw refuse('Assignment is forbidden for sandboxed iframes.');
      const host = hostOf(document);
      const wanted = parse(`http://${given}/`);
      if (host === '' || wanted === undefined || `${given}` === '' || !isSuffixOf(wanted.hostname, host))
        throw refuse(`'${given}' is not a suffix of '${host}'.`);
    },
  });
}

module.exports = { makeClass, noteMessage, installDomain };
