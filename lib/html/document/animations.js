// natives: none
// Web Animations of a window (https://drafts.csswg.org/web-animations-1/): Element.animate, Animation, KeyframeEffect,
// document.timeline. Time passes with the frames of the loop: the rendering step "update animations and send events" starts what is
// pending and finishes what is over. There is no layout and no cascade of animations: their values are seen by commitStyles() and in
// getComputedTiming(), not in computed styles.
'use strict';

const { loop, define, checkpointIfOutermost } = require('html/agents/agent');
const { fire, eventClass } = require('html/window/events');
const { attribute } = require('html/window/handler_attribute');
const timings = require('html/document/animation_timing');
const { keyframesOf, valuesAt } = require('html/document/keyframes');

// The animations of one document, and its time.
class Timeline {
  now = loop.now();
  playing = new Set(); // those for which a frame is wanted
  all = new Set(); // those that are not idle
  events = [];
  isFrameWanted = false;

  constructor(cell) {
    this.cell = cell;
  }

  want(animation) {
    this.playing.add(animation);
    this.wantFrame();
  }
  // Animation frame callbacks come after update() in a frame: what is asked for in update() is seen to in the same frame's, and
  // asked for again.
  wantFrame() {
    if (this.isFrameWanted) return;
    this.isFrameWanted = true;
    loop.requestFrame(() => {
      this.isFrameWanted = false;
      if (this.playing.size > 0 || this.events.length > 0) this.wantFrame();
    }, this.cell);
  }

  // https://drafts.csswg.org/web-animations-1/#update-animations-and-send-events
  update(now) {
    this.now = now;
    if (this.playing.size === 0 && this.events.length === 0) return;
    for (const animation of each([...each(this.playing)])) if (!animation.tick()) this.playing.delete(animation);
    checkpointIfOutermost(); // the promises' reactions come before the events
    for (const send of each(this.events.splice(0))) send();
  }

  queueEvent(send) {
    this.events.push(send);
    this.wantFrame();
  }
}

// The state of an Animation: its times in milliseconds, null while unresolved.
class Player {
  start = null;
  hold = null;
  rate = 1;
  pending = undefined; // 'play' or 'pause'
  isFinished = false; // and has told so

  constructor(window, timeline, self) {
    this.window = window;
    this.timeline = timeline;
    this.self = self;
    this.effect = null;
    this.ready = this.settled();
    this.finished = this.promise();
  }

  promise() {
    const made = this.window.Promise.withResolvers();
    made.isSettled = false;
    return made;
  }
  settled() {
    const made = this.promise();
    made.resolve(this.self);
    made.isSettled = true;
    return made;
  }
  settle(which) {
    if (this[which].isSettled) return;
    this[which].isSettled = true;
    this[which].resolve(this.self);
  }
  refuse(which) {
    if (this[which].isSettled) return;
    promiseThen(this[which].promise, undefined, () => {}); // "set its [[PromiseIsHandled]] to true"
    this[which].isSettled = true;
    this[which].reject(new this.window.DOMException('The user aborted a request.', 'AbortError'));
  }

  get end() {
    return this.effect === null ? 0 : timings.endOf(this.effect.timing);
  }
  get time() {
    if (this.hold !== null) return this.hold;
    return this.start === null ? null : (this.timeline.now - this.start) * this.rate;
  }
  get state() {
    const { time } = this;
    if (time === null && this.pending === undefined) return 'idle';
    if (this.pending === 'pause' || (this.start === null && this.pending !== 'play')) return 'paused';
    if (time !== null && ((this.rate > 0 && time >= this.end) || (this.rate < 0 && time <= 0))) return 'finished';
    return 'running';
  }

  // In a frame; answers whether another one is wanted.
  tick() {
    if (this.pending === 'play') {
      if (this.hold !== null) {
        this.start = this.timeline.now - (this.rate === 0 ? 0 : this.hold / this.rate);
        if (this.rate !== 0) this.hold = null;
      } else {
        this.start ??= this.timeline.now;
      }
    } else if (this.pending === 'pause') {
      this.hold = this.time ?? 0;
      this.start = null;
    }
    if (this.pending !== undefined) {
      this.pending = undefined;
      this.settle('ready');
    }
    this.update();
    // One that never ends wants no frames of its own: the run may end before it.
    return this.state === 'running' && this.rate !== 0 && (this.rate < 0 || Number.isFinite(this.end));
  }

  // https://drafts.csswg.org/web-animations-1/#update-an-animations-finished-state
  update(didSeek = false) {
    if (this.start !== null && this.pending === undefined) {
      const unlimited = (this.timeline.now - this.start) * this.rate;
      if (this.rate > 0 && unlimited >= this.end) this.hold = didSeek && this.hold !== null ? this.hold : this.end;
      else if (this.rate < 0 && unlimited <= 0) this.hold = didSeek && this.hold !== null ? this.hold : 0;
      else if (this.rate !== 0) this.hold = null;
    }
    if (this.state === 'finished' && this.pending === undefined) {
      if (!this.isFinished) this.tellFinished();
    } else {
      if (this.finished.isSettled) this.finished = this.promise();
      this.isFinished = false;
    }
  }
  tellFinished() {
    this.isFinished = true;
    this.settle('finished');
    this.queue('finish');
    if (!this.isInEffect()) this.timeline.all.delete(this);
  }
  queue(type) {
    const init = { currentTime: type === 'cancel' ? null : this.time, timelineTime: this.timeline.now };
    this.timeline.queueEvent(() => fire(this.window, this.self, new this.window.AnimationPlaybackEvent(type, init)));
  }
  isInEffect() {
    return (
      this.effect !== null &&
      (this.state === 'running' || this.state === 'paused' || timings.computedAt(this.effect.timing, this.time).progress !== null)
    );
  }

