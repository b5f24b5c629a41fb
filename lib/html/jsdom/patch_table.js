// natives: none
// Every change to the packages that documents are made of (jsdom, fake-indexeddb, dom-selector, parse5), in one table. tools/html_pack.js
// applies kTexts when the pack is built and holds the other rows to the packages: a row whose place is gone, or that no file of lib/html
// applies, fails the build by its name. html/jsdom/patches applies kFiles and kMembers in the agent, before they are first used.
//
// Members of interfaces that a Standard names (Element.prototype.animate) are no rows: they are put on a window, not on jsdom.
'use strict';

const impl = (name) => `jsdom/lib/jsdom/living/nodes/${name}-impl.js`;
const idl = (name) => `jsdom/lib/generated/idl/${name}.js`;
const helper = (name) => `jsdom/lib/jsdom/living/helpers/${name}.js`;
const resources = (name) => `jsdom/lib/jsdom/browser/resources/${name}.js`;
const database = (name) => `fake-indexeddb/build/cjs/${name}.js`;

const kScript = impl('HTMLScriptElement');
const kFormData = 'jsdom/lib/jsdom/living/xhr/FormData-impl.js';
const kDocument = impl('Document');
const kElement = impl('HTMLElement');
const kFrame = impl('HTMLFrameElement');
const kCanvas = impl('HTMLCanvasElement');
const kImage = impl('HTMLImageElement');
const kXhr = 'jsdom/lib/jsdom/living/xhr/XMLHttpRequest-impl.js';
const kStyle = 'jsdom/lib/jsdom/living/css/helpers/computed-style.js';
const kSelector = '@asamuzakjp/dom-selector/src/js/pseudo-class.js';
const kParserTree = 'jsdom/lib/jsdom/living/domparsing/parse5-adapter-serialization.js';
const kInlineStyle = 'jsdom/lib/jsdom/living/css/ElementCSSInlineStyle-impl.js';
const kUtils = 'require("jsdom/lib/generated/idl/utils.js")';

