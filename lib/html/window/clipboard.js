// natives: none
// navigator.clipboard (https://w3c.github.io/clipboard-apis/) of a run: the text that its pages of one origin have written, not the
// desktop's. navigator.permissions (https://w3c.github.io/permissions/) says so.
'use strict';

const { define, later } = require('html/agents/agent');

const texts = new Map(); // origin → text
const kGranted = ['clipboard-read', 'clipboard-write'];

// Classes of the window's realm: their promises, errors and prototypes are the page's.
const kClasses = `
  class Clipboard extends EventTarget {
    constructor(key) {
      if (key !== secret) throw new TypeError('Illegal constructor');
      super();
    }
    async readText() {
      return read();
    }
    async writeText(data) {
      if (arguments.length === 0)
        throw new TypeError("Failed to execute 'writeText' on 'Clipboard': 1 argument required, but only 0 present.");
      write(\`\${data}\`);
    }
  }
  class PermissionStatus extends EventTarget {
    #name;
    constructor(key, name) {
      if (key !== secret) throw new TypeError('Illegal constructor');
      super();
      this.#name = name;
    }
    get name() {
      return this.#name;
    }
    get state() {
      return stateOf(this.#name);
    }
  }
  class Permissions {
    constructor(key) {
      if (key !== secret) throw new TypeError('Illegal constructor');
    }
    async query(descriptor) {
      const name = descriptor?.name;
      if (name === undefined) throw new TypeError("Failed to execute 'query' on 'Permissions': required member name is undefined.");
      return new PermissionStatus(secret, \`\${name}\`);
    }
  }
  return { Clipboard, Permissions, PermissionStatus };`;

function make(window, origin) {
  const secret = Object.freeze({ __proto__: null });
  const compile = require('vm').compileFunction;
  const names = ['EventTarget', 'secret', 'read', 'write', 'stateOf'];
  const classes = compile(kClasses, names, { parsingContext: window })(
    window.EventTarget,
    secret,
    () => texts.get(origin) ?? '',
    (text) => {
      texts.set(origin, text);
    },
    (name) => (kGranted.includes(name) ? 'granted' : 'denied'),
  );
  const { attribute } = require('html/window/handler_attribute');
  attribute(classes.PermissionStatus.prototype, 'change');
  for (const name of each(Object.keys(classes))) {
    define(classes[name].prototype, Symbol.toStringTag, name, false);
    define(window, name, classes[name], false);
  }
  return { clipboard: new classes.Clipboard(secret), permissions: new classes.Permissions(secret) };
}

// The clipboard is for secure contexts.
function install(window) {
  let made;
  const all = () => (made ??= make(window, require('html/network/requests').clientOf(window).origin));
  for (const name of each(['Clipboard', 'Permissions', 'PermissionStatus'])) later(window, name, all);
  const { prototype } = window.Navigator; // just made
  for (const name of each(['clipboard', 'permissions'])) {
    Object.defineProperty(prototype, name, {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get() {
        return name === 'clipboard' && !window.isSecureContext ? undefined : all()[name];
      },
    });
  }
}

module.exports = { install };
