// natives: html
// How objects of a document look in console output and in reports: elements as tags, lists with what they hold, exceptions by name and
// message, windows by their address. util.inspect asks here before anything else (setPlatformFormat). As in browsers, a page's own
// [Symbol.for('nodejs.util.inspect.custom')] is not asked.
'use strict';

const pack = require('html/jsdom/pack');
const { isOfLibrary } = native('html');

const kMostText = 60;
const kLists = [
  'NodeList',
  'HTMLCollection',
  'RadioNodeList',
  'HTMLOptionsCollection',
  'HTMLFormControlsCollection',
  'DOMTokenList',
  'NamedNodeMap',
  'FileList',
  'StyleSheetList',
  'CSSRuleList',
];
const kElement = 1,
  kText = 3,
  kComment = 8,
  kDocument = 9,
  kDoctype = 10,
  kFragment = 11;

// Frames of the library's own, which called the page's code or was called by it.
const isInner = (line) => /\(?node:[\w/.-]+:\d+:\d+\)?$|\(<anonymous>\)$/.test(line);

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const quoted = (text) => JSON.stringify(text.length > kMostText ? `${text.slice(0, kMostText)}…` : text);

// <p class="a">text</p>; what has elements inside is not shown further.
function elementText(impl) {
  const attributes = impl._attributeList
    .map(({ _qualifiedName: name, _value: value }) => (value === '' ? ` ${name}` : ` ${name}="${escape(value)}"`))
    .join('');
  const name = impl._localName;
  const open = `<${impl._prefix ? `${impl._prefix}:` : ''}${name}${attributes}>`;
  const first = impl.firstChild;
  if (first === null) return /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/.test(name) ? open : `${open}</${name}>`;
  const isText = first.nodeType === kText && first.nextSibling === null && first.data.length <= kMostText && !first.data.includes('\n');
  return `${open}${isText ? first.data : '…'}</${name}>`;
}

function nodeText(impl) {
  switch (impl.nodeType) {
    case kElement:
      return elementText(impl);
    case kText:
      return `#text ${quoted(impl.data)}`;
    case kComment:
      return `<!--${impl.data}-->`;
    case kDocument:
      return `#document (${impl.URL})`;
    case kDoctype:
      return `<!DOCTYPE ${impl.name}>`;
    case kFragment:
      return impl.host ? `#shadow-root (${impl.mode})` : '#document-fragment';
    default:
      return undefined;
  }
}

function exceptionText(exception, { name, message }) {
  const { stack } = exception;
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => /^ +at /.test(line) && !isInner(line)) : [];
  return [`${name}: ${message}`, ...each(frames)].join('\n');
}

function format(value, show) {
  try {
    const { implForWrapper, wrapperForImpl } = pack.load('jsdom/lib/generated/idl/utils.js');
    if (require('html/agents/messaging').of(value) !== undefined) return `Window { ${value.location.href} }`;
    if (Object.prototype.toString.call(value) === '[object URL]' && typeof value.href === 'string') return `URL { ${value.href} }`;
    const impl = implForWrapper(value);
    if (impl === undefined || impl === null || impl === value) return undefined;
    const {
      constructor: { name = '' },
    } = impl;
    if (typeof impl.nodeType === 'number') return nodeText(impl);
    if (name === 'DOMExceptionImpl' || name === 'QuotaExceededErrorImpl') return exceptionText(value, impl);
    const list = kLists.find((candidate) => name === `${candidate}Impl`);
    if (list === undefined) return undefined;
    const items = Array.from({ length: value.length }, (none, i) => value[i]);
    const asPageSees = (item) => (typeof item === 'object' && item !== null ? (wrapperForImpl(item) ?? item) : item);
    return `${list}(${items.length}) ${show(items.map(asPageSees))}`;
  } catch {
    return undefined; // as any other object, then
  }
}

function install() {
  require('internal/util/inspect/core').setPlatformFormat(format, isOfLibrary);
  require('internal/util/inspect/errors').hideFrames(isInner);
}

module.exports = { install };
