// natives: none
// Pixels of windows and workers: ImageData, ImageBitmap, OffscreenCanvas and a canvas's 2D context, as far as rectangles and pixels go.
// There are no paths and no text: what is not here is absent from the interfaces, too. A canvas on which an image of another origin was
// drawn is tainted: it gives no pixels (https://html.spec.whatwg.org/#concept-canvas-origin-clean).
'use strict';

const { sources, queueTask, define } = require('html/agents/agent');
const { kClone, kTransfer } = require('internal/symbols/messaging');
const { markTransferMode, substitute } = require('internal/messaging/structured_clone');

const kColors = {
  __proto__: null,
  transparent: [0, 0, 0, 0],
  black: [0, 0, 0],
  silver: [192, 192, 192],
  gray: [128, 128, 128],
  white: [255, 255, 255],
  maroon: [128, 0, 0],
  red: [255, 0, 0],
  purple: [128, 0, 128],
  fuchsia: [255, 0, 255],
  green: [0, 128, 0],
  lime: [0, 255, 0],
  olive: [128, 128, 0],
  yellow: [255, 255, 0],
  navy: [0, 0, 128],
  blue: [0, 0, 255],
  teal: [0, 128, 128],
  aqua: [0, 255, 255],
  orange: [255, 165, 0],
};

// [red, green, blue, alpha], 0 to 255 each, or undefined.
function colorOf(text) {
  const name = `${text}`.trim().toLowerCase();
  const full = (parts) => [...each(parts), ...each(parts.length === 3 ? [255] : [])];
  if (name in kColors) return full(kColors[name]);
  const hex = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(name)?.[1];
  if (hex !== undefined)
    return full((hex.length < 6 ? hex.match(/./g).map((digit) => digit + digit) : hex.match(/../g)).map((pair) => parseInt(pair, 16)));
  const numbers = /^rgba?\(([^)]*)\)$/
    .exec(name)?.[1]
    .split(/[\s,/]+/)
    .filter((part) => part !== '')
    .map(Number);
  if (numbers === undefined || numbers.length < 3 || numbers.length > 4 || numbers.some(Number.isNaN)) return undefined;
  return [...each(numbers.slice(0, 3)), Math.round((numbers[3] ?? 1) * 255)];
}

const serialized = (color) => {
  const [red, green, blue, alpha] = each(color);
  const hex = (value) => value.toString(16).padStart(2, '0');
  return alpha === 255 ? `#${hex(red)}${hex(green)}${hex(blue)}` : `rgba(${red}, ${green}, ${blue}, ${+(alpha / 255).toFixed(2)})`;
};

// Width, height, and four bytes for each pixel, row after row.
class Pixels {
  constructor(width, height, data = new Uint8ClampedArray(width * height * 4)) {
    this.width = width;
    this.height = height;
    this.data = data;
    this.isTainted = false;
  }
  // Pixels outside are transparent black.
  cut(x, y, width, height) {
    const made = new Pixels(width, height);
    made.isTainted = this.isTainted;
    this.each(x, y, width, height, (at, column, row) => made.data.set(this.data.subarray(at, at + 4), (row * width + column) * 4));
    return made;
  }
  // Calls back for those pixels of a rectangle that there are: their place in `data`, and column and row in the rectangle.
  each(x, y, width, height, callback) {
    for (let row = Math.max(0, -y); row < height && y + row < this.height; row++) {
      for (let column = Math.max(0, -x); column < width && x + column < this.width; column++)
        callback(((y + row) * this.width + x + column) * 4, column, row);
    }
  }
  // https://drafts.fxtf.org/compositing/#porterduffcompositingoperators_srcover
  paint(at, color) {
    const over = color[3] / 255;
    const under = (this.data[at + 3] / 255) * (1 - over);
    const alpha = over + under;
    for (let i = 0; i < 3; i++) this.data[at + i] = alpha === 0 ? 0 : (color[i] * over + this.data[at + i] * under) / alpha;
    this.data[at + 3] = alpha * 255;
  }
}

function requireClean(window, { isTainted }, what) {
  if (isTainted)
    throw new window.DOMException(`Failed to execute ${what}: The canvas has been tainted by cross-origin data.`, 'SecurityError');
}

const kKey = Symbol('pixels'); // who has it may construct
const pixels = new WeakMap(); // ImageData, ImageBitmap, OffscreenCanvas, a context's canvas → Pixels
const classes = new WeakMap(); // window → its interfaces

