// natives: none
// The web globals and the console, each loaded when first touched; internal/process/web_globals says from where. Their names stand here in
// two lists, so that a start reads no more than them (js/process/web_globals keeps both files alike).
'use strict';

const { addLazy, defineLazy } = require('internal/util/lazy_property');

const enumerable = ['fetch', 'structuredClone', 'atob', 'btoa'];
const hidden = [
  'AbortController',
  'AbortSignal',
  'DOMException',
  'Event',
  'EventTarget',
  'CustomEvent',
  'QuotaExceededError',
  'TextEncoder',
  'TextDecoder',
  'Performance',
  'PerformanceEntry',
  'PerformanceMark',
  'PerformanceMeasure',
  'PerformanceObserver',
  'PerformanceObserverEntryList',
  'PerformanceResourceTiming',
  'Blob',
  'File',
  'Navigator',
  'URLPattern',
  'FormData',
  'Headers',
  'Request',
  'Response',
  'WebSocket',
  'CloseEvent',
  'ErrorEvent',
  'Storage',
  'MessageChannel',
  'MessagePort',
  'MessageEvent',
  'BroadcastChannel',
  'Crypto',
  'CryptoKey',
  'SubtleCrypto',
  'URL',
  'URLSearchParams',
  'ReadableStream',
  'ReadableStreamDefaultReader',
  'ReadableStreamBYOBReader',
  'ReadableStreamBYOBRequest',
  'ReadableByteStreamController',
  'ReadableStreamDefaultController',
  'TransformStream',
  'TransformStreamDefaultController',
  'WritableStream',
  'WritableStreamDefaultController',
  'WritableStreamDefaultWriter',
  'ByteLengthQueuingStrategy',
  'CountQueuingStrategy',
  'TextEncoderStream',
  'TextDecoderStream',
  'CompressionStream',
  'DecompressionStream',
];
const load = (name) => require('internal/process/web_globals').load(name);

addLazy(globalThis, enumerable, load, true);
addLazy(globalThis, hidden, load, false);
addLazy(globalThis, ['console'], () => require('internal/console/program'), false);
// Accessors, as in Node.
for (const name of each(['performance', 'navigator', 'crypto', 'sessionStorage'])) defineLazy(globalThis, name, () => load(name), true);
defineLazy(globalThis, 'localStorage', () => load('localStorage'), false);
defineLazy(globalThis, 'Buffer', () => load('Buffer'), false);
