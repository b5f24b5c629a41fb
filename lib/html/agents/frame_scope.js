// natives: none
// The agent of a window of another origin than the one that framed or opened it: a page like any other, whose parent or opener is at
// the end of the link.
'use strict';

const hidden = require('html/jsdom/hidden');
const { sources, queueTask, define } = require('html/agents/agent');
const { makeProxy, takeMessage } = require('html/agents/foreign_window');
const requests = require('html/network/requests');
const reports = require('html/agents/reports');
const { URL } = require('internal/url/url_class');

// Fetches the address as the page that framed or opened it asks for it: (error) or (undefined, text, the address that answered).
function fetchPage({ url, text, from, origin }, then) {
  if (text !== undefined) return queueTask(sources.networking, () => then(undefined, text, url));
  const client = requests.clientFor({ href: from, origin });
  return requests.request(url, { mode: 'navigate' }, client, (error, answer) =>
    error === undefined ? then(undefined, answer.body.toString('utf8'), answer.url) : then(error),
  );
}

function present(url, link, { isOpened, from }) {
  const { create, referrerFor } = require('html/document/document');
  const { window, global, parse } = create(url, referrerFor(from, url));
  const proxy = makeProxy(window, link, { isClosed: () => false, close() {}, top: () => proxy });
  if (isOpened) define(window, 'opener', proxy);
  else global[hidden._parent] = global[hidden._top] = proxy;
  window.addEventListener('load', () => queueTask(sources.dom, () => link.send({ type: 'loaded' })));
  return { window, proxy, parse };
}

function start(request, link) {
  requests.adopt(request.requests);
  reports.setHandOn((error, { message = '', filename = '', lineno = 0, colno = 0 }) => {
    link.send({ type: 'failed', report: { message, filename, lineno, colno, shown: require('internal/util/util').inspect(error) } });
  });
  let page;
  fetchPage(request, (error, text, url) => {
    if (error !== undefined) {
      link.send({
        type: 'failed',
        report: {
          message: '',
          filename: request.url,
          lineno: 0,
          colno: 0,
          shown: `rondo: cannot load ${request.url}: ${error.cause?.message ?? error.message}`,
        },
      });
    }
    page = present(new URL(url ?? 'about:blank'), link, request);
    page.parse(text ?? '');
  });
  return {
    // A message that arrives before the page is there was for the empty document in its place.
    take(message, arrived) {
      if (page === undefined) return;
      if (message.type === 'window message') takeMessage(page.window, undefined, page.proxy, message, arrived);
      else if (message.type === 'navigate') page.window.location.href = message.url;
    },
  };
}

module.exports = { start };
