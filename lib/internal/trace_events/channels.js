// natives: none
// The categories node.http and node.module_timer, from the channels that tell of requests and of require().
'use strict';

const { channel, subscribe, tracingChannel, unsubscribe } = require('internal/events/diagnostics_channel');
const { eventWithData, kHttp, kModules } = require('internal/trace_events/events');

const ids = new WeakMap(); // request → number of its events
let lastId = 0;

function begin(name, request) {
  ids.set(request, ++lastId);
  eventWithData('b', kHttp, name, lastId);
}

function end(name, request, data) {
  const id = ids.get(request);
  if (id !== undefined && ids.delete(request)) eventWithData('e', kHttp, name, id, data);
}

const httpListeners = [
  ['http.client.request.start', ({ request }) => begin('http.client.request', request)],
  [
    'http.client.response.finish',
    ({ request, response }) => end('http.client.request', request, { path: request.path, statusCode: response.statusCode }),
  ],
  ['http.server.request.start', ({ request }) => begin('http.server.request', request)],
  [
    'http.server.response.finish',
    ({ request, response }) => end('http.server.request', request, { url: request.url, statusCode: response.statusCode }),
  ],
];

function toggleHttp(isOn) {
  for (const listener of each(httpListeners)) {
    channel(listener[0]); // the channel of a module that is loaded later
    if (isOn) subscribe(listener[0], listener[1]);
    else unsubscribe(listener[0], listener[1]);
  }
}

const loadOf = (id) => 'require(' + `'${id}')`;

const moduleListener = {
  start: ({ id }) => eventWithData('b', kModules, loadOf(id), 0),
  end: ({ id }) => eventWithData('e', kModules, loadOf(id), 0),
};

function toggleModules(isOn) {
  const modules = tracingChannel('module.require');
  if (isOn) modules.subscribe(moduleListener);
  else modules.unsubscribe(moduleListener);
}

module.exports = { toggleHttp, toggleModules };
