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
  ['CustomEvent', 'web/event', 'CustomEvent'],
  ['QuotaExceededError', 'web/dom_exception', 'QuotaExceededError'],
  ['TextEncoder', 'web/encoding', 'TextEncoder'],
  ['TextDecoder', 'web/encoding', 'TextDecoder'],
  ['structuredClone', 'web/structured_clone', 'structuredClone', true],
  ['MessageChannel', 'web/message_channel', 'MessageChannel'],
  ['MessagePort', 'web/message_channel', 'MessagePort'],
  ['MessageEvent', 'web/message_event', 'MessageEvent'],
  ['BroadcastChannel', 'web/broadcast_channel', 'BroadcastChannel'],
  ['atob', 'web/base64', 'atob', true],
  ['btoa', 'web/base64', 'btoa', true],
  ['URL', 'web/url', 'URL'],
  ['URLSearchParams', 'web/url_search_params', 'URLSearchParams'],
  ['ReadableStream', 'web/streams/readable_stream', 'ReadableStream'],
  ['ReadableStreamDefaultReader', 'web/streams/readers', 'ReadableStreamDefaultReader'],
  ['ReadableStreamBYOBReader', 'web/streams/readers', 'ReadableStreamBYOBReader'],
  ['ReadableStreamBYOBRequest', 'web/streams/byte_classes', 'ReadableStreamBYOBRequest'],
  ['ReadableByteStreamController', 'web/streams/byte_classes', 'ReadableByteStreamController'],
  ['ReadableStreamDefaultController', 'web/streams/default_controller', 'ReadableStreamDefaultController'],
  ['TransformStream', 'web/streams/transform_stream', 'TransformStream'],
  ['TransformStreamDefaultController', 'web/streams/transform_stream', 'TransformStreamDefaultController'],
  ['WritableStream', 'web/streams/writable_stream', 'WritableStream'],
  ['WritableStreamDefaultController', 'web/streams/writable_stream', 'WritableStreamDefaultController'],
  ['WritableStreamDefaultWriter', 'web/streams/writable_stream', 'WritableStreamDefaultWriter'],
  ['ByteLengthQueuingStrategy', 'web/streams/queuing_strategies', 'ByteLengthQueuingStrategy'],
  ['CountQueuingStrategy', 'web/streams/queuing_strategies', 'CountQueuingStrategy'],
  ['TextEncoderStream', 'web/streams/encoding', 'TextEncoderStream'],
  ['TextDecoderStream', 'web/streams/encoding', 'TextDecoderStream'],
];

module.exports = { webGlobals };