function imageInterfaces(window) {
  const tooFew = (name) => new window.TypeError(`Failed to construct '${name}': Illegal constructor`);

  class ImageData {
    constructor(first, second, third) {
      const isArray = first instanceof window.Uint8ClampedArray;
      const width = isArray ? second >>> 0 : first >>> 0;
      if (isArray && (first.length === 0 || first.length % 4 !== 0))
        throw new window.DOMException('The input data length is no multiple of 4.', 'InvalidStateError');
      const height = isArray ? (third ?? first.length / 4 / width) >>> 0 : second >>> 0;
      if (width === 0 || height === 0) throw new window.DOMException('The source width or height is zero.', 'IndexSizeError');
      if (isArray && first.length !== width * height * 4)
        throw new window.DOMException('The input data has another length than width and height say.', 'IndexSizeError');
      const data = isArray ? first : new window.Uint8ClampedArray(width * height * 4);
      pixels.set(this, new Pixels(width, height, data));
      markTransferMode(this, true, false);
    }
    get width() {
      return pixels.get(this).width;
    }
    get height() {
      return pixels.get(this).height;
    }
    get data() {
      return pixels.get(this).data;
    }
    get colorSpace() {
      return 'srgb';
    }
  }
  define(
    ImageData.prototype,
    kClone,
    function () {
      return { data: { ...pixels.get(this) }, deserializeInfo: 'html/window/canvas:ImageData' };
    },
    false,
  );

  class ImageBitmap {
    constructor(key, made) {
      if (key !== kKey) throw tooFew('ImageBitmap');
      pixels.set(this, made);
      markTransferMode(this, true, true);
    }
    get width() {
      return pixels.get(this).width;
    }
    get height() {
      return pixels.get(this).height;
    }
    close() {
      pixels.set(this, new Pixels(0, 0));
    }
  }
  const serialize = function () {
    const { width, height, data, isTainted } = pixels.get(this);
    if (isTainted) throw new window.DOMException('The ImageBitmap has been tainted by cross-origin data.', 'DataCloneError');
    if (width === 0) throw new window.DOMException('The ImageBitmap is detached.', 'DataCloneError');
    return { data: { width, height, data }, deserializeInfo: 'html/window/canvas:ImageBitmap' };
  };
  define(ImageBitmap.prototype, kClone, serialize, false);
  define(
    ImageBitmap.prototype,
    kTransfer,
    function () {
      const message = Reflect.apply(serialize, this, []);
      this.close();
      return message;
    },
    false,
  );
  return { ImageData, ImageBitmap };
}

// https://html.spec.whatwg.org/#dom-context-2d-drawimage: [x, y], [x, y, width, height], or the same after a rectangle of the image. The
// nearest pixel is taken where the size changes.
function draw(to, from, places) {
  const [sx, sy, sw, sh] = each(places.length >= 8 ? places.slice(0, 4).map(Number) : [0, 0, from.width, from.height]);
  const [x, y, width = sw, height = sh] = each((places.length >= 8 ? places.slice(4) : places).map((place) => Math.round(place)));
  if (!(sw > 0 && sh > 0 && width > 0 && height > 0)) return;
  to.isTainted ||= from.isTainted;
  to.each(x, y, width, height, (at, column, row) => {
    const fromX = Math.floor(sx + ((column + 0.5) * sw) / width);
    const fromY = Math.floor(sy + ((row + 0.5) * sh) / height);
    if (fromX < 0 || fromY < 0 || fromX >= from.width || fromY >= from.height) return;
    const source = (fromY * from.width + fromX) * 4;
    to.paint(at, from.data.subarray(source, source + 4));
  });
}