  play(rewinds = true) {
    const { time, end } = this;
    if (rewinds && this.rate > 0 && (time === null || time < 0 || time >= end)) this.hold = 0;
    else if (rewinds && this.rate < 0 && (time === null || time <= 0 || time > end)) {
      if (end === Infinity) throw new this.window.DOMException('Cannot reverse an animation with an infinite end.', 'InvalidStateError');
      this.hold = end;
    } else if (this.rate === 0 && time === null) this.hold = 0;
    else if (this.start !== null && this.pending === undefined) return; // it plays
    if (this.hold !== null) this.start = null;
    this.begin('play');
  }
  pause() {
    if (this.pending === 'pause' || this.state === 'paused') return;
    if (this.time === null) this.hold = this.rate >= 0 ? 0 : this.end;
    this.begin('pause');
  }
  begin(pending) {
    if (this.pending === undefined) this.ready = this.promise();
    this.pending = pending;
    this.update();
    this.timeline.all.add(this);
    this.timeline.want(this);
  }
  seek(time) {
    if (time === null) {
      if (this.time !== null) throw new this.window.TypeError('The current time of an animation cannot be made unresolved.');
      return;
    }
    if (this.hold !== null || this.start === null || this.rate === 0) this.hold = time;
    else this.start = this.timeline.now - time / this.rate;
    if (this.pending === 'pause') {
      this.start = null;
      this.hold = time;
      this.pending = undefined;
      this.settle('ready');
    }
    this.update(true);
    if (this.start !== null) this.timeline.want(this);
  }
  finish() {
    if (this.rate === 0 || (this.rate > 0 && this.end === Infinity))
      throw new this.window.DOMException('Cannot finish an animation without an end.', 'InvalidStateError');
    const time = this.rate > 0 ? this.end : 0;
    this.hold = null;
    this.start = this.timeline.now - time / this.rate;
    if (this.pending !== undefined) {
      this.pending = undefined;
      this.settle('ready');
    }
    this.timeline.all.add(this);
    this.update(true);
  }
  cancel() {
    if (this.state !== 'idle') {
      if (this.pending !== undefined) {
        this.pending = undefined;
        this.refuse('ready');
        this.ready = this.settled();
      }
      this.refuse('finished');
      this.finished = this.promise();
      this.queue('cancel');
    }
    this.start = this.hold = null;
    this.isFinished = false;
    this.timeline.playing.delete(this);
    this.timeline.all.delete(this);
  }
}

const players = new WeakMap(); // Animation → Player
const effects = new WeakMap(); // KeyframeEffect → { target, frames, timing, options, player }

function effectClasses(window) {
  class AnimationEffect {
    constructor(key) {
      if (key !== effects) throw new window.TypeError('Illegal constructor');
    }
    getTiming() {
      return { ...effects.get(this).timing };
    }
    getComputedTiming() {
      const { timing, player } = effects.get(this);
      const { progress, currentIteration } = timings.computedAt(timing, player?.time ?? null);
      return {
        ...timing,
        duration: timings.durationOf(timing),
        fill: timing.fill === 'auto' ? 'none' : timing.fill,
        activeDuration: timings.activeDurationOf(timing),
        endTime: timings.endOf(timing),
        localTime: player?.time ?? null,
        progress,
        currentIteration,
      };
    }
    updateTiming(options = {}) {
      const effect = effects.get(this);
      effect.timing = timings.timingOf(window, options, effect.timing);
      effect.player?.update();
      if (effect.player?.state === 'running') effect.player.timeline.want(effect.player);
    }
  }
  class KeyframeEffect extends AnimationEffect {
    constructor(target, keyframes, options) {
      super(effects);
      if (target !== null && !(target instanceof window.Element))
        throw new window.TypeError("Failed to construct 'KeyframeEffect': parameter 1 is not of type 'Element'.");
      const { composite = 'replace', pseudoElement = null } = typeof options === 'object' && options !== null ? options : {};
      effects.set(this, {
        target,
        frames: keyframesOf(window, keyframes),
        timing: timings.timingOf(window, options),
        composite,
        pseudoElement,
        player: undefined,
      });
    }
    get target() {
      return effects.get(this).target;
    }
    set target(value) {
      effects.get(this).target = value;
    }
    get pseudoElement() {
      return effects.get(this).pseudoElement;
    }
    get composite() {
      return effects.get(this).composite;
    }
    getKeyframes() {
      return effects.get(this).frames.map((frame) => ({ ...frame }));
    }
    setKeyframes(keyframes) {
      effects.get(this).frames = keyframesOf(window, keyframes);
    }
  }
  return { AnimationEffect, KeyframeEffect };
}

