// natives: none
// Where the document's own interfaces are not quite a browser's: errors of the wrong realm, blobs that cannot be cloned.
'use strict';

const hidden = require('html/jsdom/hidden');
const { define, noteInMicrotask } = require('html/agents/agent');
const pack = require('html/jsdom/pack');
const { patch, patchAccessor } = require('html/jsdom/patches');
const { kClone } = require('internal/symbols/messaging');
const { markTransferMode, substitute } = require('internal/messaging/structured_clone');

// The window that a message is made for: its first one, until another is named.
let receiver;
function setReceiver(window) {
  receiver = window;
}
function addReceiver(window) {
  receiver ??= window;
}
function removeReceiver(window) {
  if (receiver === window) receiver = undefined;
}

// jsdom's own code throws errors of the library's realm.
function throwOwnErrors(window, prototype, name) {
  const method = prototype[name];
  define(
    prototype,
    name,
    {
      [name](...args) {
        try {
          return Reflect.apply(method, this, args);
        } catch (error) {
          throw error instanceof TypeError ? new window.TypeError(error.message) : error;
        }
      },
    }[name],
  );
}

// Blobs, files and lists of files of the receiver's, whatever has become of its global names.
function ClonedBlob({ bytes, type, name, lastModified }) {
  const isFile = name !== undefined;
  const args = isFile ? [[bytes], name, { type, lastModified }] : [[bytes], { type }];
  if (receiver.document === undefined) return new (require('internal/webstreams/blob')[isFile ? 'File' : 'Blob'])(...each(args));
  return pack.load(`jsdom/lib/generated/idl/${isFile ? 'File' : 'Blob'}.js`).create(receiver, args);
}
function ClonedFileList({ files }) {
  return fileList(receiver, files);
}
function fileList(window, files) {
  const list = pack.load('jsdom/lib/generated/idl/FileList.js').create(window, []);
  const impl = require('html/document/document').implOf(list);
  for (const file of each(files)) impl.push(require('html/document/document').implOf(file));
  return list;
}

substitute('html/jsdom/fixes:ClonedBlob', ClonedBlob);

function cloneBlobs(implOf) {
  patch('clone: blob', (setUp) => (wrapper, globalObject) => {
    setUp(wrapper, globalObject);
    markTransferMode(wrapper, true, false);
    define(
      wrapper,
      kClone,
      () => {
        const { _bytes, type, name, lastModified } = implOf(wrapper);
        return { data: { bytes: new Uint8Array(_bytes), type, name, lastModified }, deserializeInfo: 'html/jsdom/fixes:ClonedBlob' };
      },
      false,
    );
  });
  patch('clone: exception', (setUp) => (...args) => {
    const exception = setUp(...each(args));
    markTransferMode(exception, true, false);
    define(
      exception,
      kClone,
      () => ({
        data: { message: exception.message, name: exception.name, stack: exception.stack },
        deserializeInfo: 'internal/errors/dom_exception:ClonedDOMException',
      }),
      false,
    );
    return exception;
  });
  patch('clone: list of files', (setUp) => (...args) => {
    const list = setUp(...each(args));
    markTransferMode(list, true, false);
    define(
      list,
      kClone,
      () => ({
        data: { files: Array.from({ length: list.length }, (none, i) => list[i]) },
        deserializeInfo: 'html/jsdom/fixes:ClonedFileList',
      }),
      false,
    );
    return list;
  });
  // Those of workers are lib/'s, those of windows the document's.
  const bytesOf = (parts) => require('internal/buffer/buffer').Buffer.concat(parts);
  substitute('internal/webstreams/blob:ClonedBlob', ({ parts, type }) => ClonedBlob({ bytes: bytesOf(parts), type }));
  substitute('internal/webstreams/blob:ClonedFile', ({ parts, type, name, lastModified }) =>
    ClonedBlob({ bytes: bytesOf(parts), type, name, lastModified }),
  );
  substitute('internal/errors/dom_exception:ClonedDOMException', ({ message, name }) => new receiver.DOMException(message, name));
}

// A change that nobody observes queues no microtask, so that those who do are told at their changes' own place among the microtasks.
function queueForObservers() {
  const isObserved = (target) => {
    for (let node = target; node !== null; node = node.parentNode) if (node._registeredObserverList?.length > 0) return true;
    return false;
  };
  const ifObserved =
    (target) =>
    (queue) =>
    (...args) => {
      if (isObserved(args[target])) queue(...each(args));
    };
  patch('observer: called', (convert) => (...args) => {
    const call = convert(...each(args));
    const noting = function (...given) {
      noteInMicrotask('mutation observer', call.objectReference);
      return Reflect.apply(call, this, given);
    };
    return Object.assign(noting, call);
  });
  patch('observer: record', ifObserved(1)); // of (type, target, …)
  patch('observer: record of a tree', ifObserved(0));
  patch('observer: record of an attribute', ifObserved(0));
}

