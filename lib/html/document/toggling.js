// natives: none
// Dialogs and popovers (https://html.spec.whatwg.org/#the-dialog-element, #the-popover-attribute): shown and hidden by code, by
// buttons that name them, by forms with method=dialog, by Escape and by a click elsewhere (html/document/input). What would be in the top
// layer is only known as open: nothing is painted.
'use strict';

const { sources, queueTask, define } = require('html/agents/agent');
const { fire } = require('html/window/events');
const pack = require('html/jsdom/pack');
const { patch } = require('html/jsdom/patches');
const kPopoverStates = ['auto', 'manual', 'hint'];
const kFocusable = '[autofocus], button, input:not([type=hidden]), select, textarea, a[href], [tabindex]';

const states = new WeakMap(); // a window's document → { modals, popovers }: what is open, the oldest first
function stateOf(document) {
  if (!states.has(document)) states.set(document, { modals: [], popovers: [] });
  return states.get(document);
}
const dialogs = new WeakMap(); // dialog → { returnValue, isModal, before: element that had the focus }
function dialogOf(element) {
  if (!dialogs.has(element)) dialogs.set(element, { returnValue: '', isModal: false, before: null });
  return dialogs.get(element);
}
const popovers = new WeakMap(); // popover → { before, toggling }

function remove(list, item) {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}

// https://html.spec.whatwg.org/#dom-popover
function popoverState(element) {
  const value = element.getAttribute('popover')?.toLowerCase();
  return value === undefined ? null : value === '' ? 'auto' : kPopoverStates.includes(value) ? value : 'manual';
}

// An open popover of which `element` is a part, or whose button it is in.
function isAncestor(popover, element, source) {
  return popover !== element && (popover.contains(element) || (source !== null && popover.contains(source)));
}

// Dialogs and popovers of one window.
class Toggling {
  #window;
  #document;
  #cell; // of the document
  #queued = new WeakMap(); // element → { oldState, newState } of a toggle event that waits

  constructor(window, cell) {
    this.#window = window;
    this.#document = window.document;
    this.#cell = cell;
  }

