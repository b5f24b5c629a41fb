// natives: none
// ElementInternals beyond jsdom's: form-associated custom elements (https://html.spec.whatwg.org/#form-associated-custom-elements) with
// their value, validity and reactions, states (:state()), and the formdata event of every form. The accessibility attributes and
// shadowRoot are jsdom's.
'use strict';

const { define } = require('html/agents/agent');
const pack = require('html/jsdom/pack');
const { patch, patchAccessor } = require('html/jsdom/patches');

const kFlags = [
  'valueMissing',
  'typeMismatch',
  'patternMismatch',
  'tooLong',
  'tooShort',
  'rangeUnderflow',
  'rangeOverflow',
  'stepMismatch',
  'badInput',
  'customError',
];
const idl = (name) => pack.load(`jsdom/lib/generated/idl/${name}.js`);
const controls = () => pack.load('jsdom/lib/jsdom/living/helpers/form-controls.js');
const isFace = (element) => element._ceState === 'custom' && element._ceDefinition?.formAssociated === true;

const faces = new WeakMap(); // form-associated element → { form, isDisabled, value, flags, message, validity }
function faceOf(element) {
  if (!faces.has(element)) {
    faces.set(element, { form: null, isDisabled: false, value: null, flags: {}, message: '', validity: undefined });
    element._customValidityErrorMessage = ''; // as jsdom's ValidityState reads it
  }
  return faces.get(element);
}

function react(element, name, args) {
  if (!element._ceDefinition.lifecycleCallbacks[name]) return;
  pack.load('jsdom/lib/jsdom/living/helpers/custom-elements.js').enqueueCECallbackReaction(element, name, args);
}

// After whatever may have changed an element's form or whether it is disabled.
function updateAssociation() {
  if (!isFace(this)) return;
  const face = faceOf(this);
  const { formOwner, isDisabled } = controls();
  const form = formOwner(this);
  if (form !== face.form) {
    face.form = form;
    react(this, 'formAssociatedCallback', [form]);
  }
  const disabled = isDisabled(this);
  if (disabled === face.isDisabled) return;
  face.isDisabled = disabled;
  react(this, 'formDisabledCallback', [disabled]);
}

function isCandidate() {
  if (!isFace(this)) return false;
  const { closest } = pack.load('jsdom/lib/jsdom/living/helpers/traversal.js');
  return !controls().isDisabled(this) && !this.hasAttributeNS(null, 'readonly') && closest(this, 'datalist') === null;
}
const satisfies = (face) => !kFlags.some((flag) => face.flags[flag]);

// https://html.spec.whatwg.org/#constructing-the-form-data-set: the entries of a custom element; whether it is one.
function addEntries(element, list, append) {
  if (!isFace(element)) return false;
  const { value } = faceOf(element);
  const name = element.getAttributeNS(null, 'name');
  if (value === null) return true;
  if (Array.isArray(value)) for (const entry of each(value)) append(list, entry.name, entry.value);
  else if (name !== null && name !== '') append(list, name, value);
  return true;
}

// The event lets the page change the list.
const constructing = new WeakSet();
function entriesOf(form, submitter, construct) {
  const window = form._ownerDocument._defaultView?._globalProxy;
  if (constructing.has(form))
    throw idl('DOMException').create(form._globalObject, ['The form is constructing its entry list.', 'InvalidStateError']);
  constructing.add(form);
  try {
    const list = construct(form, submitter);
    if (window === undefined) return list;
    const { wrapperForImpl } = idl('utils');
    const data = idl('FormData').createImpl(form._globalObject, []);
    data._entries = list;
    const init = { bubbles: true, formData: wrapperForImpl(data) };
    require('html/window/events').fire(window, wrapperForImpl(form), new window.FormDataEvent('formdata', init));
    return [...each(data._entries)];
  } finally {
    constructing.delete(form);
  }
}

// Changes to jsdom's elements and forms.
function extendElements() {
  const orFace = (test) => (element) => test(element) || isFace(element);
  patch('form control: listed', orFace);
  patch('form control: submittable', orFace);
  patch(
    'form control: disabled',
    (isDisabled) => (element) => (isFace(element) && element.hasAttributeNS(null, 'disabled')) || isDisabled(element),
  );
  patch('form: entries', () => entriesOf);
  patch('form: entries of a custom element', () => addEntries);
  patchAccessor('element: form', () => ({
    configurable: true,
    get() {
      return isFace(this) ? controls().formOwner(this) : undefined;
    },
  }));
  patch('element: form association', () => updateAssociation);
  patch('element: inserted', () => updateAssociation);
  patch('element: is a candidate for validation', () => isCandidate);
  patch(
    'element: is valid',
    () =>
      function () {
        return satisfies(faceOf(this));
      },
  );
  patch(
    'element: reset',
    () =>
      function () {
        if (isFace(this)) react(this, 'formResetCallback', []);
      },
  );
  patch(
    'element: has a state',
    () =>
      function (name) {
        return stateSets.get(this)?.has(name) ?? false;
      },
  );
  const alsoAssociation = (removing) =>
    function (...args) {
      Reflect.apply(removing, this, args);
      Reflect.apply(updateAssociation, this, []);
    };
  patch('element: removed', alsoAssociation);
  patch(
    'fieldset: attribute changed',
    (change) =>
      function (...args) {
        Reflect.apply(change, this, args);
        if (args[0] !== 'disabled') return;
        for (const element of each([...each(this._inclusiveDescendants())])) element._formAssociation?.();
      },
  );
}