// Pieces of source, replaced when the pack is built: name → [file, text that stands there exactly once, text in its place].
// { contentOf: file } is the file's content as a string literal.
const kTexts = {
  __proto__: null,
  'interfaces: exported': [
    'jsdom/lib/jsdom/living/interfaces.js',
    'exports.getInterfaceWrapper =',
    'exports.interfaces = generatedInterfaces; exports.getInterfaceWrapper =',
  ],
  'styles: default sheet': [
    kStyle,
    'fs.readFileSync(\n  path.resolve(__dirname, "../../../browser/default-stylesheet.css"),\n  { encoding: "utf-8" }\n)',
    { contentOf: 'jsdom/lib/jsdom/browser/default-stylesheet.css' },
  ],
  'styles: default sheet read by rules': [
    kStyle,
    'parseStyleSheet(defaultStyleSheet, elementImpl._globalObject)',
    'global.$parseDefaultStyles(defaultStyleSheet, elementImpl._globalObject)',
  ],
  'styles: sheets of an element': [
    kStyle,
    'of elementImpl._ownerDocument.styleSheets._list)',
    'of elementImpl._ownerDocument._sheetsFor(elementImpl))',
  ],
  'frame: load is asked first': [
    kFrame,
    'function loadFrame(frame, attaching) {',
    'function loadFrame(frame, attaching) { if (module.exports.load(frame, attaching)) return;',
  ],
  'frame: accessors exported': [kFrame, 'module.exports = {', 'module.exports = { refreshAccessors,'],
  'navigation: fetched by the export': [
    'jsdom/lib/jsdom/living/window/navigation.js',
    '  navigateFetch(window);',
    '  exports.navigateFetch(window, newURL, flags);',
  ],
  'navigation: allowed first': [
    'jsdom/lib/jsdom/living/window/navigation.js',
    '  const currentURL = document._URL;',
    '  exports.checkNavigation(window); const currentURL = document._URL;',
  ],
  'window: hidden keys copied': [
    'jsdom/lib/jsdom/utils.js',
    'const keys = Reflect.ownKeys(source);',
    'const keys = [...Reflect.ownKeys(source), ...Object.values($hidden).filter(key => Object.hasOwn(source, key))];',
  ],
  'storage: hidden key': [
    'jsdom/lib/jsdom/living/webstorage/Storage-impl.js',
    'target["_" + this._type]',
    'target[$hidden["_" + this._type]]',
  ],
  // Iterators of interfaces keep the inner object by this key.
  'iterators: hidden key': [
    idl('utils'),
    'const iterInternalSymbol = Symbol("internal");',
    'const iterInternalSymbol = $hidden.iteration;',
  ],
  'iterators of addresses: hidden key': [
    'whatwg-url/lib/utils.js',
    'const iterInternalSymbol = Symbol("internal");',
    'const iterInternalSymbol = $hidden.iteration;',
  ],
  // Text becomes code in the page's realm only.
  'handler: compiled in the page': [helper('create-event-accessor'), '      Function(body);', '      document.defaultView.Function(body);'],
  'xhr: synchronous request': [
    kXhr,
    'this._adoptSerializedResponse(sendSyncWorkerRequest(this._serializeRequest()));',
    'require("./xhr-utils").sendSync(this);',
  ],
  'xhr: no thread of its own': [kXhr, 'require.resolve("./xhr-sync-worker.js")', 'null'],
  'xhr: request given whole': [kXhr, 'await performFetch(\n            this._dispatcher,', 'await performFetch(\n            this,'],
  // Errors name the columns of the page: the code of an inline script begins where its text does.
  'script: columns': [
    kScript,
    'lineOffset = child.sourceCodeLocation.startLine - 1;',
    'lineOffset = child.sourceCodeLocation.startLine - 1; code = " ".repeat(child.sourceCodeLocation.startCol - 1) + code;',
  ],
  'form: requestSubmit': [
    impl('HTMLFormElement'),
    'notImplementedMethod(this._ownerDocument._defaultView, "HTMLFormElement", "requestSubmit");',
    'this.submit(submitter);',
  ],
  // The library's realm has no Buffer among its globals; files of the pack have it as a name.
  'encoding: Buffer': ['@exodus/bytes/fallback/platform.native.js', 'const { Buffer } = globalThis', ''],
  'encoding: Buffer of the utilities': [
    '@exodus/bytes/fallback/_utils.js',
    'const Buffer = /* @__PURE__ */ (() => globalThis.Buffer)()',
    '',
  ],
  'form: entries by the export': [
    kFormData,
    'this._entries = constructTheEntryList(form, submitter);',
    'this._entries = exports.entriesOf(form, submitter, constructTheEntryList);',
  ],
  'form: entries of custom elements': [
    kFormData,
    'const name = field.getAttributeNS(null, "name");',
    'const name = field.getAttributeNS(null, "name"); if (exports.addEntries(field, entryList, appendAnEntry)) continue;',
  ],
  'custom elements: reactions of forms': [
    'jsdom/lib/jsdom/living/custom-elements/CustomElementRegistry-impl.js',
    'formAssociated = webIDLConversions.boolean(formAssociatedValue);',
    'formAssociated = webIDLConversions.boolean(formAssociatedValue);\n' +
      'if (formAssociated) for (const callbackName of ["formAssociatedCallback", "formDisabledCallback", "formResetCallback"]) {\n' +
      'const callbackValue = prototype[callbackName];\n' +
      'if (callbackValue !== undefined) lifecycleCallbacks[callbackName] = ' +
      'IDLFunction.convert(_globalObject, callbackValue, { context: `The lifecycle callback "${callbackName}"` }); }',
  ],
  'custom elements: associated once upgraded': [
    helper('custom-elements'),
    '  element._ceState = "custom";\n}',
    '  element._ceState = "custom"; element._formAssociation?.();\n}',
  ],
  'element: attribute of a custom element': [
    kElement,
    'if (namespace === null && localName === "style"',
    'if (this._ceDefinition?.formAssociated) this._formAssociation();\n    if (namespace === null && localName === "style"',
  ],
  // Pseudo-classes that no browser knows are errors: jQuery asks in this way which selectors are its own.
  'selector: contains is unknown': [kSelector, "      case 'contains': {", "      case '$contains': {"],
  'selector: columns are unknown': [kSelector, "      case 'nth-col':\n      case 'nth-last-col': {", "      case '$columns': {"],
  'selector: state': [
    kSelector,
    "      case 'state': {\n",
    `      case 'state': {\n        return !!${kUtils}.implForWrapper(node)?._hasState?.(astChildren[0]?.value ?? astChildren[0]?.name);\n`,
  ],
  'selector: popover-open': [
    kSelector,
    '// return node.popover && isVisible(node);\n        break;',
    `return !!${kUtils}.implForWrapper(node)?._isOpenPopover?.();`,
  ],
  'selector: modal': [kSelector, "      case 'modal':\n", `      case 'modal': return !!${kUtils}.implForWrapper(node)?._isModal?.();\n`],
};