  #invalidState(message) {
    return new this.#window.DOMException(message, 'InvalidStateError');
  }

  // The event before, at once, which may be prevented when something opens; the one after, as a task that tells the first and the
  // last state.
  #beforeToggle(element, oldState, newState, source) {
    return fire(
      this.#window,
      element,
      new this.#window.ToggleEvent('beforetoggle', { oldState, newState, source, cancelable: newState === 'open' }),
    );
  }
  #queueToggle(element, oldState, newState, source) {
    const waiting = this.#queued.get(element);
    this.#queued.set(element, { oldState: waiting?.oldState ?? oldState, newState, source });
    if (waiting !== undefined) return;
    queueTask(
      sources.dom,
      () => {
        const init = this.#queued.get(element);
        this.#queued.delete(element);
        fire(this.#window, element, new this.#window.ToggleEvent('toggle', init));
      },
      this.#cell,
    );
  }

  // https://html.spec.whatwg.org/#dialog-focusing-steps, as far as focus can be told without layout
  #focusIn(element) {
    const wanted =
      element.querySelector('[autofocus]') ?? [...each(element.querySelectorAll(kFocusable))].find((candidate) => !candidate.disabled);
    if (wanted !== undefined && wanted !== null) wanted.focus();
    else this.#document.activeElement?.blur?.();
  }

  #show(dialog, isModal) {
    if (!this.#beforeToggle(dialog, 'closed', 'open', null) || dialog.open) return;
    this.#queueToggle(dialog, 'closed', 'open', null);
    dialog.setAttribute('open', '');
    Object.assign(dialogOf(dialog), { isModal, before: this.#document.activeElement });
    if (isModal) stateOf(this.#document).modals.push(dialog);
    this.#hideAllPopovers(null, false);
    this.#focusIn(dialog);
  }

  // https://html.spec.whatwg.org/#close-the-dialog
  close(dialog, result) {
    if (!dialog.open) return;
    this.#beforeToggle(dialog, 'open', 'closed', null);
    if (!dialog.open) return;
    this.#queueToggle(dialog, 'open', 'closed', null);
    dialog.removeAttribute('open');
    const state = dialogOf(dialog);
    remove(stateOf(this.#document).modals, dialog);
    if (result !== undefined && result !== null) state.returnValue = `${result}`;
    const { before, isModal } = state;
    Object.assign(state, { isModal: false, before: null });
    if (before !== null && (isModal || dialog.contains(this.#document.activeElement))) before.focus?.();
    queueTask(sources.interaction, () => fire(this.#window, dialog, new this.#window.Event('close')), this.#cell);
  }
  #requestClose(dialog, result) {
    if (dialog.open && fire(this.#window, dialog, new this.#window.Event('cancel', { cancelable: true }))) this.close(dialog, result);
  }

  installDialogs() {
    const toggling = this;
    const { prototype } = this.#window.HTMLDialogElement;
    const methods = {
      show() {
        if (this.open && !dialogOf(this).isModal) return;
        if (this.open)
          throw toggling.#invalidState("Failed to execute 'show' on 'HTMLDialogElement': The dialog is already open as modal.");
        toggling.#show(this, false);
      },
      showModal() {
        if (this.open && dialogOf(this).isModal) return;
        if (this.open)
          throw toggling.#invalidState("Failed to execute 'showModal' on 'HTMLDialogElement': The dialog is already open as non-modal.");
        if (!this.isConnected)
          throw toggling.#invalidState("Failed to execute 'showModal' on 'HTMLDialogElement': The element is not in a Document.");
        if (toggling.isOpenPopover(this))
          throw toggling.#invalidState("Failed to execute 'showModal' on 'HTMLDialogElement': The dialog is already open as a Popover.");
        toggling.#show(this, true);
      },
      close(result) {
        toggling.close(this, result);
      },
      requestClose(result) {
        toggling.#requestClose(this, result);
      },
    };
    for (const name of each(Object.keys(methods))) define(prototype, name, methods[name]);
    Object.defineProperty(prototype, 'returnValue', {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get() {
        return dialogOf(this).returnValue;
      },
      set(value) {
        dialogOf(this).returnValue = `${value}`;
      },
    });
  }

  isOpenPopover(element) {
    return stateOf(this.#document).popovers.includes(element);
  }

  #checkPopover(element, isShowing) {
    const name = isShowing ? 'showPopover' : 'hidePopover';
    if (popoverState(element) === null)
      throw new this.#window.DOMException(
        `Failed to execute '${name}' on 'HTMLElement': ` +
          "Not supported on elements that do not have a valid value for the 'popover' attribute.",
        'NotSupportedError',
      );
    if (isShowing && !element.isConnected)
      throw this.#invalidState(`Failed to execute '${name}' on 'HTMLElement': Invalid on popover elements which aren't connected.`);
    if (isShowing && element.localName === 'dialog' && element.open)
      throw this.#invalidState(`Failed to execute '${name}' on 'HTMLElement': The dialog is already open.`);
  }

  #showPopover(element, source = null) {
    this.#checkPopover(element, true);
    if (this.isOpenPopover(element)) return;
    if (!this.#beforeToggle(element, 'closed', 'open', source)) return;
    if (popoverState(element) === null || !element.isConnected || this.isOpenPopover(element)) return;
    if (popoverState(element) !== 'manual') {
      this.#hideAllPopovers(
        (open) => isAncestor(open, element, source) || (popoverState(element) === 'hint' && popoverState(open) === 'auto'),
        true,
      );
    }
    popovers.set(element, { before: this.#document.activeElement, source });
    stateOf(this.#document).popovers.push(element);
    const autofocus = element.hasAttribute('autofocus') ? element : element.querySelector('[autofocus]');
    autofocus?.focus();
    this.#queueToggle(element, 'closed', 'open', source);
  }

  #hidePopover(element, tells = true) {
    if (!this.isOpenPopover(element)) return;
    // Those opened from within it go first.
    const { popovers: open } = stateOf(this.#document);
    for (const inner of each(open.slice(open.indexOf(element) + 1).toReversed()))
      if (isAncestor(element, inner, popovers.get(inner)?.source ?? null)) this.#hidePopover(inner, tells);
    if (tells) this.#beforeToggle(element, 'open', 'closed', null);
    if (!this.isOpenPopover(element)) return;
    remove(open, element);
    const { before } = popovers.get(element);
    if (element.contains(this.#document.activeElement)) before?.focus?.();
    if (tells) this.#queueToggle(element, 'open', 'closed', null);
  }

  // All but manual ones, the newest first; `isKept` may spare some.
  #hideAllPopovers(isKept, tells = true) {
    for (const open of each(stateOf(this.#document).popovers.toReversed())) {
      if (popoverState(open) !== 'manual' && !isKept?.(open)) this.#hidePopover(open, tells);
    }
  }

  installPopovers() {
    const toggling = this;
    const { prototype } = this.#window.HTMLElement;
    Object.defineProperty(prototype, 'popover', {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get() {
        return popoverState(this);
      },
      set(value) {
        if (value === null || value === undefined) this.removeAttribute('popover');
        else this.setAttribute('popover', `${value}`);
      },
    });
    const methods = {
      showPopover(options) {
        toggling.#showPopover(this, options?.source ?? null);
      },
      hidePopover() {
        toggling.#checkPopover(this, false);
        toggling.#hidePopover(this);
      },
      togglePopover(options) {
        const force = typeof options === 'boolean' ? options : options?.force;
        const isOpen = toggling.isOpenPopover(this);
        if (isOpen && force !== true) this.hidePopover();
        else if (!isOpen && force !== false) toggling.#showPopover(this, options?.source ?? null);
        else toggling.#checkPopover(this, !isOpen);
        return toggling.isOpenPopover(this);
      },
    };
    for (const name of each(Object.keys(methods))) define(prototype, name, methods[name]);
    for (const type of each(['beforetoggle', 'toggle']))
      if (!(`on${type}` in prototype)) require('html/window/handler_attribute').attribute(prototype, type);
  }

  // https://html.spec.whatwg.org/#popover-target-attribute-activation-behavior, and command/commandfor for dialogs and popovers
  activate(button) {
    const id = button.getAttribute('popovertarget') ?? button.getAttribute('commandfor');
    const target = id === null ? null : this.#document.getElementById(id);
    if (target === null || button.disabled) return;
    const command = button.hasAttribute('popovertarget')
      ? `${button.getAttribute('popovertargetaction') ?? 'toggle'}-popover`
      : (button.getAttribute('command') ?? '');
    const isOpen = this.isOpenPopover(target);
    if (command === 'show-modal' && !target.open) target.showModal?.();
    else if (command === 'close') target.close?.(button.getAttribute('value') ?? undefined);
    else if (command === 'request-close') target.requestClose?.(button.getAttribute('value') ?? undefined);
    else if (popoverState(target) === null) return;
    else if (isOpen && /^(hide|toggle)-popover$/.test(command)) this.#hidePopover(target);
    else if (!isOpen && /^(show|toggle)-popover$/.test(command)) this.#showPopover(target, button);
  }

  isModal(element) {
    return dialogs.get(element)?.isModal === true;
  }
  hasOpen() {
    const { modals, popovers: open } = stateOf(this.#document);
    return modals.length > 0 || open.some((element) => popoverState(element) !== 'manual');
  }
  // A user's Escape: the newest that can be closed.
  escape() {
    const { modals, popovers: open } = stateOf(this.#document);
    const popover = open.findLast((element) => popoverState(element) !== 'manual');
    if (popover !== undefined) this.#hidePopover(popover);
    else if (modals.length > 0) this.#requestClose(modals.at(-1), undefined);
  }
  // A user's click: popovers that it is not in are hidden.
  lightDismiss(target) {
    this.#hideAllPopovers((open) => open.contains(target) || popovers.get(open)?.source?.contains(target));
  }
  // An element that leaves the document.
  removed(element) {
    remove(stateOf(this.#document).modals, element);
    this.#hidePopover(element, false);
  }
}

const installed = new WeakMap(); // jsdom's global → its Toggling
function of(window) {
  const global = require('html/document/document').globalOf(window);
  if (!installed.has(global)) installed.set(global, new Toggling(global._globalProxy, require('html/document/document').cellOf(global)));
  return installed.get(global);
}

// jsdom's elements: forms whose method is dialog close theirs, buttons toggle what they name.
function extendElements() {
  const { wrapperForImpl } = pack.load('jsdom/lib/generated/idl/utils.js');
  const togglingOf = (impl) => (impl._ownerDocument._defaultView ? of(impl._ownerDocument._defaultView) : undefined);
  const submitDialogs = (submit) =>
    function (submitter) {
      const isDialog = (submitter?.getAttributeNS?.(null, 'formmethod') ?? this.getAttributeNS(null, 'method'))?.toLowerCase() === 'dialog';
      if (!isDialog) return Reflect.apply(submit, this, [submitter]);
      const dialog = wrapperForImpl(this).closest('dialog');
      if (dialog !== null) togglingOf(this)?.close(dialog, submitter?.getAttributeNS?.(null, 'value') ?? undefined);
      return undefined;
    };
  patch('form: submit', submitDialogs);
  // For the selectors :popover-open and :modal.
  const asking = (question) => () =>
    function () {
      return togglingOf(this)?.[question](wrapperForImpl(this)) ?? false;
    };
  patch('element: is an open popover', asking('isOpenPopover'));
  patch('element: is modal', asking('isModal'));
  const hideRemoved = (removing) =>
    function (...args) {
      Reflect.apply(removing, this, args);
      if (this._localName === 'dialog' || this.hasAttributeNS(null, 'popover')) togglingOf(this)?.removed(wrapperForImpl(this));
    };
  patch('element: removed', hideRemoved);
  const toggleTargets = (activate) =>
    function (...args) {
      Reflect.apply(activate, this, args);
      if (this.hasAttributeNS(null, 'popovertarget') || this.hasAttributeNS(null, 'commandfor'))
        togglingOf(this)?.activate(wrapperForImpl(this));
    };
  patch('button: activated', toggleTargets);
  // https://html.spec.whatwg.org/#details-notification-task-steps
  const toggleDetails = (dispatch) =>
    function () {
      const window = this._ownerDocument._defaultView?._globalProxy;
      if (window === undefined) return Reflect.apply(dispatch, this, []);
      this._taskQueue = null;
      const isOpen = this.hasAttributeNS(null, 'open');
      const states = { oldState: isOpen ? 'closed' : 'open', newState: isOpen ? 'open' : 'closed' };
      return fire(window, wrapperForImpl(this), new window.ToggleEvent('toggle', states));
    };
  patch('details: toggled', toggleDetails);
}

module.exports = { of, extendElements };
