// natives: none
// crypto.subtle of a window (https://w3c.github.io/webcrypto/): the library's, with promises, buffers and errors of the window's realm.
// Secure contexts have it: files, https, and addresses of this machine (https://w3c.github.io/webappsec-secure-contexts/).
'use strict';

const { define, later } = require('html/agents/agent');

const kMethods = [
  'decapsulateBits',
  'decapsulateKey',
  'decrypt',
  'deriveBits',
  'deriveKey',
  'digest',
  'encapsulateBits',
  'encapsulateKey',
  'encrypt',
  'exportKey',
  'generateKey',
  'getPublicKey',
  'importKey',
  'sign',
  'unwrapKey',
  'verify',
  'wrapKey',
];

function isSecure(window) {
  const { protocol, hostname } = window.location;
  if (protocol === 'about:' && window.parent !== window) return isSecure(window.parent);
  return /^(https|file|wss|about):$/.test(protocol) || /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

// A result as the window's own: buffers, and the plain objects of pairs of keys and of JSON Web Keys.
function ownValue(window, value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Object.prototype.toString.call(value) === '[object ArrayBuffer]') return new window.Uint8Array(new Uint8Array(value)).buffer;
  if (Array.isArray(value)) return window.Array.from(value);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value; // a key
  const made = new window.Object();
  for (const key of each(Object.keys(value))) made[key] = ownValue(window, value[key]);
  return made;
}

function ownError(window, error) {
  if (error instanceof require('internal/errors/dom_exception').DOMException) return new window.DOMException(error.message, error.name);
  return error instanceof TypeError ? new window.TypeError(error.message) : error;
}

function create(window) {
  const { subtle: inner } = require('internal/crypto/web').crypto;
  class SubtleCrypto {
    constructor() {
      throw new window.TypeError('Illegal constructor');
    }
    static supports(...args) {
      return Reflect.apply(inner.constructor.supports, inner.constructor, args);
    }
  }
  for (const name of each(kMethods)) {
    define(
      SubtleCrypto.prototype,
      name,
      {
        [name](...args) {
          return new window.Promise((resolve, reject) => {
            promiseThen(
              Reflect.apply(inner[name], inner, args),
              (value) => resolve(ownValue(window, value)),
              (error) => reject(ownError(window, error)),
            );
          });
        },
      }[name],
    );
  }
  define(SubtleCrypto.prototype, Symbol.toStringTag, 'SubtleCrypto', false);
  define(window, 'SubtleCrypto', SubtleCrypto, false);
  require('html/window/own_realm').adopt(window, SubtleCrypto);
  return Object.create(SubtleCrypto.prototype);
}

// crypto of a window without a document, and of workers.
function installOwn(window) {
  let crypto;
  const make = () => {
    const { crypto: inner } = require('internal/crypto/web');
    class Crypto {
      constructor() {
        throw new window.TypeError('Illegal constructor');
      }
      getRandomValues(...args) {
        return inner.getRandomValues(...each(args));
      }
      randomUUID() {
        return inner.randomUUID();
      }
      get subtle() {
        return subtleOf(window);
      }
    }
    for (const name of each(['getRandomValues', 'randomUUID', 'subtle']))
      Object.defineProperty(Crypto.prototype, name, { __proto__: null, enumerable: true });
    define(Crypto.prototype, Symbol.toStringTag, 'Crypto', false);
    require('html/window/own_realm').adopt(window, Crypto);
    define(window, 'Crypto', Crypto, false);
    crypto = Object.create(Crypto.prototype);
  };
  later(window, 'Crypto', make);
  Object.defineProperty(window, 'crypto', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      if (crypto === undefined) make();
      return crypto;
    },
  });
  installNames(window);
}

const made = new WeakMap(); // window → its SubtleCrypto's one object
function subtleOf(window) {
  if (!made.has(window)) made.set(window, create(window));
  return made.get(window);
}

// The interfaces' names, where contexts are secure. A window without a document is one.
const isSecureHere = (window) => window.document === undefined || isSecure(window);
function installNames(window) {
  later(window, 'SubtleCrypto', () => (isSecureHere(window) ? subtleOf(window) : define(window, 'SubtleCrypto', undefined, false)));
  later(window, 'CryptoKey', () => {
    const Class = isSecureHere(window) ? require('internal/webcrypto/crypto_key').CryptoKey : undefined;
    if (Class !== undefined) require('html/window/own_realm').adoptShared(window, Class);
    define(window, 'CryptoKey', Class, false);
  });
}

function install(window) {
  Object.defineProperty(window.Crypto.prototype, 'subtle', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => (isSecure(window) ? subtleOf(window) : undefined),
  });
}

module.exports = { install, installNames, installOwn, isSecure };
