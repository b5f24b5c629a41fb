// natives: none
// `rondo` in a window: what a test author needs and a browser's user does. Time, user input, facts about the loop.
'use strict';

const { loop, define } = require('html/agents/agent');
const requests = require('html/network/requests');
const { parse } = require('html/network/addresses');

function install(window) {
  let worklet;
  const rondo = {
    // The running task takes so many milliseconds. Only the virtual clock can be told.
    advance(milliseconds) {
      if (!(milliseconds >= 0 && milliseconds <= 1e12)) throw new window.TypeError('rondo.advance takes a number of milliseconds');
      if (!loop.advance(milliseconds)) throw new window.Error('rondo.advance needs --virtual-time');
    },
    // "Spin the event loop" until the goal is met: true; false when nothing can meet it any more.
    spin(goal) {
      if (typeof goal !== 'function') throw new window.TypeError('rondo.spin takes a function');
      return loop.spin(() => !!goal());
    },
    // A scripted answer to requests for an address.
    route(url, answer) {
      const target = parse(`${url}`, window.document?.baseURI ?? window.location.href);
      if (target === undefined) throw new window.TypeError(`rondo.route takes an address, not '${url}'`);
      requests.route(target.href, answer, requests.clientOf(window));
    },
    // A worklet, of an agent of its own.
    get worklet() {
      return (worklet ??= require('html/agents/worklet').create(window));
    },
    get loop() {
      return loop.facts();
    },
    get task() {
      return loop.runningTask();
    },
  };
  define(window, 'rondo', rondo, false);
  if (process.env.NODE_TEST_CONTEXT !== undefined && requests.clientOf(window).folder !== '') installTests(window);
}

// A page of a file that `rondo --test` runs has the functions of node:test and node:assert under their names.
function installTests(window) {
  const test = require('test');
  const names = ['test', 'it', 'describe', 'suite', 'before', 'after', 'beforeEach', 'afterEach'];
  for (const name of each(names)) define(window, name, test[name], false);
  define(window, 'assert', require('internal/assert/assert'), false);
  define(window, 'mock', test.mock, false);
}

module.exports = { install };