function startAt(timeline, player, value) {
  player.hold = value === null ? player.time : null;
  player.start = value;
  player.pending = undefined;
  player.settle('ready');
  player.update(true);
  if (value !== null) {
    timeline.all.add(player);
    timeline.want(player);
  }
}

function setRate(player, rate) {
  const { time } = player;
  player.rate = rate;
  if (time !== null) player.seek(time);
}

function reverse(player) {
  const { time } = player;
  player.rate = -player.rate;
  if (time !== null && player.start !== null) {
    player.hold = time;
    player.start = null;
  }
  player.play();
}

// https://drafts.csswg.org/web-animations-1/#dom-animation-commitstyles
function commit(window, { effect, time }) {
  if (effect?.target?.style === undefined)
    throw new window.DOMException('The target has no style attribute.', 'NoModificationAllowedError');
  const { progress } = timings.computedAt(
    { ...effect.timing, fill: effect.timing.fill === 'auto' ? 'forwards' : effect.timing.fill },
    time,
  );
  if (progress === null) return;
  const style = window.getComputedStyle(effect.target);
  for (const [name, value] of eachEntry(valuesAt(effect.frames, progress, (key) => style[key] ?? ''))) effect.target.style[name] = value;
}

function animationClass(window, timeline) {
  class Animation extends window.EventTarget {
    constructor(effect = null) {
      super();
      players.set(this, new Player(window, timeline, this));
      this.effect = effect;
      define(this, 'id', '');
    }
    get effect() {
      return players.get(this).effect?.self ?? null;
    }
    set effect(value) {
      const player = players.get(this);
      if (player.effect !== null) player.effect.player = undefined;
      player.effect = value === null ? null : Object.assign(effects.get(value), { self: value, player });
    }
    get timeline() {
      return window.document.timeline;
    }
    get startTime() {
      return players.get(this).start;
    }
    set startTime(value) {
      startAt(timeline, players.get(this), value);
    }
    get currentTime() {
      return players.get(this).time;
    }
    set currentTime(value) {
      players.get(this).seek(value === null ? null : +value);
    }
    get playbackRate() {
      return players.get(this).rate;
    }
    set playbackRate(value) {
      setRate(players.get(this), +value);
    }
    updatePlaybackRate(value) {
      this.playbackRate = value;
    }
    get playState() {
      return players.get(this).state;
    }
    get pending() {
      return players.get(this).pending !== undefined;
    }
    get replaceState() {
      return 'active';
    }
    get ready() {
      return players.get(this).ready.promise;
    }
    get finished() {
      return players.get(this).finished.promise;
    }
    play() {
      players.get(this).play();
    }
    pause() {
      players.get(this).pause();
    }
    finish() {
      players.get(this).finish();
    }
    cancel() {
      players.get(this).cancel();
    }
    reverse() {
      reverse(players.get(this));
    }
    persist() {}
    commitStyles() {
      commit(window, players.get(this));
    }
  }
  for (const type of each(['finish', 'cancel', 'remove'])) attribute(Animation.prototype, type);
  return Animation;
}

// Puts the interfaces on the window, and the methods on its elements and document; answers what each frame calls.
function install(window, cell) {
  const timeline = new Timeline(cell);
  const documentTimeline = {
    get currentTime() {
      return timeline.now;
    },
  };
  define(documentTimeline, Symbol.toStringTag, 'DocumentTimeline', false);
  const classes = { ...effectClasses(window), Animation: animationClass(window, timeline) };
  classes.AnimationPlaybackEvent = eventClass(window, 'AnimationPlaybackEvent', { currentTime: null, timelineTime: null });
  for (const name of each(Object.keys(classes))) {
    if (name !== 'AnimationPlaybackEvent') define(classes[name].prototype, Symbol.toStringTag, name, false);
    define(window, name, classes[name], false);
    require('html/window/own_realm').adopt(window, classes[name]);
  }
  const listOf = (isWanted) =>
    window.Array.from(
      [...each(timeline.all)].filter((player) => isWanted(player.effect?.target) && player.isInEffect()).map(({ self }) => self),
    );
  Object.defineProperty(window.Document.prototype, 'timeline', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => documentTimeline,
  });
  define(window.Document.prototype, 'getAnimations', function getAnimations() {
    return listOf((target) => target?.ownerDocument === this && target.isConnected);
  });
  define(window.Element.prototype, 'getAnimations', function getAnimations(options) {
    return listOf((target) => target === this || (!!options?.subtree && this.contains(target ?? null)));
  });
  define(window.Element.prototype, 'animate', function animate(keyframes, options) {
    const animation = new classes.Animation(new classes.KeyframeEffect(this, keyframes, options));
    if (options?.id !== undefined) animation.id = `${options.id}`;
    animation.play();
    return animation;
  });
  return (now) => timeline.update(now);
}

module.exports = { install };