// https://html.spec.whatwg.org/#customstateset
const kStateSet = `return class CustomStateSet extends Set {
  #changed;
  constructor(given, changed) {
    if (given !== secret) throw new TypeError('Illegal constructor');
    super();
    this.#changed = changed;
  }
  add(value) { super.add(\`\${value}\`); this.#changed?.(); return this; }
  delete(value) { const had = super.delete(\`\${value}\`); this.#changed?.(); return had; }
  clear() { super.clear(); this.#changed?.(); }
};`;
const stateSets = new WeakMap(); // element → its CustomStateSet

function install(window) {
  const { implOf } = require('html/document/document');
  const secret = {};
  const StateSet = require('vm').compileFunction(kStateSet, ['secret'], { parsingContext: window })(secret);
  define(StateSet.prototype, Symbol.toStringTag, 'CustomStateSet', false);
  define(window, 'CustomStateSet', StateSet, false);
  const { prototype } = window.ElementInternals;
  const { tryWrapperForImpl, wrapperForImpl } = idl('utils');
  const fail = (message, name) => {
    throw new window.DOMException(message, name);
  };
  const target = (internals, member) => {
    const element = implOf(internals)._targetElement;
    if (!isFace(element) && element._ceDefinition?.formAssociated !== true)
      fail(
        `Failed to read or call '${member}' on 'ElementInternals': The target element is not a form-associated custom element.`,
        'NotSupportedError',
      );
    return element;
  };
  const methods = methodsOf(window, { implOf, target, fail, wrapperForImpl });
  for (const name of each(Object.keys(methods))) define(prototype, name, methods[name]);
  const getters = {
    form: (element) => tryWrapperForImpl(controls().formOwner(element)),
    willValidate: (element) => Reflect.apply(isCandidate, element, []),
    validationMessage: (element) => (satisfies(faceOf(element)) ? '' : faceOf(element).message),
    validity(element) {
      const face = faceOf(element);
      const state = Object.fromEntries(kFlags.map((flag) => [flag, () => face.flags[flag] === true]));
      face.validity ??= idl('ValidityState').create(element._globalObject, [], { element, state });
      return face.validity;
    },
  };
  for (const name of each(Object.keys(getters))) {
    Object.defineProperty(prototype, name, {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get() {
        return getters[name](target(this, name));
      },
    });
  }
  Object.defineProperty(prototype, 'states', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      const element = implOf(this)._targetElement;
      if (!stateSets.has(element)) stateSets.set(element, new StateSet(secret, () => element._invalidateSelectorState()));
      return stateSets.get(element);
    },
  });
}

function methodsOf(window, { implOf, target, fail, wrapperForImpl }) {
  const valueOf = (value) => {
    if (value === null || value === undefined) return null;
    if (value instanceof window.FormData) return [...each(implOf(value)._entries)];
    return value instanceof window.File ? implOf(value) : `${value}`;
  };
  return {
    setFormValue(value, state = undefined) {
      if (arguments.length === 0)
        throw new window.TypeError("Failed to execute 'setFormValue' on 'ElementInternals': 1 argument required, but only 0 present.");
      valueOf(state);
      faceOf(target(this, 'setFormValue')).value = valueOf(value);
    },
    setValidity(flags = {}, message = undefined, anchor = undefined) {
      const element = target(this, 'setValidity');
      const given = Object.fromEntries(kFlags.map((flag) => [flag, Boolean(flags?.[flag])]));
      const isWrong = kFlags.some((flag) => given[flag]);
      if (isWrong && (message === undefined || `${message}` === ''))
        throw new window.TypeError(
          "Failed to execute 'setValidity' on 'ElementInternals': " +
            'The second argument should not be empty if one or more flags in the first argument are true.',
        );
      if (anchor !== undefined && !isInside(wrapperForImpl(element), anchor))
        fail(
          "Failed to execute 'setValidity' on 'ElementInternals': " +
            'The Element argument should be a shadow-including descendant of the target element.',
          'NotFoundError',
        );
      const face = faceOf(element);
      Object.assign(face, { flags: given, message: isWrong ? `${message}` : '' });
      element._customValidityErrorMessage = given.customError ? face.message : '';
      element._invalidateSelectorState();
    },
    checkValidity() {
      const element = target(this, 'checkValidity');
      if (!Reflect.apply(isCandidate, element, []) || satisfies(faceOf(element))) return true;
      pack.load('jsdom/lib/jsdom/living/helpers/events.js').fireAnEvent('invalid', element, undefined, { cancelable: true });
      return false;
    },
    reportValidity() {
      return this.checkValidity();
    },
  };
}

function isInside(element, anchor) {
  for (let at = anchor; at; at = at.parentNode ?? at.host) if (at === element) return true;
  return false;
}

module.exports = { extendElements, install };
