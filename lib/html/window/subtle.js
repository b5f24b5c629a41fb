// natives: none
// crypto.subtle of a window (https://w3c.github.io/webcrypto/): the library's, with promises, buffers and errors of the window's realm.
// Secure contexts have it: files, https, and addresses of this machine (https://w3c.github.io/webappsec-secure-contexts/).
'use strict';

const { define } = require('html/agents/agent');

const kMethods = [
  'decrypt',
  'deriveBits',
  'deriveKey',
  'digest',
  'encrypt',
  'exportKey',
  'generateKey',
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
  return Object.create(SubtleCrypto.prototype);
}

function install(window) {
  let subtle;
  Object.defineProperty(window.Crypto.prototype, 'subtle', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => (isSecure(window) ? (subtle ??= create(window)) : undefined),
  });
}

module.exports = { install, isSecure };