// https://html.spec.whatwg.org/#canvasrenderingcontext2d
function contextInterface(window, name, { ImageData }) {
  return {
    [name]: class {
      #canvas;
      #style = [0, 0, 0, 255];
      #saved = [];
      constructor(key, canvas) {
        if (key !== kKey) throw new window.TypeError('Illegal constructor');
        this.#canvas = canvas;
      }
      get canvas() {
        return this.#canvas;
      }
      get fillStyle() {
        return serialized(this.#style);
      }
      set fillStyle(value) {
        this.#style = colorOf(value) ?? this.#style;
      }
      save() {
        this.#saved.push(this.#style);
      }
      restore() {
        this.#style = this.#saved.pop() ?? this.#style;
      }
      fillRect(x, y, width, height) {
        const to = pixels.get(this.#canvas);
        to.each(Math.round(x), Math.round(y), Math.round(width), Math.round(height), (at) => to.paint(at, this.#style));
      }
      clearRect(x, y, width, height) {
        const to = pixels.get(this.#canvas);
        to.each(Math.round(x), Math.round(y), Math.round(width), Math.round(height), (at) => to.data.fill(0, at, at + 4));
      }
      drawImage(image, ...places) {
        const from = pixelsOf(image);
        if (from === undefined) throw new window.TypeError(`Failed to execute 'drawImage' on '${name}': The provided value is no image.`);
        if (from.data === undefined) {
          if (!from.isComplete || from.width > 0 || from.source === '') return undefined; // not loaded, or of a format without pixels here
          throw new window.DOMException(`Failed to execute 'drawImage' on '${name}': The image is broken.`, 'InvalidStateError');
        }
        return draw(pixels.get(this.#canvas), from, places);
      }
      createImageData(width, height) {
        return typeof width === 'object' && width !== null
          ? new ImageData(width.width, width.height)
          : new ImageData(Math.abs(width), Math.abs(height));
      }
      getImageData(x, y, width, height) {
        requireClean(window, pixels.get(this.#canvas), `'getImageData' on '${name}'`);
        const made = new ImageData(width, height);
        made.data.set(pixels.get(this.#canvas).cut(x | 0, y | 0, width, height).data);
        return made;
      }
      putImageData(image, x, y) {
        const to = pixels.get(this.#canvas);
        to.each(x | 0, y | 0, image.width, image.height, (at, column, row) => {
          const source = (row * image.width + column) * 4;
          to.data.set(image.data.subarray(source, source + 4), at);
        });
      }
    },
  }[name];
}

function offscreenInterface(window, Context) {
  const contexts = new WeakMap();
  class OffscreenCanvas extends window.EventTarget {
    constructor(width, height) {
      if (arguments.length < 2)
        throw new window.TypeError(`Failed to construct 'OffscreenCanvas': 2 arguments required, but only ${arguments.length} present.`);
      super();
      pixels.set(this, new Pixels(width >>> 0, height >>> 0));
      markTransferMode(this, false, true);
    }
    get width() {
      return pixels.get(this).width;
    }
    set width(value) {
      pixels.set(this, new Pixels(value >>> 0, this.height));
    }
    get height() {
      return pixels.get(this).height;
    }
    set height(value) {
      pixels.set(this, new Pixels(this.width, value >>> 0));
    }
    getContext(id) {
      if (`${id}` !== '2d') return null;
      if (!contexts.has(this)) contexts.set(this, new Context(kKey, this));
      return contexts.get(this);
    }
    transferToImageBitmap() {
      if (!contexts.has(this)) throw new window.DOMException('The canvas has no rendering context.', 'InvalidStateError');
      const { width, height } = this;
      const made = new (classes.get(window).ImageBitmap)(kKey, pixels.get(this));
      pixels.set(this, new Pixels(width, height));
      return made;
    }
  }
  define(
    OffscreenCanvas.prototype,
    kTransfer,
    function () {
      if (contexts.has(this))
        throw new window.DOMException('A canvas with a rendering context cannot be transferred.', 'InvalidStateError');
      const { width, height } = this;
      pixels.set(this, new Pixels(0, 0));
      return { data: { width, height }, deserializeInfo: 'html/window/canvas:OffscreenCanvas' };
    },
    false,
  );
  return OffscreenCanvas;
}

// Pixels of an image element (html/document/images).
const bitmapOf = ({ width, height, data, isTainted }) => Object.assign(new Pixels(width, height, data), { isTainted });

// https://html.spec.whatwg.org/#dom-createimagebitmap
function createImageBitmap(window, source, area) {
  return new window.Promise((resolve, reject) => {
    const from = pixelsOf(source);
    if (from === undefined && !(source instanceof window.Blob))
      throw new window.TypeError("Failed to execute 'createImageBitmap': The provided value is no image source.");
    const isImage = from !== undefined && !(from instanceof Pixels);
    const [x = 0, y = 0, width = from?.width, height = from?.height] = each(area);
    if (area.length > 1 && (width === 0 || height === 0)) throw new window.RangeError('The crop rect width or height is zero.');
    queueTask(sources.dom, () => {
      if (from === undefined || from.width === 0 || from.data === undefined)
        return reject(new window.DOMException('The source image could not be decoded.', 'InvalidStateError'));
      return resolve(
        new (classes.get(window).ImageBitmap)(kKey, (isImage ? bitmapOf(from) : from).cut(x | 0, y | 0, width | 0, height | 0)),
      );
    });
  });
}

// A canvas element has pixels of the size that its attributes say, an image element those that it has loaded.
let elementPixels = () => undefined;
const pixelsOf = (source) => (typeof source === 'object' && source !== null ? (pixels.get(source) ?? elementPixels(source)) : undefined);

// The result of getContext of canvas elements.
function installElements() {
  const pack = require('html/jsdom/pack');
  const { implementation } = pack.load('jsdom/lib/jsdom/living/nodes/HTMLCanvasElement-impl.js');
  const { wrapperForImpl: wrapperOf, implForWrapper: implOf } = pack.load('jsdom/lib/generated/idl/utils.js');
  const contexts = new WeakMap();
  const reset = (element) => pixels.set(element, new Pixels(element.width, element.height));
  elementPixels = (source) =>
    implOf(source) instanceof implementation ? reset(source).get(source) : require('html/document/images').stateOf(implOf(source));
  const resize = (changed) =>
    function (name, oldValue, value, namespace) {
      Reflect.apply(changed, this, [name, oldValue, value, namespace]);
      if (namespace === null && (name === 'width' || name === 'height') && pixels.has(wrapperOf(this))) reset(wrapperOf(this));
    };
  const getContext = () =>
    function (id) {
      const element = wrapperOf(this);
      const window = this._ownerDocument._defaultView?._globalProxy;
      if (id !== '2d' || window === undefined) return null;
      pixelsOf(element);
      if (!contexts.has(element)) contexts.set(element, new window.CanvasRenderingContext2D(kKey, element));
      return contexts.get(element);
    };
  const fileOf = (canvas, what) => {
    const of = pixelsOf(wrapperOf(canvas));
    requireClean(canvas._ownerDocument._defaultView._globalProxy, of, `'${what}' on 'HTMLCanvasElement'`);
    return of.width * of.height === 0 ? undefined : require('html/window/png').encode(of);
  };
  // Of whatever type it is asked for, a file is a PNG: https://html.spec.whatwg.org/#a-serialisation-of-the-bitmap-as-a-file
  const toDataURL = () =>
    function () {
      const file = this._ownerDocument._defaultView ? fileOf(this, 'toDataURL') : undefined;
      return file === undefined ? 'data:,' : `data:image/png;base64,${file.toString('base64')}`;
    };
  const toBlob = () =>
    function (callback) {
      const file = this._ownerDocument._defaultView ? fileOf(this, 'toBlob') : undefined;
      const { create } = pack.load('jsdom/lib/generated/idl/Blob.js');
      queueTask(sources.dom, () =>
        callback(file === undefined ? null : create(this._globalObject, [[new Uint8Array(file)], { type: 'image/png' }])),
      );
    };
  const { patch } = require('html/jsdom/patches');
  patch('canvas: attribute changed', resize);
  patch('canvas: context', getContext);
  patch('canvas: data URL', toDataURL);
  patch('canvas: blob', toBlob);
}

function make(window) {
  const images = imageInterfaces(window);
  const made = { ...images, OffscreenCanvasRenderingContext2D: contextInterface(window, 'OffscreenCanvasRenderingContext2D', images) };
  if (window.document !== undefined) made.CanvasRenderingContext2D = contextInterface(window, 'CanvasRenderingContext2D', images);
  made.OffscreenCanvas = offscreenInterface(window, made.OffscreenCanvasRenderingContext2D);
  classes.set(window, made);
  for (const name of each(Object.keys(made))) {
    define(made[name].prototype, Symbol.toStringTag, name, false);
    define(window, name, made[name], false);
    require('html/window/own_realm').adopt(window, made[name]);
  }
  const ofWindow = { createImageBitmap: (source, ...area) => createImageBitmap(window, source, area) };
  define(window, 'createImageBitmap', ofWindow.createImageBitmap);
  require('html/window/own_realm').adopt(window, ofWindow.createImageBitmap);
  return made;
}

const receiver = () => {
  const window = require('html/jsdom/fixes').receiver();
  return { window, ...(classes.get(window) ?? make(window)) };
};
substitute('html/window/canvas:ImageData', ({ width, height, data }) => {
  const { window, ImageData } = receiver();
  return new ImageData(new window.Uint8ClampedArray(data), width, height);
});
substitute(
  'html/window/canvas:ImageBitmap',
  ({ width, height, data }) => new (receiver().ImageBitmap)(kKey, new Pixels(width, height, data)),
);
substitute('html/window/canvas:OffscreenCanvas', ({ width, height }) => new (receiver().OffscreenCanvas)(width, height));

module.exports = { make, installElements };
