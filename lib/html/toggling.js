// natives: none
// Dialogs and popovers (https://html.spec.whatwg.org/#the-dialog-element, #the-popover-attribute): shown and hidden by code, by buttons
// that name them, by forms with method=dialog, by Escape and by a click elsewhere (html/input). What would be in the top layer is only
// known as open: nothing is painted.
'use strict';

const { sources, queueTask, define } = require('html/agent');
const { fire } = require('html/events');
const pack = require('html/pack');

const kJsdom = 'jsdom/lib/jsdom';
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

function install(window, number) {
  const { document } = window;
  const invalidState = (message) => new window.DOMException(message, 'InvalidStateError');
  const toggleEvent = (type, init) => new window.ToggleEvent(type, init);

  // The event before, at once, which may be prevented when something opens; the one after, as a task that tells the first and the last
  // state.
  const queued = new WeakMap(); // element → { oldState, newState }
  function beforeToggle(element, oldState, newState, source) {
    return fire(window, element, toggleEvent('beforetoggle', { oldState, newState, source, cancelable: newState === 'open' }));
  }
  function queueToggle(element, oldState, newState, source) {
    const waiting = queued.get(element);
    queued.set(element, { oldState: waiting?.oldState ?? oldState, newState, source });
    if (waiting !== undefined) return;
    queueTask(
      sources.dom,
      () => {
        const init = queued.get(element);
        queued.delete(element);
        fire(window, element, toggleEvent('toggle', init));
      },
      number,
    );
  }

  // https://html.spec.whatwg.org/#dialog-focusing-steps, as far as focus can be told without layout
  function focusIn(element) {
    const wanted =
      element.querySelector('[autofocus]') ?? [...each(element.querySelectorAll(kFocusable))].find((candidate) => !candidate.disabled);
    if (wanted !== undefined && wanted !== null) wanted.focus();
    else document.activeElement?.blur?.();
  }

  function show(dialog, isModal) {
    if (!beforeToggle(dialog, 'closed', 'open', null) || dialog.open) return;
    queueToggle(dialog, 'closed', 'open', null);
    dialog.setAttribute('open', '');
    Object.assign(dialogOf(dialog), { isModal, before: document.activeElement });
    if (isModal) stateOf(document).modals.push(dialog);
    hideAllPopovers(null, false);
    focusIn(dialog);
  }

  // https://html.spec.whatwg.org/#close-the-dialog
  function close(dialog, result) {
    if (!dialog.open) return;
    beforeToggle(dialog, 'open', 'closed', null);
    if (!dialog.open) return;
    queueToggle(dialog, 'open', 'closed', null);
    dialog.removeAttribute('open');
    const state = dialogOf(dialog);
    remove(stateOf(document).modals, dialog);
    if (result !== undefined && result !== null) state.returnValue = `${result}`;
    const { before, isModal } = state;
    Object.assign(state, { isModal: false, before: null });
    if (before !== null && (isModal || dialog.contains(document.activeElement))) before.focus?.();
    queueTask(sources.interaction, () => fire(window, dialog, new window.Event('close')), number);
  }
  function requestClose(dialog, result) {
    if (dialog.open && fire(window, dialog, new window.Event('cancel', { cancelable: true }))) close(dialog, result);
  }

  function installDialogs() {
    const { prototype } = window.HTMLDialogElement;
    const methods = {
      show() {
        if (this.open && !dialogOf(this).isModal) return;
        if (this.open) throw invalidState("Failed to execute 'show' on 'HTMLDialogElement': The dialog is already open as modal.");
        show(this, false);
      },
      showModal() {
        if (this.open && dialogOf(this).isModal) return;
        if (this.open) throw invalidState("Failed to execute 'showModal' on 'HTMLDialogElement': The dialog is already open as non-modal.");
        if (!this.isConnected)
          throw invalidState("Failed to execute 'showModal' on 'HTMLDialogElement': The element is not in a Document.");
        if (isOpenPopover(this))
          throw invalidState("Failed to execute 'showModal' on 'HTMLDialogElement': The dialog is already open as a Popover.");
        show(this, true);
      },
      close(result) {
        close(this, result);
      },
      requestClose(result) {
        requestClose(this, result);
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

  // https://html.spec.whatwg.org/#dom-popover
  const popoverState = (element) => {
    const value = element.getAttribute('popover')?.toLowerCase();
    return value === undefined ? null : value === '' ? 'auto' : kPopoverStates.includes(value) ? value : 'manual';
  };
  const isOpenPopover = (element) => stateOf(document).popovers.includes(element);

  function checkPopover(element, isShowing) {
    const name = isShowing ? 'showPopover' : 'hidePopover';
    if (popoverState(element) === null)
      throw new window.DOMException(
        `Failed to execute '${name}' on 'HTMLElement': ` +
          `Not supported on elements that do not have a valid value for the 'popover' attribute.`,
        'NotSupportedError',
      );
    if (isShowing && !element.isConnected)
      throw invalidState(`Failed to execute '${name}' on 'HTMLElement': Invalid on popover elements which aren't connected.`);
    if (isShowing && element.localName === 'dialog' && element.open)
      throw invalidState(`Failed to execute '${name}' on 'HTMLElement': The dialog is already open.`);
  }

  // An open popover of which `element` is a part, or whose button it is in.
  function isAncestor(popover, element, source) {
    return popover !== element && (popover.contains(element) || (source !== null && popover.contains(source)));
  }

  function showPopover(element, source = null) {
    checkPopover(element, true);
    if (isOpenPopover(element)) return;
    if (!beforeToggle(element, 'closed', 'open', source)) return;
    if (popoverState(element) === null || !element.isConnected || isOpenPopover(element)) return;
    if (popoverState(element) !== 'manual') {
      hideAllPopovers(
        (open) => isAncestor(open, element, source) || (popoverState(element) === 'hint' && popoverState(open) === 'auto'),
        true,
      );
    }
    popovers.set(element, { before: document.activeElement, source });
    stateOf(document).popovers.push(element);
    const autofocus = element.hasAttribute('autofocus') ? element : element.querySelector('[autofocus]');
    autofocus?.focus();
    queueToggle(element, 'closed', 'open', source);
  }

  function hidePopover(element, tells = true) {
    if (!isOpenPopover(element)) return;
    // Those opened from within it go first.
    const { popovers: open } = stateOf(document);
    for (const inner of each(open.slice(open.indexOf(element) + 1).toReversed()))
      if (isAncestor(element, inner, popovers.get(inner)?.source ?? null)) hidePopover(inner, tells);
    if (tells) beforeToggle(element, 'open', 'closed', null);
    if (!isOpenPopover(element)) return;
    remove(open, element);
    const { before } = popovers.get(element);
    if (element.contains(document.activeElement)) before?.focus?.();
    if (tells) queueToggle(element, 'open', 'closed', null);
  }

  // All but manual ones, the newest first; `isKept` may spare some.
  function hideAllPopovers(isKept, tells = true) {
    for (const open of each(stateOf(document).popovers.toReversed())) {
      if (popoverState(open) !== 'manual' && !isKept?.(open)) hidePopover(open, tells);
    }
  }

  function installPopovers() {
    const { prototype } = window.HTMLElement;
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
        showPopover(this, options?.source ?? null);
      },
      hidePopover() {
        checkPopover(this, false);
        hidePopover(this);
      },
      togglePopover(options) {
        const force = typeof options === 'boolean' ? options : options?.force;
        const isOpen = isOpenPopover(this);
        if (isOpen && force !== true) this.hidePopover();
        else if (!isOpen && force !== false) showPopover(this, options?.source ?? null);
        else checkPopover(this, !isOpen);
        return isOpenPopover(this);
      },
    };
    for (const name of each(Object.keys(methods))) define(prototype, name, methods[name]);
    for (const type of each(['beforetoggle', 'toggle']))
      if (!(`on${type}` in prototype)) require('html/messaging').attribute(prototype, type);
  }

  // https://html.spec.whatwg.org/#popover-target-attribute-activation-behavior, and command/commandfor for dialogs and popovers
  function activate(button) {
    const id = button.getAttribute('popovertarget') ?? button.getAttribute('commandfor');
    const target = id === null ? null : document.getElementById(id);
    if (target === null || button.disabled) return;
    const command = button.hasAttribute('popovertarget')
      ? `${button.getAttribute('popovertargetaction') ?? 'toggle'}-popover`
      : (button.getAttribute('command') ?? '');
    const isOpen = isOpenPopover(target);
    if (command === 'show-modal' && !target.open) target.showModal?.();
    else if (command === 'close') target.close?.(button.getAttribute('value') ?? undefined);
    else if (command === 'request-close') target.requestClose?.(button.getAttribute('value') ?? undefined);
    else if (popoverState(target) === null) return;
    else if (isOpen && /^(hide|toggle)-popover$/.test(command)) hidePopover(target);
    else if (!isOpen && /^(show|toggle)-popover$/.test(command)) showPopover(target, button);
  }

  return {
    installDialogs,
    installPopovers,
    activate,
    close,
    isModal: (element) => dialogs.get(element)?.isModal === true,
    isOpenPopover,
    hasOpen: () => stateOf(document).modals.length > 0 || stateOf(document).popovers.some((element) => popoverState(element) !== 'manual'),
    // A user's Escape: the newest that can be closed.
    escape() {
      const { modals, popovers: open } = stateOf(document);
      const popover = open.findLast((element) => popoverState(element) !== 'manual');
      if (popover !== undefined) hidePopover(popover);
      else if (modals.length > 0) requestClose(modals.at(-1), undefined);
    },
    // A user's click: popovers that it is not in are hidden.
    lightDismiss(target) {
      hideAllPopovers((open) => open.contains(target) || popovers.get(open)?.source?.contains(target));
    },
    // An element that leaves the document.
    removed(element) {
      remove(stateOf(document).modals, element);
      hidePopover(element, false);
    },
  };
}

const installed = new WeakMap(); // jsdom's global → what install made
function of(window) {
  const global = require('html/document').globalOf(window);
  if (!installed.has(global)) installed.set(global, install(global._globalProxy, require('html/document').numberOf(global)));
  return installed.get(global);
}

// jsdom's elements: forms whose method is dialog close theirs, buttons toggle what they name.
function extendElements() {
  const { prototype: form } = pack.load(`${kJsdom}/living/nodes/HTMLFormElement-impl.js`).implementation;
  const { wrapperForImpl } = pack.load('jsdom/lib/generated/idl/utils.js');
  const togglingOf = (impl) => (impl._ownerDocument._defaultView ? of(impl._ownerDocument._defaultView) : undefined);
  const { submit } = form;
  form.submit = function (submitter) {
    const isDialog = (submitter?.getAttributeNS?.(null, 'formmethod') ?? this.getAttributeNS(null, 'method'))?.toLowerCase() === 'dialog';
    if (!isDialog) return Reflect.apply(submit, this, []);
    const dialog = wrapperForImpl(this).closest('dialog');
    if (dialog !== null) togglingOf(this)?.close(dialog, submitter?.getAttributeNS?.(null, 'value') ?? undefined);
    return undefined;
  };
  const { prototype: element } = pack.load(`${kJsdom}/living/nodes/HTMLElement-impl.js`).implementation;
  // For the selectors :popover-open and :modal.
  element._isOpenPopover = function () {
    return togglingOf(this)?.isOpenPopover(wrapperForImpl(this)) ?? false;
  };
  element._isModal = function () {
    return togglingOf(this)?.isModal(wrapperForImpl(this)) ?? false;
  };
  const { _removingSteps: removing } = element;
  element._removingSteps = function (...args) {
    Reflect.apply(removing, this, args);
    if (this._localName === 'dialog' || this.hasAttributeNS(null, 'popover')) togglingOf(this)?.removed(wrapperForImpl(this));
  };
  const { prototype: button } = pack.load(`${kJsdom}/living/nodes/HTMLButtonElement-impl.js`).implementation;
  const { _activationBehavior: activate } = button;
  button._activationBehavior = function (...args) {
    Reflect.apply(activate, this, args);
    if (this.hasAttributeNS(null, 'popovertarget') || this.hasAttributeNS(null, 'commandfor'))
      togglingOf(this)?.activate(wrapperForImpl(this));
  };
}

module.exports = { of, extendElements };
