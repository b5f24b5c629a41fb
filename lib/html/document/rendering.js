// natives: none
// The steps of "update the rendering" that need a document: resize and scroll events, media queries, ResizeObserver, IntersectionObserver
// and paint. There is no layout engine: the window's size and each element's box are what the page's author has said
// (rondo.input.resize, rondo.layout). A paint is a record with the time and a hash of what the document looks like.
'use strict';

const { loop, callScript, define, defineAll, later } = require('html/agents/agent');

const { kRenderHook, kResize, kScroll, kMediaQueries, kAnimations, kResizeObservers, kIntersectionObservers, kPaint } = loop;

function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

// The steps of each document, by its cell.
const stepsOf = new Map();
loop.setHook(kRenderHook, (step, now, cell) => {
  stepsOf.get(cell)?.(step, now);
});

const kNowhere = { x: 0, y: 0, width: 0, height: 0 };
const rectOf = ({ x, y, width, height }) => ({ x, y, width, height, top: y, left: x, right: x + width, bottom: y + height });

// https://drafts.csswg.org/cssom-view/#mediaquerylist: widths and heights in px. { MediaQueryList, report() }
function mediaQueries(window, size) {
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
  require('html/window/handler_attribute').attribute(MediaQueryList.prototype, 'change');

  function report() {
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
  return { MediaQueryList, report };
}

// Defines an observer of elements' boxes on the window; answers what a frame calls. collect(state, target, last) adds records.
function defineObserver(window, cell, name, collect, thresholdsOf) {
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
        loop.invalidate(cell);
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
  require('html/window/own_realm').adopt(window, made);
  return () => {
    for (const state of each(states)) {
      for (const [target, last] of eachEntry([...each(state.targets)])) collect(state, target, last);
      const records = state.records.splice(0);
      if (records.length > 0) callScript(state.callback, state.self, [records, state.self]);
    }
  };
}

function defineResizeObserver(window, cell, boxOf) {
  return defineObserver(window, cell, 'ResizeObserver', (state, target, last) => {
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
}

function defineIntersectionObserver(window, cell, boxOf, size) {
  const thresholdsOf = (options) => [...each([options?.threshold ?? 0].flat())].toSorted((a, b) => a - b);
  const collect = (state, target, last) => {
    const box = boxOf(target);
    const left = Math.max(box.x - window.scrollX, 0),
      top = Math.max(box.y - window.scrollY, 0);
    const right = Math.min(box.x - window.scrollX + box.width, size.width),
      bottom = Math.min(box.y - window.scrollY + box.height, size.height);
    const isIntersecting = right >= left && bottom >= top && target.isConnected;
    const area = box.width * box.height;
    const inner = isIntersecting ? { x: left, y: top, width: right - left, height: bottom - top } : kNowhere;
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
  };
  return defineObserver(window, cell, 'IntersectionObserver', collect, thresholdsOf);
}

const getter = (target, name, get, enumerable = true) =>
  Object.defineProperty(target, name, { __proto__: null, configurable: true, enumerable, get });

// Sizes, scrolling and media queries of the window, by its Rendering.
function defineView(window, rendering, MediaQueryList) {
  const { size } = rendering;
  for (const name of each(['innerWidth', 'outerWidth'])) getter(window, name, () => size.width);
  for (const name of each(['innerHeight', 'outerHeight'])) getter(window, name, () => size.height);
  for (const name of each(['scrollX', 'pageXOffset'])) getter(window, name, () => rendering.position[0]);
  for (const name of each(['scrollY', 'pageYOffset'])) getter(window, name, () => rendering.position[1]);
  getter(window.document, 'hidden', () => rendering.isHidden(), false);
  getter(window.document, 'visibilityState', () => (rendering.isHidden() ? 'hidden' : 'visible'), false);
  const scrollTo = (x, y) =>
    rendering.scroll(
      undefined,
      typeof x === 'object' ? (x.left ?? rendering.position[0]) : +x || 0,
      typeof x === 'object' ? (x.top ?? rendering.position[1]) : +y || 0,
    );
  // https://drafts.csswg.org/cssom-view/#dom-element-scroll: without a layout every position can be reached.
  const scrollElement = (element, isRelative, x, y) => {
    const { scrollLeft: left, scrollTop: top } = element;
    const given = typeof x === 'object' && x !== null ? [x.left, x.top] : [x, y];
    const to = (now, value) => (value === undefined ? now : (isRelative ? now : 0) + (+value || 0));
    rendering.scroll(element, to(left, given[0]), to(top, given[1]));
  };
  for (const [name, isRelative] of eachEntry([
    ['scroll', false],
    ['scrollTo', false],
    ['scrollBy', true],
  ])) {
    define(
      window.Element.prototype,
      name,
      {
        [name](x, y) {
          scrollElement(this, isRelative, x, y);
        },
      }[name],
    );
  }
  defineAll(window, {
    matchMedia: (media) => new MediaQueryList(media),
    MediaQueryList,
    scrollTo,
    scroll: scrollTo,
    scrollBy: (x, y) => scrollTo(rendering.position[0] + x, rendering.position[1] + y),
  });
}

// The rendering of one document: sizes, boxes and scroll positions as rondo.input and rondo.layout give them, and the steps of a frame.
class Rendering {
  #window;
  #cell;
  #boxes = new WeakMap(); // element → { x, y, width, height }
  #isResized = false;
  #isHidden = false;
  #scrolled = new Set();
  #steps;
  size = { width: 1024, height: 768 };
  position = [0, 0];
  paints = [];
  animate; // what a frame does for animations, once there may be some

  constructor(window, cell) {
    this.#window = window;
    this.#cell = cell;
    const boxOf = (element) => this.#boxOf(element);
    const { MediaQueryList, report } = mediaQueries(window, this.size);
    this.#steps = {
      reportMediaQueries: report,
      observeSizes: defineResizeObserver(window, cell, boxOf),
      observeIntersections: defineIntersectionObserver(window, cell, boxOf, this.size),
    };
    defineView(window, this, MediaQueryList);
    require('html/document/geometry').install(window, this.#boxes, this.size, () => this.position);
  }

  #boxOf(element) {
    return this.#boxes.get(element) ?? kNowhere;
  }
  #fireAt(target, type, init) {
    target.dispatchEvent(new this.#window.Event(type, init));
  }

  // One step of "update the rendering".
  run(step, now) {
    const { document } = this.#window;
    switch (step) {
      case kResize:
        if (this.#isResized) this.#fireAt(this.#window, 'resize');
        this.#isResized = false;
        break;
      case kScroll: {
        const targets = [...each(this.#scrolled)];
        this.#scrolled.clear();
        for (const target of each(targets)) this.#fireAt(target, 'scroll', { bubbles: target === document });
        break;
      }
      case kMediaQueries:
        this.#steps.reportMediaQueries();
        break;
      case kAnimations:
        this.animate?.(now);
        break;
      case kResizeObservers:
        this.#steps.observeSizes();
        break;
      case kIntersectionObservers:
        this.#steps.observeIntersections();
        break;
      case kPaint:
        this.paints.push({ time: now, hash: hashOf(document.documentElement?.outerHTML ?? '') });
        break;
      default:
    }
  }

  isHidden() {
    return this.#isHidden;
  }
  setHidden(hidden) {
    this.#isHidden = hidden;
    loop.setHidden(hidden, this.#cell);
  }
  resize(width, height) {
    Object.assign(this.size, { width, height });
    this.#isResized = true;
    loop.invalidate(this.#cell);
  }
  scroll(element, x, y) {
    if (element === undefined) this.position = [x, y];
    else Object.assign(element, { scrollLeft: x, scrollTop: y });
    this.#scrolled.add(element ?? this.#window.document);
    loop.invalidate(this.#cell);
  }
  layout(element, box) {
    this.#boxes.set(element, { ...this.#boxOf(element), ...box });
    loop.invalidate(this.#cell);
  }
}

function install(window, cell) {
  const rendering = new Rendering(window, cell);
  require('html/agents/discarding').onDiscard(cell, () => stepsOf.delete(cell));
  stepsOf.set(cell, (step, now) => rendering.run(step, now));
  const makeAnimations = () => {
    rendering.animate ??= require('html/document/animations').install(window, cell);
  };
  for (const name of each(['Animation', 'AnimationEffect', 'KeyframeEffect', 'AnimationPlaybackEvent']))
    later(window, name, makeAnimations);
  for (const name of each(['animate', 'getAnimations'])) later(window.Element.prototype, name, makeAnimations);
  for (const name of each(['timeline', 'getAnimations'])) later(window.Document.prototype, name, makeAnimations);
  return rendering;
}

module.exports = { install };