// Handlers whose event has capital letters: https://html.spec.whatwg.org/#handler-onwebkitanimationend
const kCapitals = {
  __proto__: null,
  webkitanimationend: 'webkitAnimationEnd',
  webkitanimationiteration: 'webkitAnimationIteration',
  webkitanimationstart: 'webkitAnimationStart',
  webkittransitionend: 'webkitTransitionEnd',
};

// https://html.spec.whatwg.org/#event-handler-content-attributes: an attribute's text is kept wherever its element is, and compiled only
// where scripts run; an element cloned from a template's content has its handlers, too.
function keepHandlers() {
  const accessors = pack.load('jsdom/lib/jsdom/living/helpers/create-event-accessor.js');
  patch('handler: value', (current) => (target, event) => {
    const isRaw = target[hidden._getEventHandlerFor](event)?.body !== undefined;
    const document = target._ownerDocument ?? target[hidden._document];
    const isScripted = document?._defaultView && !require('html/document/sandbox').has(document, 'scripts');
    return isRaw && !isScripted ? null : current(target, event);
  });
  patch(
    'handler: attribute changed',
    () =>
      function (event) {
        if (!(`on${event}` in this)) return;
        const body = this.getAttributeNS(null, `on${event}`);
        this[hidden._setEventHandlerFor](kCapitals[event] ?? event, body === null ? null : { body });
      },
  );
  for (const name of each(['HTMLElement', 'SVGElement'])) {
    const { prototype } = pack.load(`jsdom/lib/jsdom/living/nodes/${name}-impl.js`).implementation;
    for (const event of each(Object.keys(kCapitals))) {
      Object.defineProperty(prototype, `on${event}`, {
        __proto__: null,
        configurable: true,
        enumerable: true,
        get() {
          return accessors.getCurrentEventHandlerValue(this, kCapitals[event]);
        },
        set(value) {
          this[hidden._setEventHandlerFor](kCapitals[event], value);
        },
      });
    }
  }
}

// The parser asks for all children of an element to find the text that it has just put there, which makes a long list of elements a matter
// of minutes.
function placeTexts() {
  let isPlacing = false;
  // As a list of one: the last child, or the one before an element that it is asked for.
  const lastOf = (node) => ({
    0: node.lastChild,
    length: 1,
    lastIndexOf(element) {
      this[0] = element.previousSibling;
      return 1;
    },
  });
  patch('parser: children', (getChildNodes) => (node) => (isPlacing ? lastOf(node) : getChildNodes(node)));
  patch(
    'parser: characters',
    (insert) =>
      function (token) {
        isPlacing = true;
        try {
          return Reflect.apply(insert, this, [token]);
        } finally {
          isPlacing = false;
        }
      },
  );
}

// An element's style is made when it is first asked for: most elements are never asked, and its class is the largest file of the pack.
// Done before the classes of elements are loaded, which copy these members.
function makeStylesLater() {
  const styles = new WeakMap(); // element → its style
  patch(
    'element: style made',
    () =>
      function () {
        this._settingCssText = false;
      },
  );
  patchAccessor('element: style', () => ({
    configurable: true,
    enumerable: true,
    get() {
      let style = styles.get(this);
      if (style === undefined) {
        style = pack.load('jsdom/lib/generated/idl/CSSStyleProperties.js').createImpl(this._globalObject, [], { ownerNode: this });
        styles.set(this, style);
      }
      return style;
    },
  }));
}

// https://dom.spec.whatwg.org/#dom-node-comparedocumentposition: of two trees the same one is always first.
function orderTrees() {
  const numbers = new WeakMap(); // root of a tree → its number
  let last = 0;
  const numberOf = (node) => {
    const root = node.getRootNode({});
    if (!numbers.has(root)) numbers.set(root, ++last);
    return numbers.get(root);
  };
  const kDisconnected = 1;
  const kPreceding = 2 + 1 + 32; // with "implementation-specific"
  patch(
    'node: compared',
    (compare) =>
      function (other) {
        const result = Reflect.apply(compare, this, [other]);
        return (result & kDisconnected) !== 0 && numberOf(other) < numberOf(this) ? kPreceding : result;
      },
  );
}

// https://w3c.github.io/FileAPI/#blob-get-stream
function streamOf(window, blob) {
  const { _bytes: bytes } = require('html/document/document').implOf(blob);
  return new window.ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(new window.Uint8Array(bytes));
      controller.close();
    },
  });
}

let isBlobReady = false;
function install(window, implOf) {
  throwOwnErrors(window, window.MutationObserver.prototype, 'observe');
  if (!isBlobReady) cloneBlobs(implOf);
  isBlobReady = true;
}

module.exports = {
  install,
  placeTexts,
  keepHandlers,
  queueForObservers,
  makeStylesLater,
  orderTrees,
  setReceiver,
  addReceiver,
  removeReceiver,
  receiver: () => receiver,
  ClonedBlob,
  ClonedFileList,
  fileList,
  streamOf,
};
