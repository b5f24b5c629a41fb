// natives: none
// DataTransfer (https://html.spec.whatwg.org/#the-datatransfer-interface) as code makes it, for drag and clipboard events: texts by
// format, and files.
'use strict';

const { define } = require('html/agents/agent');

const kFormats = { __proto__: null, text: 'text/plain', url: 'text/uri-list' };

const formatOf = (format) => kFormats[`${format}`.toLowerCase()] ?? `${format}`.toLowerCase();

// The list of items as the page sees it.
function makeItems(window, items) {
  const itemOf = ({ kind, type, value }) => ({
    kind,
    type,
    getAsString(callback) {
      if (kind === 'string' && typeof callback === 'function') window.queueMicrotask(() => callback(value));
    },
    getAsFile: () => (kind === 'file' ? value : null),
  });
  const list = window.Array.from(items.map(itemOf));
  const methods = {
    add(value, type) {
      if (value instanceof window.File) items.push({ kind: 'file', type: value.type, value });
      else items.push({ kind: 'string', type: formatOf(type), value: `${value}` });
    },
    clear() {
      items.length = 0;
    },
    remove(index) {
      items.splice(index, 1);
    },
  };
  for (const name of each(Object.keys(methods))) define(list, name, methods[name], false);
  return list;
}

function create(window) {
  const states = new WeakMap(); // → items: { kind, type, value }
  const remove = (items, isWanted) => {
    for (let i = items.length - 1; i >= 0; i--) if (isWanted(items[i])) items.splice(i, 1);
  };

  class DataTransfer {
    constructor() {
      states.set(this, []);
      define(this, 'dropEffect', 'none');
      define(this, 'effectAllowed', 'none');
    }
    get items() {
      return makeItems(window, states.get(this));
    }
    get types() {
      const types = states.get(this).map(({ kind, type }) => (kind === 'file' ? 'Files' : type));
      return Object.freeze(window.Array.from(new Set(types)));
    }
    get files() {
      const files = states
        .get(this)
        .filter(({ kind }) => kind === 'file')
        .map(({ value }) => value);
      return require('html/jsdom/fixes').fileList(window, files);
    }
    getData(format) {
      return states.get(this).find(({ kind, type }) => kind === 'string' && type === formatOf(format))?.value ?? '';
    }
    setData(format, value) {
      this.clearData(format);
      states.get(this).push({ kind: 'string', type: formatOf(format), value: `${value}` });
    }
    clearData(format) {
      remove(states.get(this), ({ kind, type }) => kind === 'string' && (format === undefined || type === formatOf(format)));
    }
    setDragImage() {}
  }
  define(DataTransfer.prototype, Symbol.toStringTag, 'DataTransfer', false);
  return DataTransfer;
}

module.exports = { create };
