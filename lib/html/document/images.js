// natives: none
// Images of elements: https://html.spec.whatwg.org/#updating-the-image-data. They are loaded, have a natural size, and fire load or error.
// Pixels are known of PNG alone; of GIF, JPEG, WebP, BMP and SVG the size. An image that came from another origin without CORS is drawn,
// and the canvas tells nothing any more (html/window/canvas).
'use strict';

const { sources, queueTask } = require('html/agents/agent');
const pack = require('html/jsdom/pack');
const { patch, patchAccessor } = require('html/jsdom/patches');
const requests = require('html/network/requests');

const kJsdom = 'jsdom/lib/jsdom';
const states = new WeakMap(); // jsdom's HTMLImageElement → { width, height, pixels, isTainted, source, isComplete, generation }

function jpegSize(bytes) {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const kind = bytes[at + 1];
    const isFrame = kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += kind >= 0xd0 && kind <= 0xd8 ? 2 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(bytes) {
  const kind = bytes.latin1Slice(12, 16);
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  const bits = bytes.readUInt32LE(21);
  return kind === 'VP8L' ? { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 } : undefined;
}

// https://svgwg.org/svg2-draft/embedded.html: without a size of its own an image is 300 by 150.
function svgSize(text) {
  const tag = /<svg\b[^>]*>/i.exec(text)?.[0];
  if (tag === undefined) return undefined;
  const number = (name) => Number(new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(px)?\\s*["']`).exec(tag)?.[1]);
  const box = /\sviewBox\s*=\s*["']([^"']*)["']/
    .exec(tag)?.[1]
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const width = number('width') || number('height') * (box?.[2] / box?.[3]) || (box ? 150 * (box[2] / box[3]) : 300);
  const height = number('height') || (box ? width * (box[3] / box[2]) : 150);
  return { width: Math.round(width), height: Math.round(height) };
}

// { width, height, data (of PNG) }; undefined when it is no image.
function imageIn(bytes, type) {
  try {
    const png = require('html/window/png');
    if (png.isPng(bytes)) return png.decode(bytes);
    if (/^GIF8[79]a/.test(bytes.latin1Slice(0, 6))) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpegSize(bytes);
    if (/^RIFF[^]{4}WEBP/.test(bytes.latin1Slice(0, 12))) return webpSize(bytes);
    if (bytes.latin1Slice(0, 2) === 'BM') return { width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) };
    return /^image\/svg\+xml/i.test(type) ? svgSize(bytes.toString('utf8')) : undefined;
  } catch {
    return undefined;
  }
}

// The address of an image: its src, else the first of its srcset.
function sourceOf(element) {
  const source = element.getAttributeNS(null, 'src');
  return source ?? element.getAttributeNS(null, 'srcset')?.trim().split(/[\s,]/)[0] ?? null;
}

function optionsOf(element) {
  const value = element.getAttributeNS(null, 'crossorigin');
  if (value === null) return { mode: 'no-cors' };
  return { mode: 'cors', credentials: value.toLowerCase() === 'use-credentials' ? 'include' : 'same-origin' };
}

// Loads what the element names, unless it has been given another address meanwhile.
function load(element, state, loaded) {
  const { fireAnEvent } = pack.load(`${kJsdom}/living/helpers/events.js`);
  const document = element._ownerDocument;
  const { generation } = state;
  const end = (type) => {
    state.isComplete = true;
    if (type !== undefined) fireAnEvent(type, element);
    loaded();
  };
  const source = sourceOf(element);
  const window = document._defaultView?._globalProxy;
  if (source === null || window === undefined || document._isDestroyed) return end();
  const url = source === '' ? null : document.encodingParseAURL(source);
  if (url === null) return queueTask(sources.dom, () => end('error'));
  state.source = pack.load('whatwg-url/index.js').serializeURL(url);
  return requests.request(state.source, optionsOf(element), requests.clientOf(window), (error, answer) => {
    if (state.generation !== generation || document._isDestroyed) return loaded();
    const type = answer?.headers.find((pair) => pair[0] === 'content-type')?.[1] ?? '';
    const image = error === undefined ? imageIn(answer.body, type) : undefined;
    if (image === undefined || image.width === 0) return end('error');
    Object.assign(state, { width: image.width, height: image.height, data: image.data, isTainted: answer.type === 'opaque' });
    return end('load');
  });
}

function update(element) {
  const document = element._ownerDocument;
  if (!document._defaultView) return;
  const state = states.get(element) ?? { generation: 0 };
  states.set(element, state);
  state.generation++;
  Object.assign(state, { width: 0, height: 0, data: undefined, isTainted: false, source: '', isComplete: sourceOf(element) === null });
  const { generation } = state;
  const { promise, resolve } = Promise.withResolvers();
  if (document.readyState !== 'complete') document._asyncQueue.push(promise, null, null, null);
  // "Await a stable state": attributes that the same code sets count, too.
  promiseThen(Promise.resolve(), () => {
    if (state.generation !== generation) return resolve();
    return load(element, state, resolve);
  });
}

function extend() {
  const updateMode = (changed) =>
    function (name, oldValue, value, namespace) {
      Reflect.apply(changed, this, [name, oldValue, value, namespace]);
      if (namespace === null && name === 'crossorigin' && oldValue !== value && states.has(this)) update(this);
    };
  const updateImage = () =>
    function () {
      update(this);
    };
  const getter = (name, absent) => () => ({
    get() {
      return states.get(this)?.[name] ?? absent;
    },
  });
  patch('image: attribute changed', updateMode);
  patch('image: update', updateImage);
  patchAccessor('image: width', getter('width', 0));
  patchAccessor('image: height', getter('height', 0));
  patchAccessor('image: complete', getter('isComplete', true));
  patchAccessor('image: address', getter('source', ''));
}

// The image of an element as html/window/canvas draws it: { width, height, data, isTainted }; undefined for other elements.
const stateOf = (element) => states.get(element);

module.exports = { extend, stateOf };
