// natives: none
// The steps of "update the rendering" that need a document: resize and scroll events, media queries, ResizeObserver, IntersectionObserver
// and paint. There is no layout engine: the window's size and each element's box are what the page's author has said
// (rondo.input.resize, rondo.layout). A paint is a record with the time and a hash of what the document looks like.
'use strict';

const { loop, callScript, define, defineAll, later } = require('html/agent');

const kRenderHook = 0;
const kResize = 0,
  kScroll = 1,
  kMediaQueries = 2,
  kAnimations = 3,
  kResizeObservers = 4,
  kIntersectionObservers = 5,
  kPaint = 6;

function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

// The steps of each document, by its number.
const stepsOf = new Map();
loop.setHook(kRenderHook, (step, now, number) => {
  stepsOf.get(number)?.(step, now);
});

function install(window, number) {
  const { document } = window;
  const size = { width: 1024, height: 768 };
  const boxes = new WeakMap(); // element → { x, y, width, height }
  const paints = [];
  let isResized = false;
  let isHidden = false;
  const scrolled = new Set();
  const boxOf = (element) => boxes.get(element) ?? { x: 0, y: 0, width: 0, height: 0 };
  const rectOf = ({ x, y, width, height }) => ({ x, y, width, height, top: y, left: x, right: x + width, bottom: y + height });
  const fireAt = (target, type, init) => target.dispatchEvent(new window.Event(type, init));

  // https://drafts.csswg.org/cssom-view/#mediaquerylist: widths and heights in px.
  const queries = new Set();
  const matches = (media) =>
    `${media}`.split(',').some((query) => {
      const conditions = [...each(query.matchAll(/\(\s*(min|max)-(width|height)\s*:\s*([\d.]+)px\s*\)/g))];
      if (/^\s*(all|screen)\s*$/.test(query)) return true;
      return (
        conditions.length > 0 &&
        conditions.every((found) => (found[1] === 'min' ? size[found[2]] >= +found[3] : size[found[2]] <= +found[3]))
      );
    });
  class MediaQueryList extends window.EventTarget {
    #state;
    constructor(media) {
      super();
      this.#state = { media: `${media}`, matches: matches(media), self: this };
      queries.add(this.#state);
    }
    get media() {
      return this.#state.media;
    }
    get matches() {
      return matches(this.#state.media);
    }
    addListener(listener) {
      this.addEventListener('change', listener);
    }
    removeListener(listener) {
      this.removeEventListener('change', listener);
    }
  }
  require('html/messaging').attribute(MediaQueryList.prototype, 'change');

  function reportMediaQueries() {
    for (const state of each(queries)) {
      const now = matches(state.media);
      if (now === state.matches) continue;
      state.matches = now;
      const event = new window.Event('change');
      define(event, 'matches', now);
      define(event, 'media', state.media);
      state.self.dispatchEvent(event);
    }
  }

  const observerClass = (name, collect, thresholdsOf) => {
    const states = new Set();
    const made = {
      [name]: class {
        #state;
        constructor(callback, options) {
          if (typeof callback !== 'function')
            throw new window.TypeError(`Failed to construct '${name}': parameter 1 is not of type 'Function'.`);
          this.#state = { callback, self: this, targets: new Map(), records: [], thresholds: thresholdsOf?.(options) };
        }
        observe(target) {
          this.#state.targets.set(target, undefined);
          states.add(this.#state);
          loop.invalidate(number);
        }
        unobserve(target) {
          this.#state.targets.delete(target);
        }
        disconnect() {
          this.#state.targets.clear();
          states.delete(this.#state);
        }
        takeRecords() {
          return this.#state.records.splice(0);
        }
      },
    }[name];
    define(window, name, made, false);
    return () => {
      for (const state of each(states)) {
        for (const [target, last] of eachEntry([...each(state.targets)])) collect(state, target, last);
        const records = state.records.splice(0);
        if (records.length > 0) callScript(state.callback, state.self, [records, state.self]);
      }
    };
  };

  const observeSizes = observerClass('ResizeObserver', (state, target, last) => {
    const { width, height } = boxOf(target);
    if (last !== undefined ? last.width === width && last.height === height : width === 0 && height === 0) return;
    state.targets.set(target, { width, height });
    const box = [{ inlineSize: width, blockSize: height }];
    state.records.push({
      target,
      contentRect: rectOf({ x: 0, y: 0, width, height }),
      contentBoxSize: box,
      borderBoxSize: box,
      devicePixelContentBoxSize: box,
    });
  });

  const observeIntersections = observerClass(
    'IntersectionObserver',
    (state, target, last) => {
      const box = boxOf(target);
      const left = Math.max(box.x - window.scrollX, 0),
        top = Math.max(box.y - window.scrollY, 0);
      const right = Math.min(box.x - window.scrollX + box.width, size.width),
        bottom = Math.min(box.y - window.scrollY + box.height, size.height);
      const isIntersecting = right >= left && bottom >= top && target.isConnected;
      const area = box.width * box.height;
      const inner = isIntersecting ? { x: left, y: top, width: right - left, height: bottom - top } : { x: 0, y: 0, width: 0, height: 0 };
      const intersectionRatio = area > 0 ? (inner.width * inner.height) / area : +isIntersecting;
      const step = isIntersecting ? state.thresholds.filter((threshold) => intersectionRatio >= threshold).length : -1;
      if (last === step) return;
      state.targets.set(target, step);
      state.records.push({
        target,
        time: loop.now(),
        isIntersecting,
        intersectionRatio,
        boundingClientRect: rectOf({ ...box, x: box.x - window.scrollX, y: box.y - window.scrollY }),
        intersectionRect: rectOf(inner),
        rootBounds: rectOf({ x: 0, y: 0, ...size }),
      });
    },
    (options) => [...each([options?.threshold ?? 0].flat())].toSorted((a, b) => a - b),
  );

  require('html/discarding').onDiscard(number, () => stepsOf.delete(number));
  stepsOf.set(number, (step, now) => {
    switch (step) {
      case kResize:
        if (isResized) fireAt(window, 'resize');
        isResized = false;
        break;
      case kScroll: {
        const targets = [...each(scrolled)];
        scrolled.clear();
        for (const target of each(targets)) fireAt(target, 'scroll', { bubbles: target === document });
        break;
      }
      case kMediaQueries:
        reportMediaQueries();
        break;
      case kAnimations:
        animate?.(now);
        break;
      case kResizeObservers:
        observeSizes();
        break;
      case kIntersectionObservers:
        observeIntersections();
        break;
      case kPaint:
        paints.push({ time: now, hash: hashOf(document.documentElement?.outerHTML ?? '') });
        break;
      default:
    }
  });

  for (const [name, get] of eachEntry([
    ['innerWidth', () => size.width],
    ['innerHeight', () => size.height],
    ['outerWidth', () => size.width],
    ['outerHeight', () => size.height],
  ])) {
    Object.defineProperty(window, name, { __proto__: null, configurable: true, enumerable: true, get });
  }
  let position = [0, 0];
  for (const [name, index] of eachEntry([
    ['scrollX', 0],
    ['scrollY', 1],
    ['pageXOffset', 0],
    ['pageYOffset', 1],
  ])) {
    Object.defineProperty(window, name, { __proto__: null, configurable: true, enumerable: true, get: () => position[index] });
  }
  for (const name of each(['hidden', 'visibilityState'])) {
    Object.defineProperty(document, name, {
      __proto__: null,
      configurable: true,
      get: () => (name === 'hidden' ? isHidden : isHidden ? 'hidden' : 'visible'),
    });
  }
  const scrollTo = (x, y) =>
    rendering.scroll(
      undefined,
      typeof x === 'object' ? (x.left ?? position[0]) : +x || 0,
      typeof x === 'object' ? (x.top ?? position[1]) : +y || 0,
    );
  defineAll(window, {
    matchMedia: (media) => new MediaQueryList(media),
    MediaQueryList,
    scrollTo,
    scroll: scrollTo,
    scrollBy: (x, y) => scrollTo(position[0] + x, position[1] + y),
  });
  require('html/geometry').install(window, boxes, size, () => position);
  let animate; // what a frame does for animations, once there may be some
  const makeAnimations = () => {
    animate ??= require('html/animations').install(window, number);
  };
  for (const name of each(['Animation', 'AnimationEffect', 'KeyframeEffect', 'AnimationPlaybackEvent']))
    later(window, name, makeAnimations);
  for (const name of each(['animate', 'getAnimations'])) later(window.Element.prototype, name, makeAnimations);
  for (const name of each(['timeline', 'getAnimations'])) later(window.Document.prototype, name, makeAnimations);

  const rendering = {
    paints,
    isHidden: () => isHidden,
    setHidden(hidden) {
      isHidden = hidden;
      loop.setHidden(hidden, number);
    },
    resize(width, height) {
      Object.assign(size, { width, height });
      isResized = true;
      loop.invalidate(number);
    },
    scroll(element, x, y) {
      if (element === undefined) position = [x, y];
      else Object.assign(element, { scrollLeft: x, scrollTop: y });
      scrolled.add(element ?? document);
      loop.invalidate(number);
    },
    layout(element, box) {
      boxes.set(element, { ...boxOf(element), ...box });
      loop.invalidate(number);
    },
  };
  return rendering;
}

module.exports = { install };
