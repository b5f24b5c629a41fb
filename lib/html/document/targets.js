// natives: none
// Which window a name means: https://html.spec.whatwg.org/#the-rules-for-choosing-a-navigable, for window.open, links and forms. Windows
// are looked for in this agent: frames of the page by their names, windows that it has opened.
'use strict';

const hidden = require('html/jsdom/hidden');
const { define } = require('html/agents/agent');
const pack = require('html/jsdom/pack');
const { patch } = require('html/jsdom/patches');
const frames = require('html/document/frames');
const sandbox = require('html/document/sandbox');
const { parse } = require('html/network/addresses');

const opened = new Map(); // name → html/document/frames' handle of a window
const openers = new WeakMap(); // handle → the document that opened it

// The frame element of that name in a document or in documents of its frames.
function frameNamed(document, name) {
  const list = document.querySelectorAll('iframe, frame');
  for (let i = 0; i < list.length; i++) {
    const frame = require('html/document/document').implOf(list.item(i)) ?? list.item(i);
    if (frame.getAttributeNS(null, 'name') === name || frame._contentDocument?._defaultView?.name === name) return frame;
    const inner = frame._contentDocument && frameNamed(frame._contentDocument, name);
    if (inner) return inner;
  }
  return undefined;
}

const topDocument = (document) => {
  let at = document;
  while (at._parentDocument) at = at._parentDocument;
  return at;
};

// { proxy, navigate(url, submission) } of the window that `name` means for `global`; undefined when it is a new one, null when it is one
// that sandboxing forbids.
function choose(global, name) {
  const chosen = find(global, name);
  const source = global[hidden._document];
  if (chosen === undefined) return sandbox.has(source, 'popups') ? null : undefined;
  const target = chosen.document();
  const mayNavigate =
    target === undefined
      ? chosen.isOutside !== true || sandbox.mayNavigateTop(source)
      : sandbox.mayNavigate(source, target, openers.get(chosen) === source);
  return mayNavigate ? chosen : null;
}

function find(global, name) {
  const word = name.toLowerCase();
  const own = {
    proxy: global._globalProxy,
    navigate: (url, submission) => frames.navigate(global, url, { submission }),
    document: () => global[hidden._document],
  };
  if (word === '' || word === '_self') return own;
  if (word === '_parent' || word === '_top') {
    const document = global[hidden._document];
    const chosen = word === '_top' ? topDocument(document) : (document._parentDocument ?? document);
    const { _defaultView: view } = chosen;
    // The page around a window of another origin is in another agent: it is asked.
    const outside = chosen._parentDocument ? undefined : view[hidden._parent];
    if (outside && outside !== view && outside !== view._globalProxy && (chosen === document || word === '_top'))
      return { proxy: outside, navigate: (url) => (outside.location.href = url), document: () => undefined, isOutside: true };
    return {
      proxy: view._globalProxy,
      navigate: (url, submission) => frames.navigate(view, url, { submission }),
      document: () => chosen,
    };
  }
  if (word === '_blank') return undefined;
  const frame = frameNamed(topDocument(global[hidden._document]), name);
  if (frame !== undefined)
    return {
      proxy: frames.proxyOf(frame),
      navigate: (url, submission) => frames.navigateFrame(frame, url, submission),
      document: () => frame._contentDocument ?? { _parentDocument: frame._ownerDocument },
    };
  if (opened.get(name)?.isClosed()) opened.delete(name);
  return opened.get(name);
}

function openNew(global, url, name, options) {
  const made = frames.openWindow(global, url, options);
  if (made !== undefined) openers.set(made, global[hidden._document]);
  if (made === undefined || /^(_blank)?$/i.test(name) || options?.hasOpener === false) return made;
  opened.set(name, made);
  try {
    made.proxy.name = name;
  } catch {} // it is of another origin
  return made;
}

// Presents `url` in the window that `name` means; a new one that a link opens knows no opener.
function navigateNamed(global, name, url, { submission, hasOpener = !/^_blank$/i.test(name) } = {}) {
  const target = choose(global, name);
  if (target === null) return;
  if (target !== undefined) target.navigate(url, submission);
  else openNew(global, url, name, { submission, hasOpener });
}

// https://html.spec.whatwg.org/#window-open-steps
function installOpen(window, global) {
  define(window, 'opener', null);
  define(window, 'open', (url = '', target = '_blank', features = '') => {
    const base = global[hidden._document].baseURLSerialized();
    const text = `${url}`;
    const name = `${target}`;
    const address = parse(text === '' ? 'about:blank' : text, base);
    if (address === undefined)
      throw new window.DOMException(
        `Failed to execute 'open' on 'Window': Unable to open a window with invalid URL '${url}'.`,
        'SyntaxError',
      );
    const hasOpener = !/(^|[\s,])(noopener|noreferrer)\s*(,|=\s*(1|yes|true)|$)/i.test(`${features}`);
    const known = choose(global, name === '' ? '_blank' : name);
    if (known === null) return null;
    if (known !== undefined && text !== '') known.navigate(address.href);
    const made = known ?? openNew(global, address.href, name, { hasOpener });
    return hasOpener ? (made?.proxy ?? null) : null;
  });
}

// https://html.spec.whatwg.org/#following-hyperlinks-2: "if element has no href attribute, then return". jsdom goes to the document's own
// address then, and knows no windows but the one of the document and those around it.
function followLinks() {
  const followNamed = (follow) =>
    function () {
      if (!this.hasAttributeNS(null, 'href')) return;
      const name = this._getAnElementsTarget();
      if (/^(_self|_parent|_top)?$/i.test(name))
        return choose(this._ownerDocument._defaultView, name) === null ? undefined : Reflect.apply(follow, this, []);
      const url = this._ownerDocument.encodingParseAURL(this.href);
      if (url === null || this._cannotNavigate() || url.scheme === 'javascript') return;
      const relations = this.relList;
      const hasOpener =
        relations.contains('opener') || (!/^_blank$/i.test(name) && !relations.contains('noopener') && !relations.contains('noreferrer'));
      const global = this._ownerDocument._defaultView;
      this._ownerDocument._queueATask(() => navigateNamed(global, name, pack.load('whatwg-url/index.js').serializeURL(url), { hasOpener }));
    };
  patch('link: followed', followNamed);
}

module.exports = { installOpen, followLinks, navigateNamed };
