// natives: none
// The web globals Node has: [name, module of lib/, export]. bootstrap/40_globals installs them; this file loads with the first that is
// touched.
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
  ['performance', 'web/performance', 'performance'],
  ['Performance', 'web/performance', 'Performance'],
  ['PerformanceEntry', 'internal/perf/entries', 'PerformanceEntry'],
  ['PerformanceMark', 'internal/perf/entries', 'PerformanceMark'],
  ['PerformanceMeasure', 'internal/perf/entries', 'PerformanceMeasure'],
  ['PerformanceObserver', 'internal/perf/timeline', 'PerformanceObserver'],
  ['PerformanceObserverEntryList', 'internal/perf/timeline', 'PerformanceObserverEntryList'],
  ['PerformanceResourceTiming', 'internal/perf/resource_timing', 'PerformanceResourceTiming'],
  ['Blob', 'web/blob', 'Blob'],
  ['File', 'web/blob', 'File'],
  ['Navigator', 'web/navigator', 'Navigator'],
  ['navigator', 'web/navigator', 'navigator'],
  ['URLPattern', 'web/url_pattern', 'URLPattern'],
  ['fetch', 'web/fetch', 'fetch'],
  ['FormData', 'undici/lib/web/fetch/formdata', 'FormData'],
  ['Headers', 'undici/lib/web/fetch/headers', 'Headers'],
  ['Request', 'undici/lib/web/fetch/request', 'Request'],
  ['Response', 'undici/lib/web/fetch/response', 'Response'],
  ['WebSocket', 'undici/lib/web/websocket/websocket', 'WebSocket'],
  ['CloseEvent', 'undici/lib/web/websocket/events', 'CloseEvent'],
  ['ErrorEvent', 'undici/lib/web/websocket/events', 'ErrorEvent'],
  ['EventSource', 'undici/lib/web/eventsource/eventsource', 'EventSource'],
  ['structuredClone', 'web/structured_clone', 'structuredClone'],
  ['MessageChannel', 'web/message_channel', 'MessageChannel'],
  ['MessagePort', 'web/message_channel', 'MessagePort'],
  ['MessageEvent', 'web/message_event', 'MessageEvent'],
  ['BroadcastChannel', 'web/broadcast_channel', 'BroadcastChannel'],
  ['Worker', 'web/worker', 'Worker'],
  ['atob', 'web/base64', 'atob'],
  ['btoa', 'web/base64', 'btoa'],
  ['crypto', 'internal/crypto/web', 'crypto'],
  ['Crypto', 'internal/crypto/web', 'Crypto'],
  ['CryptoKey', 'internal/webcrypto/crypto_key', 'CryptoKey'],
  ['SubtleCrypto', 'internal/webcrypto/subtle', 'SubtleCrypto'],
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
  ['CompressionStream', 'web/streams/compression', 'CompressionStream'],
  ['DecompressionStream', 'web/streams/compression', 'DecompressionStream'],
];

function load(name) {
  for (let i = 0; i < webGlobals.length; i++) {
    const row = webGlobals[i];
    if (row[0] === name) return require(row[1])[row[2]];
  }
  return undefined;
}

module.exports = { webGlobals, load };
