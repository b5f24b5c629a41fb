// natives: none
// The agent of a window of another origin than the one that framed or opened it: a page like any other, whose parent or opener is at the end of the link.
'use strict';

const { sources, queueTask, define } = require('html/agent');
const { makeProxy, takeMessage } = require('html/foreign_window');
const requests = require('html/requests');
const reports = require('html/reports');
const { URL } = require('web/url');

function present(url, link, isOpened, then) {
  const { window, global, parse } = require('html/document').create(url);
  const proxy = makeProxy(window, link, { isClosed: () => false, close() {}, top: () => proxy });
  if (isOpened) define(window, 'opener', proxy);
  else Object.assign(global, { _parent: proxy, _top: proxy });
  then({ window, proxy });
  requests.request(url.href, {}, (error, answer) => {
    if (error !== undefined) {
      link.send({ type: 'failed', report: { message: '', filename: url.href, lineno: 0, colno: 0, shown: `rondo: cannot load ${url.href}: ${error.cause?.message ?? error.message}` } });
      return link.send({ type: 'loaded' });
    }
    window.addEventListener('load', () => queueTask(sources.dom, () => link.send({ type: 'loaded' })));
    return parse(answer.body.toString('utf8'));
  });
}

function start(request, link) {
  requests.adopt(request.requests);
  reports.setHandOn((error, { message = '', filename = '', lineno = 0, colno = 0 }) => {
    link.send({ type: 'failed', report: { message, filename, lineno, colno, shown: require('util').inspect(error) } });
  });
  let page;
  present(new URL(request.url), link, request.isOpened, (made) => { page = made; });
  return {
    take(message) {
      if (message.type === 'window message') takeMessage(page.window, undefined, link, page.proxy, message);
      else if (message.type === 'navigate') page.window.location.href = message.url;
    },
  };
}

module.exports = { start };
