// natives: none
// The agent of a window of another origin than the one that framed or opened it: a page like any other, whose parent or opener is at
// the end of the link.
'use strict';

const hidden = require('html/jsdom/hidden');
const { sources, queueTask, define } = require('html/agents/agent');
const { makeProxy, takeMessage } = require('html/agents/foreign_window');
const requests = require('html/network/requests');
const reports = require('html/agents/reports');
const sandbox = require('html/document/sandbox');
const { URL } = require('internal/url/url_class');

// The page that framed or opened this one, as a client: it asks for the address.
const clientOf = ({ href, origin, site }) => requests.clientFor({ href, origin, site: () => site });

// (error) or (undefined, text, the address that answered, the referrer that it was told, sandboxing flags of its header)
function fetchPage({ url, text, referrer, initiator, isOpened }, then) {
  if (text !== undefined) return queueTask(sources.networking, () => then(undefined, text, url, referrer, []));
  return requests.request(url, { mode: 'navigate', isNested: !isOpened }, clientOf(initiator), (error, answer) =>
    error === undefined
      ? then(undefined, answer.body.toString('utf8'), answer.url, answer.referrer, sandbox.ofHeaders(answer.headers))
      : then(error),
  );
}

function present(url, link, { isOpened, hasOpener, initiator, flags, base }, referrer, { added }) {
  const { create } = require('html/document/document');
  const made = create(url, referrer, { embedder: isOpened ? undefined : initiator.site, given: flags, added });
  const { window, global } = made;
  if (base !== undefined && url.protocol === 'about:') readAgainst(global[hidden._document], base);
  const mayNavigate = () => sandbox.mayNavigateTop(global[hidden._document]);
  const proxy = makeProxy(window, link, { isClosed: () => false, close() {}, top: () => proxy, mayNavigate });
  if (!isOpened) global[hidden._parent] = global[hidden._top] = proxy;
  else if (hasOpener) define(window, 'opener', proxy);
  window.addEventListener('load', () => queueTask(sources.dom, () => link.send({ type: 'loaded' })));
  return { ...made, proxy };
}

// https://html.spec.whatwg.org/#fallback-base-url of a document without an address: that of the document around it
function readAgainst(document, base) {
  document._fallbackBaseURL = () => require('html/jsdom/pack').load('whatwg-url/index.js').parseURL(base);
  document._clearBaseURLCache();
}

// https://html.spec.whatwg.org/#navigate for the page at the other end. Its address is asked for in its name, not in that of this window.
function navigate({ window, global }, { url, text, referrer, initiator }) {
  if (/^javascript:/i.test(url)) return; // an address brings no code to another origin
  const withoutFragment = (address) => address.split('#')[0];
  if (text === undefined && url.includes('#') && withoutFragment(url) === withoutFragment(window.location.href)) window.location.href = url;
  else require('html/document/frames').navigate(global, url, { text, referrer, initiator: clientOf(initiator) });
}

function start(request, link) {
  requests.adopt(request.requests);
  reports.setHandOn((error, { message = '', filename = '', lineno = 0, colno = 0 }) => {
    link.send({ type: 'failed', report: { message, filename, lineno, colno, shown: require('internal/util/util').inspect(error) } });
  });
  let page;
  const show = (url, referrer, options) => (page = present(url, link, request, referrer, options));
  const leave = (answer) => link.send({ type: 'leave', ...answer });
  fetchPage(request, (error, text, url, referrer, added = []) => {
    if (error !== undefined) {
      const shown = `rondo: cannot load ${request.url}: ${error.cause?.message ?? error.message}`;
      link.send({ type: 'failed', report: { message: '', filename: request.url, lineno: 0, colno: 0, shown } });
    }
    const address = new URL(url ?? 'about:blank');
    const isApart = request.isOpened || sandbox.union(request.flags, added).includes('origin');
    // A frame that has been redirected to the origin of the document around it is that document's to show.
    if (!isApart && request.text === undefined && address.origin === request.initiator.origin && address.origin !== 'null')
      return leave({ url, text, referrer, added });
    show(address, referrer, { added }).parse(text ?? '');
    return require('html/document/document').setPresenter(show, leave);
  });
  return {
    // A message that arrives before the page is there was for the empty document in its place.
    take(message, arrived) {
      if (page === undefined) return;
      if (message.type === 'window message') takeMessage(page.window, undefined, page.proxy, message, arrived);
      else if (message.type === 'navigate') navigate(page, message);
    },
  };
}

module.exports = { start };
