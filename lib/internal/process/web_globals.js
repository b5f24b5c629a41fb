// natives: none
// The web globals Node has: [name, module of lib/, export]. bootstrap/40_globals installs them; this file loads with the first that is
// touched.
'use strict';

const webGlobals = [
  ['AbortController', 'internal/events/abort', 'AbortController'],
  ['AbortSignal', 'internal/events/abort', 'AbortSignal'],
  ['DOMException', 'internal/errors/dom_exception', 'DOMException'],
  ['Event', 'internal/events/event', 'Event'],
  ['EventTarget', 'internal/events/event_target', 'EventTarget'],
  ['Buffer', 'buffer', 'Buffer'],
  ['CustomEvent', 'internal/events/event', 'CustomEvent'],
  ['QuotaExceededError', 'internal/errors/dom_exception', 'QuotaExceededError'],
  ['TextEncoder', 'internal/encoding/encoding', 'TextEncoder'],
  ['TextDecoder', 'internal/encoding/encoding', 'TextDecoder'],
  ['performance', 'internal/perf/performance', 'performance'],
  ['Performance', 'internal/perf/performance', 'Performance'],
  ['PerformanceEntry', 'internal/perf/entries', 'PerformanceEntry'],
  ['PerformanceMark', 'internal/perf/entries', 'PerformanceMark'],
  ['PerformanceMeasure', 'internal/perf/entries', 'PerformanceMeasure'],
  ['PerformanceObserver', 'internal/perf/timeline', 'PerformanceObserver'],
  ['PerformanceObserverEntryList', 'internal/perf/timeline', 'PerformanceObserverEntryList'],
  ['PerformanceResourceTiming', 'internal/perf/resource_timing', 'PerformanceResourceTiming'],
  ['Blob', 'internal/webstreams/blob', 'Blob'],
  ['File', 'internal/webstreams/blob', 'File'],
  ['Navigator', 'internal/worker/navigator', 'Navigator'],
  ['navigator', 'internal/worker/navigator', 'navigator'],
  ['URLPattern', 'internal/url_pattern/url_pattern', 'URLPattern'],
  ['fetch', 'internal/fetch/fetch', 'fetch'],
  ['FormData', 'undici/lib/web/fetch/formdata', 'FormData'],
  ['Headers', 'undici/lib/web/fetch/headers', 'Headers'],
  ['Request', 'undici/lib/web/fetch/request', 'Request'],
  ['Response', 'undici/lib/web/fetch/response', 'Response'],
  ['WebSocket', 'undici/lib/web/websocket/websocket', 'WebSocket'],
  ['CloseEvent', 'undici/lib/web/websocket/events', 'CloseEvent'],
  ['ErrorEvent', 'undici/lib/web/websocket/events', 'ErrorEvent'],
  ['EventSource', 'undici/lib/web/eventsource/eventsource', 'EventSource'],
  ['Storage', 'internal/sqlite/web_storage', 'Storage'],
  ['localStorage', 'internal/sqlite/web_storage', 'localStorage'],
  ['sessionStorage', 'internal/sqlite/web_storage', 'sessionStorage'],
  ['structuredClone', 'internal/messaging/structured_clone', 'structuredClone'],
  ['MessageChannel', 'internal/messaging/message_channel', 'MessageChannel'],
  ['MessagePort', 'internal/messaging/message_channel', 'MessagePort'],
  ['MessageEvent', 'internal/messaging/message_event', 'MessageEvent'],
  ['BroadcastChannel', 'internal/messaging/broadcast_channel', 'BroadcastChannel'],
  ['Worker', 'internal/worker/web_worker', 'Worker'],
  ['atob', 'internal/encoding/base64', 'atob'],
  ['btoa', 'internal/encoding/base64', 'btoa'],
  ['crypto', 'internal/crypto/web', 'crypto'],
  ['Crypto', 'internal/crypto/web', 'Crypto'],
  ['CryptoKey', 'internal/webcrypto/crypto_key', 'CryptoKey'],
  ['SubtleCrypto', 'internal/webcrypto/subtle', 'SubtleCrypto'],
  ['URL', 'internal/url/url_class', 'URL'],
  ['URLSearchParams', 'internal/url/search_params', 'URLSearchParams'],
  ['ReadableStream', 'internal/webstreams/readable_stream', 'ReadableStream'],
  ['ReadableStreamDefaultReader', 'internal/webstreams/readers', 'ReadableStreamDefaultReader'],
  ['ReadableStreamBYOBReader', 'internal/webstreams/readers', 'ReadableStreamBYOBReader'],
  ['ReadableStreamBYOBRequest', 'internal/webstreams/byte_classes', 'ReadableStreamBYOBRequest'],
  ['ReadableByteStreamController', 'internal/webstreams/byte_classes', 'ReadableByteStreamController'],
  ['ReadableStreamDefaultController', 'internal/webstreams/default_controller', 'ReadableStreamDefaultController'],
  ['TransformStream', 'internal/webstreams/transform_stream', 'TransformStream'],
  ['TransformStreamDefaultController', 'internal/webstreams/transform_stream', 'TransformStreamDefaultController'],
  ['WritableStream', 'internal/webstreams/writable_stream', 'WritableStream'],
  ['WritableStreamDefaultController', 'internal/webstreams/writable_stream', 'WritableStreamDefaultController'],
  ['WritableStreamDefaultWriter', 'internal/webstreams/writable_stream', 'WritableStreamDefaultWriter'],
  ['ByteLengthQueuingStrategy', 'internal/webstreams/queuing_strategies', 'ByteLengthQueuingStrategy'],
  ['CountQueuingStrategy', 'internal/webstreams/queuing_strategies', 'CountQueuingStrategy'],
  ['TextEncoderStream', 'internal/webstreams/encoding', 'TextEncoderStream'],
  ['TextDecoderStream', 'internal/webstreams/encoding', 'TextDecoderStream'],
  ['CompressionStream', 'internal/webstreams/compression', 'CompressionStream'],
  ['DecompressionStream', 'internal/webstreams/compression', 'DecompressionStream'],
];

function load(name) {
  for (let i = 0; i < webGlobals.length; i++) {
    const row = webGlobals[i];
    if (row[0] === name) return require(row[1])[row[2]];
  }
  return undefined;
}

module.exports = { load };