// Files in whose place something else is loaded: name → [file, exports of it that the substitute must have].
const kFiles = {
  __proto__: null,
  'network: undici': ['undici/index.js', []], // reached by replaced files alone; not in the pack
  'network: resources': [resources('jsdom-dispatcher'), ['fetchCollected']],
  'network: xhr': ['jsdom/lib/jsdom/living/xhr/xhr-utils.js', ['performFetch', 'isNetworkError']],
  'window: names of the language': ['jsdom/lib/generated/js-globals.json', []], // a context has them of its own
  'window: named elements': [
    'jsdom/lib/jsdom/living/window-properties.js',
    ['create', 'elementAttached', 'elementDetached', 'elementAttributeModified'],
  ],
  'script: errors': [helper('runtime-script-errors'), []], // a function
  'database: tasks': [database('lib/scheduling'), ['queueTask']],
  'database: errors': [
    database('lib/errors'),
    [
      'AbortError',
      'ConstraintError',
      'DataCloneError',
      'DataError',
      'InvalidAccessError',
      'InvalidStateError',
      'NotFoundError',
      'ReadOnlyError',
      'SyntaxError',
      'TransactionInactiveError',
      'VersionError',
    ],
  ],
};

// Functions and accessors, replaced once their file is loaded: name → [file or files, member of the exports]. A last name that begins
// with + is an addition: the package has no member of that name.
const kMembers = {
  __proto__: null,
  'listener: called': [
    ['EventListener', 'EventHandlerNonNull', 'OnErrorEventHandlerNonNull', 'OnBeforeUnloadEventHandlerNonNull'].map(idl),
    'convert',
  ],
  'handler: value': [helper('create-event-accessor'), 'getCurrentEventHandlerValue'],
  'handler: attribute changed': [['HTMLElement', 'SVGElement'].map(impl), 'implementation.prototype._globalEventChanged'],
  'script: fetched': [kScript, 'implementation.prototype._fetchExternalScript'],
  'script: parsed': [kScript, 'implementation.prototype._poppedOffStackOfOpenElements'],
  'script: evaluated': [kScript, 'implementation.prototype._innerEval'],
  'script: prepared': [kScript, 'implementation.prototype._eval'],
  'queue: push': [resources('resource-queue'), 'prototype.push'],
  'queue: push of async scripts': [resources('async-resource-queue'), 'prototype.push'],
  'queue: empty': [['resource-queue', 'async-resource-queue'].map(resources), 'prototype._notify'],
  'document: readyState': [kDocument, 'implementation.prototype.readyState'],
  'document: close': [kDocument, 'implementation.prototype.close'],
  'document: queue a task': [kDocument, 'implementation.prototype._queueATask'],
  'document: styles changed': [kDocument, 'implementation.prototype._clearStyleCache'],
  'document: parse an address': [kDocument, 'implementation.prototype.encodingParseAURL'],
  'document: cookie': [kDocument, 'implementation.prototype.cookie'],
  'document: selectors': [kDocument, 'implementation.prototype._getDOMSelector'],
  'document: sheets for an element': [kDocument, 'implementation.prototype.+_sheetsFor'],
  'sheet: changed': ['jsdom/lib/jsdom/living/css/StyleSheet-impl.js', 'implementation.prototype._invalidateStyleCache'],
  'history: traverse': ['jsdom/lib/jsdom/living/window/SessionHistory.js', 'prototype._queueHistoryTraversalTask'],
  'window: create': ['jsdom/lib/jsdom/browser/Window.js', 'createWindow'],
  'window: interfaces': ['jsdom/lib/jsdom/living/interfaces.js', 'installInterfaces'],
  'window: navigate': ['jsdom/lib/jsdom/living/window/navigation.js', '+navigateFetch'],
  'window: may be navigated': ['jsdom/lib/jsdom/living/window/navigation.js', '+checkNavigation'],
  'frame: load': [kFrame, '+load'],
  'frame: attribute changed': [kFrame, 'implementation.prototype._attributeChangeSteps'],
  'frame: removed': [kFrame, 'implementation.prototype._removingSteps'],
  'frame: contentWindow': [kFrame, 'implementation.prototype.contentWindow'],
  'link: followed': [['HTMLAnchorElement', 'HTMLAreaElement'].map(impl), 'implementation.prototype._followAHyperlink'],
  'form: submit': [impl('HTMLFormElement'), 'implementation.prototype.submit'],
  'button: activated': [impl('HTMLButtonElement'), 'implementation.prototype._activationBehavior'],
  'element: style made': [kInlineStyle, 'implementation.prototype._initElementCSSInlineStyle'],
  'element: style': [kInlineStyle, 'implementation.prototype.+style'],
  'element: removed': [kElement, 'implementation.prototype._removingSteps'],
  'element: is an open popover': [kElement, 'implementation.prototype.+_isOpenPopover'],
  'element: is modal': [kElement, 'implementation.prototype.+_isModal'],
  'element: form association': [kElement, 'implementation.prototype.+_formAssociation'],
  'element: form': [kElement, 'implementation.prototype.+form'],
  'element: inserted': [kElement, 'implementation.prototype.+_insertionSteps'],
  'element: is a candidate for validation': [kElement, 'implementation.prototype.+_isCandidateForConstraintValidation'],
  'element: is valid': [kElement, 'implementation.prototype.+_satisfiesConstraints'],
  'element: reset': [kElement, 'implementation.prototype.+_formReset'],
  'element: has a state': [kElement, 'implementation.prototype.+_hasState'],
  'fieldset: attribute changed': [impl('HTMLFieldSetElement'), 'implementation.prototype._attributeChangeSteps'],
  'form control: listed': [helper('form-controls'), 'isListed'],
  'form control: submittable': [helper('form-controls'), 'isSubmittable'],
  'form control: disabled': [helper('form-controls'), 'isDisabled'],
  'form: entries': [kFormData, '+entriesOf'],
  'form: entries of a custom element': [kFormData, '+addEntries'],
  'canvas: attribute changed': [kCanvas, 'implementation.prototype._attributeChangeSteps'],
  'canvas: context': [kCanvas, 'implementation.prototype.getContext'],
  'canvas: data URL': [kCanvas, 'implementation.prototype.toDataURL'],
  'canvas: blob': [kCanvas, 'implementation.prototype.toBlob'],
  'image: attribute changed': [kImage, 'implementation.prototype._attributeChangeSteps'],
  'image: update': [kImage, 'implementation.prototype._updateTheImageData'],
  'image: width': [kImage, 'implementation.prototype.naturalWidth'],
  'image: height': [kImage, 'implementation.prototype.naturalHeight'],
  'image: complete': [kImage, 'implementation.prototype.complete'],
  'image: address': [kImage, 'implementation.prototype.currentSrc'],
  'node: compared': ['jsdom/lib/jsdom/living/nodes/Node-impl.js', 'implementation.prototype.compareDocumentPosition'],
  'details: toggled': [impl('HTMLDetailsElement'), 'implementation.prototype._dispatchToggleEvent'],
  'observer: called': [idl('MutationCallback'), 'convert'],
  'observer: record': [helper('mutation-observers'), 'queueMutationRecord'],
  'observer: record of a tree': [helper('mutation-observers'), 'queueTreeMutationRecord'],
  'observer: record of an attribute': [helper('mutation-observers'), 'queueAttributeMutationRecord'],
  'clone: blob': [idl('Blob'), '_internalSetup'],
  'clone: exception': [idl('DOMException'), 'setup'],
  'clone: list of files': [idl('FileList'), 'setup'],
  'parser: append': [kParserTree, '+appendChild'],
  'parser: children': [kParserTree, 'getChildNodes'],
  'parser: characters': ['parse5/dist/index.js', 'Parser.prototype._insertCharacters'],
  'database: event': [database('lib/FakeEventTarget'), 'prototype.dispatchEvent'],
  'database: transaction': [database('FDBDatabase'), 'prototype.transaction'],
  'database: event of a transaction': [database('FDBTransaction'), 'prototype.dispatchEvent'],
  'database: store': [database('lib/ObjectStore'), 'prototype.storeRecord'],
  'database: delete': [database('lib/ObjectStore'), 'prototype.deleteRecord'],
  'database: clear': [database('lib/ObjectStore'), 'prototype.clear'],
};

// Properties that jsdom puts on windows, where pages would see them: in all of its files their keys are symbols that no list of keys shows
// (html/jsdom/hidden).
const kHidden = [
  '_settings',
  '_document',
  '_origin',
  '_sessionHistory',
  '_parent',
  '_top',
  '_frameElement',
  '_length',
  '_currentEvent',
  '_commonForOrigin',
  '_currentOriginData',
  '_localStorage',
  '_sessionStorage',
  '_selection',
  '_customElementRegistry',
  '_initGlobalEvents',
  '_getEventHandlerTarget',
  '_getEventHandlerFor',
  '_setEventHandlerFor',
  '_globalEventChanged',
  '_eventHandlers',
];

module.exports = { kTexts, kFiles, kMembers, kHidden };
