// natives: vm
// Properties of every window, with a document or without: put on it here, once, before its first script runs.
'use strict';

const { loop, sources, queueTask, define, later } = require('html/agents/agent');

const { setImporter } = native('vm');

// Of lib/internal, for windows and workers alike: [module, names].
const kShared = [
  ['internal/webstreams/readable_stream', ['ReadableStream']],
  ['internal/webstreams/readers', ['ReadableStreamDefaultReader', 'ReadableStreamBYOBReader']],
  ['internal/webstreams/byte_classes', ['ReadableStreamBYOBRequest', 'ReadableByteStreamController']],
  ['internal/webstreams/default_controller', ['ReadableStreamDefaultController']],
  ['internal/webstreams/transform_stream', ['TransformStream', 'TransformStreamDefaultController']],
  ['internal/webstreams/writable_stream', ['WritableStream', 'WritableStreamDefaultController', 'WritableStreamDefaultWriter']],
  ['internal/webstreams/queuing_strategies', ['ByteLengthQueuingStrategy', 'CountQueuingStrategy']],
  ['internal/webstreams/encoding', ['TextEncoderStream', 'TextDecoderStream']],
  ['internal/webstreams/compression', ['CompressionStream', 'DecompressionStream']],
  ['internal/url_pattern/url_pattern', ['URLPattern']],
];
const kStreamModules = 6; // the first of them
const kCanvas = ['ImageData', 'ImageBitmap', 'OffscreenCanvas', 'OffscreenCanvasRenderingContext2D', 'createImageBitmap'];

// On the virtual clock a page's dates are virtual too.
function installDate(window) {
  if (!loop.isVirtual) return;
  const Real = window.Date;
  const begin = 0;
  const now = () => begin + Math.floor(loop.now());
  const Virtual = new Proxy(Real, {
    __proto__: null,
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new Real(now()).toString(),
  });
  define(Real, 'now', now);
  define(Real.prototype, 'constructor', Virtual, false);
  define(window, 'Date', Virtual, false);
}

// `document`: the cell of the window's document; that of a page or script is the first. A worker has none.
function install(window, url, document = loop.firstDocument) {
  let isClosing = false;
  require('html/window/events').install(window);
  require('html/window/timers').install(window, document);
  require('html/agents/messaging').install(window, url.origin, document);
  for (const name of each(['Worker', 'SharedWorker']))
    later(window, name, () => require('html/agents/workers').install(window, url, document));
  require('html/window/performance').install(window, document);
  require('html/window/scheduler').install(window, document);
  require('html/window/rondo').install(window);
  require('html/network/fetch').install(window);
  for (const name of each(['WebSocket', 'EventSource']))
    later(window, name, () => require('html/network/sockets').install(window, document));
  for (const [module, names] of eachEntry(kShared)) {
    for (const name of each(names))
      if (!(name in window)) later(window, name, () => define(window, name, shared(window, require(module)[name]), false));
  }
  later(window, 'Origin', () => define(window, 'Origin', require('html/window/origin').makeClass(window), false));
  define(window, 'originAgentCluster', true);
  for (const name of each(kCanvas)) later(window, name, () => require('html/window/canvas').make(window));
  if (window.document !== undefined) later(window, 'CanvasRenderingContext2D', () => require('html/window/canvas').make(window));
  setImporter(window, (specifier, address, options) =>
    require('html/window/modules').importFromScript(window, specifier, address, options),
  );
  installDate(window);
  if (require('internal/process/options').getOptionValue('--expose-gc'))
    define(
      window,
      'gc',
      () => {
        require('internal/process/garbage').collectGarbage();
      },
      false,
    );
  const { close } = window; // jsdom's
  define(window, 'close', () => {
    if (isClosing) return;
    isClosing = true;
    if (loop.isTop(document))
      return queueTask(sources.dom, () => {
        loop.close();
      });
    Reflect.apply(close, window, []);
    return require('html/agents/discarding').discard(document);
  });
  Object.defineProperty(window, 'closed', { __proto__: null, configurable: true, enumerable: true, get: () => isClosing });
  define(window, 'reportError', function reportError(error) {
    if (arguments.length === 0)
      throw new window.TypeError("Failed to execute 'reportError' on 'Window': 1 argument required, but only 0 present.");
    const { reportException, placeInStack } = require('html/agents/reports');
    reportException(error, placeInStack(error?.stack) ?? placeInStack(new Error().stack));
  });
  require('html/agents/reports').setWindow(window, document);
  if (window.document === undefined) require('html/window/subtle').installOwn(window);
  if (window.document === undefined) require('html/window/own_realm').adoptAll(window); // else html/document/document does it
}

function shared(window, Class) {
  const { adoptShared } = require('html/window/own_realm');
  adoptStreams(window);
  adoptShared(window, Class, true);
  return Class;
}

// Streams lead to readers, controllers and other streams, which a page need not name.
let hasStreams = false;
function adoptStreams(window) {
  if (hasStreams) return;
  hasStreams = true;
  const { adoptShared } = require('html/window/own_realm');
  for (const [module, names] of eachEntry(kShared.slice(0, kStreamModules)))
    for (const name of each(names)) adoptShared(window, require(module)[name], true);
}

module.exports = { install, adoptStreams };
