// natives: none
// rondo.input: what a user does, as tasks of the user interaction source. An event that nobody listens for and that has no effect of its
// own is lost: no task is queued for it. Resizing and scrolling are told when the next frame is rendered.
'use strict';

const hidden = require('html/jsdom/hidden');
const { sources, queueTask, loop } = require('html/agents/agent');

// (target, type) → whether anything on the event's way would notice it. Functions of the library's own realm are jsdom's, which listens
// for a few types itself.
function hearing(window, implOf) {
  const global = implOf(window);
  const isOfPage = ({ callback }) => !(callback.objectReference instanceof Function);
  const listeners = (impl, type) => (impl._eventListeners?.[type] ?? []).filter(isOfPage).length;

  return (target, type) => {
    for (let at = implOf(target); at; at = at._getTheParent?.({ type }) ?? null) {
      if (listeners(at, type) > 0 || at[hidden._getEventHandlerFor]?.(type)) return true;
      if (at._hasActivationBehavior && type === 'click') return true;
    }
    return listeners(global, type) > 0 || !!window[`on${type}`];
  };
}

function install(window, implOf, rendering, cell) {
  const { document } = window;
  const elementOf = (target) => {
    const element = typeof target === 'string' ? document.querySelector(target) : (target ?? document.body);
    if (element === null) throw new window.TypeError(`rondo.input: no element matches '${target}'`);
    return element;
  };

  const isHeard = hearing(window, implOf);

  const { PerformanceEntry, add } = require('html/window/performance');
  const trusted = (event) => {
    implOf(event).isTrusted = true;
    return event;
  };

  // A click elsewhere and Escape close what is open.
  const hasEffect = (type, make) => (type === 'click' || (type === 'keydown' && make().key === 'Escape')) && toggling().hasOpen();

  function send(target, type, make) {
    const element = elementOf(target);
    if (!isHeard(element, type) && !hasEffect(type, make)) return false;
    const steps = (happened, begun) => {
      if (type === 'click') toggling().lightDismiss(element);
      const event = trusted(make());
      implOf(element)._dispatch(implOf(event), false);
      if (type === 'keydown' && event.key === 'Escape' && !event.defaultPrevented) toggling().escape();
      const ended = loop.now();
      add(new PerformanceEntry(type, 'event', happened, ended - happened, { processingStart: begun, processingEnd: ended }), cell);
    };
    loop.queueTimedTask(sources.interaction, steps);
    return true;
  }

  const toggling = () => require('html/document/toggling').of(window);
  const mouse = (type, options) => () =>
    new window.MouseEvent(type, { bubbles: true, cancelable: true, composed: true, view: window, ...options });
  const key = (type, name) => () =>
    new window.KeyboardEvent(type, { bubbles: true, cancelable: true, composed: true, view: window, key: name });

  return {
    // Each tells whether a task was queued.
    click: (target, options) => send(target, 'click', mouse('click', options)),
    mouse: (type, target, options) => send(target, type, mouse(type, options)),
    key(name, target) {
      const down = send(target, 'keydown', key('keydown', name));
      const up = send(target, 'keyup', key('keyup', name));
      return down || up;
    },
    type(text, target) {
      const field = elementOf(target);
      const letters = `${text}`.split('');
      for (const letter of each(letters)) {
        this.key(letter, field);
        queueTask(sources.interaction, () => {
          field.value += letter;
          implOf(field)._dispatch(implOf(trusted(new window.InputEvent('input', { bubbles: true, data: letter }))), false);
        });
      }
      return letters.length > 0;
    },
    event: (type, target, init) => send(target, `${type}`, () => new window.Event(type, { bubbles: true, cancelable: true, ...init })),
    scroll: (x, y, target) => rendering.scroll(target === undefined ? undefined : elementOf(target), +x || 0, +y || 0),
    resize: (width, height) => rendering.resize(+width || 0, +height || 0),
    visibility(visible) {
      const isHidden = !visible;
      if (rendering.isHidden() === isHidden) return;
      queueTask(sources.interaction, () => {
        rendering.setHidden(isHidden);
        document.dispatchEvent(trusted(new window.Event('visibilitychange', { bubbles: true })));
      });
    },
  };
}

module.exports = { install };
