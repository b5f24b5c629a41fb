// natives: none
// Selectors that most pages use (types, classes, ids, attributes, :not() of these, children by number, the four combinators), matched on
// jsdom's own nodes. Everything else, also what is no selector at all, is left to the package that jsdom has for selectors, which walks the
// tree through the interfaces that pages see. https://drafts.csswg.org/selectors/
'use strict';

const pack = require('html/jsdom/pack');
const { patch } = require('html/jsdom/patches');

const kElement = 1;
const kHtml = 'http://www.w3.org/1999/xhtml';
const kLongest = 2048; // the package refuses longer ones
const kMostKept = 500; // parsed selectors
const kMostAnswers = 50; // of one node

// One piece of a selector each, at the current place. Names with escapes or beyond ASCII are the package's.
const kSpace = /[ \t\n\r\f]*/y;
const kName = /-?[A-Za-z_][\w-]*/y;
const kCombinator = /[ \t\n\r\f]*([>+~])[ \t\n\r\f]*|[ \t\n\r\f]+/y;
const kGap = '[ \\t\\n\\r\\f]*';
const kWord = '(-?[A-Za-z_][\\w-]*)';
const kValue = `(?:"([^"\\\\\\n\\r\\f]*)"|'([^'\\\\\\n\\r\\f]*)'|${kWord})`;
const kAttribute = new RegExp(`\\[${kGap}${kWord}${kGap}(?:([~|^$*]?=)${kGap}${kValue}${kGap})?\\]`, 'y');
const kNth = /:nth-child\([ \t]*(odd|even|[+-]?\d+|[+-]?\d*n(?:[ \t]*[+-][ \t]*\d+)?)[ \t]*\)/y;
const kPlace = /:(first|last|only)-child(?![\w(-])/y;
const kNot = /:not\([ \t]*/y;

// Attributes of HTML elements whose values are compared without regard to case: https://html.spec.whatwg.org/#case-sensitivity-of-selectors
const kInsensitive = new Set(
  (
    'accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir direction disabled ' +
    'enctype face frame hreflang http-equiv lang language link media method multiple nohref noresize noshade nowrap readonly rel rev ' +
    'rules scope scrolling selected shape target text type valign valuetype vlink'
  ).split(' '),
);

const lower = (text) => text.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
const isSpace = (code) => code === 32 || (code >= 9 && code <= 13 && code !== 11);

// ---- values of elements ----

// Of no namespace, or null.
function valueOf(element, name) {
  const named = element._attributesByNameMap.get(name);
  if (named === undefined) return null;
  if (named.length === 1 && named[0]._namespace === null && named[0]._prefix === null) return named[0]._value;
  return element.getAttributeNS(null, name);
}

// Whether a list of words has `word`.
function hasWord(text, word) {
  if (text === word) return true;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if ((at === 0 || isSpace(text.charCodeAt(at - 1))) && (end === text.length || isSpace(text.charCodeAt(end)))) return true;
  }
  return false;
}

function parentOf(element) {
  const links = element._links;
  const parent = links === null ? null : links.parent;
  return parent !== null && parent.nodeType === kElement ? parent : null;
}

function elementBefore(element) {
  let node = element._links === null ? null : element._links.previousSibling;
  while (node !== null && node.nodeType !== kElement) node = node._links.previousSibling;
  return node;
}

function elementAfter(element) {
  let node = element._links === null ? null : element._links.nextSibling;
  while (node !== null && node.nodeType !== kElement) node = node._links.nextSibling;
  return node;
}

// The number of an element among its parent's; a walk over a tree asks for brothers one after the other.
let counted = null; // { element, number }, valid while one query runs
function numberOf(element) {
  let number = 1;
  for (let at = elementBefore(element); at !== null; at = elementBefore(at)) {
    if (counted !== null && at === counted.element) {
      number += counted.number;
      break;
    }
    number++;
  }
  counted = { element, number };
  return number;
}

// ---- parsing ----

// Reads a selector from its text. `quirks`: of documents whose classes and ids are compared without regard to case.
class Parser {
  constructor(text, quirks) {
    this.text = text;
    this.quirks = quirks;
    this.at = 0;
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  // The matcher of a whole list, or null where the package has to decide.
  list() {
    const members = [];
    for (;;) {
      this.take(kSpace);
      const member = this.complex();
      if (member === null) return null;
      members.push(member);
      this.take(kSpace);
      if (this.at === this.text.length) return members.length === 1 ? members[0] : either(members);
      if (this.text[this.at] !== ',') return null;
      this.at++;
    }
  }

  // The last compound first: it is asked of every element.
  complex() {
    let matcher = this.compound(true);
    while (matcher !== null) {
      const before = this.at;
      const found = this.take(kCombinator);
      if (found === null) return matcher;
      if (found[1] === undefined && (this.at === this.text.length || this.text[this.at] === ',')) {
        this.at = before;
        return matcher;
      }
      const next = this.compound(true);
      if (next === null) return null;
      matcher = combinators[found[1] ?? ' '](matcher, next);
    }
    return null;
  }

  compound(mayNegate) {
    const parts = [];
    const begin = this.at;
    if (this.text[this.at] === '*') this.at++;
    else {
      const name = this.take(kName);
      if (name !== null) parts.push(ofType(name[0]));
    }
    if (this.text[this.at] === '|') return null;
    for (;;) {
      const part = this.simple(mayNegate);
      if (part === null) return null;
      if (part === undefined) break;
      parts.push(part);
    }
    if (this.at === begin) return null;
    return both(parts);
  }

  // undefined: the compound ends here; null: the package's.
  simple(mayNegate) {
    switch (this.text[this.at]) {
      case '.':
      case '#': {
        const attribute = this.text[this.at++] === '.' ? 'class' : 'id';
        const name = this.take(kName);
        if (name === null) return null;
        return attribute === 'id' ? withId(name[0], this.quirks) : withClass(name[0], this.quirks);
      }
      case '[': {
        const found = this.take(kAttribute);
        return found === null ? null : withAttribute(found[1], found[2], found[3] ?? found[4] ?? found[5]);
      }
      case ':':
        return this.pseudo(mayNegate);
      default:
        return undefined;
    }
  }

  pseudo(mayNegate) {
    const place = this.take(kPlace);
    if (place !== null) return places[place[1]];
    const nth = this.take(kNth);
    if (nth !== null) return nthChild(nth[1]);
    if (!mayNegate || this.take(kNot) === null) return null;
    const matcher = this.compound(false);
    this.take(kSpace);
    if (matcher === null || this.text[this.at] !== ')') return null;
    this.at++;
    return (element) => !matcher(element);
  }
}

// ---- matchers: element → boolean ----

function both(parts) {
  if (parts.length === 0) return () => true;
  if (parts.length === 1) return parts[0];
  const [first, second] = each(parts);
  if (parts.length === 2) return (element) => first(element) && second(element);
  return (element) => {
    for (let i = 0; i < parts.length; i++) if (!parts[i](element)) return false;
    return true;
  };
}

const either = (members) => (element) => {
  for (let i = 0; i < members.length; i++) if (members[i](element)) return true;
  return false;
};

const isHtmlElement = (element) => element._namespaceURI === kHtml && element._ownerDocument._parsingMode === 'html';

function ofType(name) {
  const small = lower(name);
  if (small === name) return (element) => element._localName === name;
  return (element) => element._localName === (isHtmlElement(element) ? small : name);
}

function withClass(name, quirks) {
  const word = quirks ? lower(name) : name;
  return (element) => {
    const value = valueOf(element, 'class');
    return value !== null && hasWord(quirks ? lower(value) : value, word);
  };
}

function withId(name, quirks) {
  const word = quirks ? lower(name) : name;
  return (element) => {
    const value = valueOf(element, 'id');
    return value !== null && (quirks ? lower(value) : value) === word;
  };
}

const comparisons = {
  __proto__: null,
  '=': (value, wanted) => value === wanted,
  '~=': (value, wanted) => wanted !== '' && !/[ \t\n\r\f]/.test(wanted) && hasWord(value, wanted),
  '|=': (value, wanted) => value === wanted || value.startsWith(`${wanted}-`),
  '^=': (value, wanted) => wanted !== '' && value.startsWith(wanted),
  '$=': (value, wanted) => wanted !== '' && value.endsWith(wanted),
  '*=': (value, wanted) => wanted !== '' && value.includes(wanted),
};

function withAttribute(name, operator, wanted) {
  const small = lower(name);
  const nameFor = (element) => (small === name || !isHtmlElement(element) ? name : small);
  if (operator === undefined) return (element) => valueOf(element, nameFor(element)) !== null;
  const compare = comparisons[operator];
  const mayIgnoreCase = kInsensitive.has(small);
  const wantedLower = lower(wanted);
  return (element) => {
    const value = valueOf(element, nameFor(element));
    if (value === null) return false;
    return mayIgnoreCase && isHtmlElement(element) ? compare(lower(value), wantedLower) : compare(value, wanted);
  };
}

const places = {
  __proto__: null,
  first: (element) => elementBefore(element) === null,
  last: (element) => elementAfter(element) === null,
  only: (element) => elementBefore(element) === null && elementAfter(element) === null,
};

// https://drafts.csswg.org/css-syntax/#anb: every `step`th, from `offset` on.
function nthChild(text) {
  const formula = text === 'odd' ? '2n+1' : text === 'even' ? '2n' : text.replace(/[ \t]/g, '');
  const n = formula.indexOf('n');
  const sign = formula.slice(0, n);
  const step = n === -1 ? 0 : sign === '' || sign === '+' ? 1 : sign === '-' ? -1 : +sign;
  const offset = +formula.slice(n + 1) || 0;
  return (element) => {
    const beyond = numberOf(element) - offset;
    return step === 0 ? beyond === 0 : beyond % step === 0 && beyond / step >= 0;
  };
}

const combinators = {
  __proto__: null,
  ' '(ancestor, matches) {
    return (element) => {
      if (!matches(element)) return false;
      for (let at = parentOf(element); at !== null; at = parentOf(at)) if (ancestor(at)) return true;
      return false;
    };
  },
  '>'(parent, matches) {
    return (element) => {
      if (!matches(element)) return false;
      const at = parentOf(element);
      return at !== null && parent(at);
    };
  },
  '+'(before, matches) {
    return (element) => {
      if (!matches(element)) return false;
      const at = elementBefore(element);
      return at !== null && before(at);
    };
  },
  '~'(before, matches) {
    return (element) => {
      if (!matches(element)) return false;
      for (let at = elementBefore(element); at !== null; at = elementBefore(at)) if (before(at)) return true;
      return false;
    };
  },
};

// Parsed once for each text; the oldest give way.
const parsed = [new Map(), new Map()]; // of documents without quirks, and with
function matcherOf(text, document) {
  const quirks = document.compatMode === 'BackCompat';
  const kept = parsed[+quirks];
  const known = kept.get(text);
  if (known !== undefined) return known;
  const matcher = text.length > kLongest ? null : new Parser(text, quirks).list();
  if (kept.size >= kMostKept) kept.delete(kept.keys().next().value);
  kept.set(text, matcher);
  return matcher;
}

// ---- in the place of the package ----

// visit(element) for each inside of `root`, in the order of the tree, until it answers true.
function walk(root, visit) {
  let node = root._links === null ? null : root._links.firstChild;
  while (node !== null) {
    if (node.nodeType === kElement && visit(node)) return;
    let links = node._links;
    if (links.firstChild !== null) {
      node = links.firstChild;
      continue;
    }
    while (links.nextSibling === null) {
      node = links.parent;
      if (node === root) return;
      links = node._links;
    }
    node = links.nextSibling;
  }
}

// Answers for a node: selector → elements. jsdom forgets them, as it does the collections of elements by name, at every change of the tree
// or of an attribute below the node; matchers here look at nothing else. Readers copy the lists.
function answersOf(root) {
  const queries = root._getMemoizedQueries();
  queries.bySelectors ??= new Map();
  if (queries.bySelectors.size > kMostAnswers) queries.bySelectors.clear();
  return queries.bySelectors;
}

// The interface of the package's DOMSelector as jsdom uses it; nodes are jsdom's, results what pages see.
class Selectors {
  #document;
  #others; // the package's, made when it is first needed
  #make;
  #wrapperOf;
  constructor(document, make) {
    this.#document = document;
    this.#make = make;
    this.#wrapperOf = pack.load('jsdom/lib/generated/idl/utils.js').wrapperForImpl;
  }
  #package() {
    return (this.#others ??= this.#make());
  }

  clear(all) {
    this.#others?.clear(all);
  }
  querySelector(text, root) {
    const matches = matcherOf(text, this.#document);
    if (matches === null) return this.#package().querySelector(text, root);
    let found = null;
    counted = null;
    walk(root, (element) => {
      if (!matches(element)) return false;
      found = element;
      return true;
    });
    return found === null ? null : this.#wrapperOf(found);
  }
  querySelectorAll(text, root) {
    const known = answersOf(root);
    let found = known.get(text);
    if (found !== undefined) return found;
    const matches = matcherOf(text, this.#document);
    if (matches === null) return this.#package().querySelectorAll(text, root);
    found = [];
    const wrapperOf = this.#wrapperOf;
    counted = null;
    walk(root, (element) => {
      if (matches(element)) found.push(wrapperOf(element));
      return false;
    });
    known.set(text, found);
    return found;
  }
  matches(text, element) {
    const matches = matcherOf(text, this.#document);
    counted = null;
    return matches === null ? this.#package().matches(text, element) : matches(element);
  }
  closest(text, element) {
    const matches = matcherOf(text, this.#document);
    if (matches === null) return this.#package().closest(text, element);
    counted = null;
    for (let at = element; at !== null; at = parentOf(at)) if (matches(at)) return this.#wrapperOf(at);
    return null;
  }
  // Of computed styles: the syntax tree is for those that match.
  check(text, element, options) {
    const matches = options?.requireAst ? null : matcherOf(text, this.#document);
    counted = null;
    if (matches !== null && !matches(element)) return { ast: null, error: null, match: false, pseudoElement: null };
    return this.#package().check(text, element, options);
  }
  extractSubjects(text, isSensitive) {
    return this.#package().extractSubjects(text, isSensitive);
  }
  supports(text) {
    return this.#package().supports(text);
  }
}

const made = new WeakMap(); // jsdom's Document → Selectors
function install() {
  patch(
    'document: selectors',
    (make) =>
      function () {
        let selectors = made.get(this);
        if (selectors === undefined) made.set(this, (selectors = new Selectors(this, () => Reflect.apply(make, this, []))));
        return selectors;
      },
  );
}

module.exports = { install };
