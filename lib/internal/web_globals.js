// natives: none
// The web globals Node has: [name, module of lib/, export, enumerable]. bootstrap/40_globals installs them as lazy accessors.
'use strict';

const webGlobals = [
  ['AbortController', 'web/abort', 'AbortController'],
  ['AbortSignal', 'web/abort', 'AbortSignal'],
  ['DOMException', 'web/dom_exception', 'DOMException'],
  ['Event', 'web/event', 'Event'],
  ['EventTarget', 'web/event_target', 'EventTarget'],
  ['Buffer', 'buffer', 'Buffer'],
  ['URL', 'web/url', 'URL'],
  ['URLSearchParams', 'web/url_search_params', 'URLSearchParams'],
];

module.exports = { webGlobals };
