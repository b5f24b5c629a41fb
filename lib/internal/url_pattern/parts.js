// natives: none
// One component of a URL pattern (https://urlpattern.spec.whatwg.org/#patterns): its text parsed into parts, the parts turned into
// a regular expression and back into text. Characters of a component are checked by its encoding callback (internal/url_pattern/canonical).
'use strict';

const { tokenize, isNameCodePoint } = require('internal/url_pattern/tokens');

const kFullWildcard = '.*';
const kModifiers = { __proto__: null, '?': '?', '*': '*', '+': '+' };
const isDigit = (character) => character >= '0' && character <= '9';

function escapeRegexp(text) {
  return replaceMatches(text, /[.+*?^${}()[\]|/\\]/g, '\\$&');
}

function escapePattern(text) {
  return replaceMatches(text, /[+*?:{}()\\]/g, '\\$&');
}

function segmentWildcard({ delimiter }) {
  return `[^${escapeRegexp(delimiter)}]+?`;
}

class Parser {
  constructor(input, options, encode) {
    this.input = input;
    this.options = options;
    this.encode = encode;
    this.tokens = tokenize(input);
    this.index = 0;
    this.parts = [];
    this.pending = '';
    this.nextName = 0;
  }

  fail(why) {
    throw new TypeError(`Invalid pattern '${this.input}': ${why}`);
  }

  take(type) {
    const token = this.tokens[this.index];
    if (token.type !== type) return undefined;
    this.index++;
    return token;
  }

  require(type) {
    if (this.take(type) === undefined) this.fail(`unexpected '${this.tokens[this.index].value}'`);
  }

  takeRegexpOrWildcard(name) {
    return this.take('regexp') ?? (name === undefined ? this.take('asterisk') : undefined);
  }

  takeModifier() {
    return kModifiers[(this.take('other-modifier') ?? this.take('asterisk'))?.value] ?? '';
  }

  takeText() {
    let text = '';
    for (;;) {
      const token = this.take('char') ?? this.take('escaped-char');
      if (token === undefined) return text;
      text += token.value;
    }
  }

  addFixed(text, modifier) {
    arrayPush.call(this.parts, { type: 'fixed', value: this.encode(text), modifier, name: '', prefix: '', suffix: '' });
  }

  addPending() {
    if (this.pending === '') return;
    const text = this.pending;
    this.pending = '';
    this.addFixed(text, '');
  }

  addPart(prefix, name, matcher, suffix, modifier) {
    if (name === undefined && matcher === undefined && modifier === '') {
      this.pending += prefix;
      return;
    }
    this.addPending();
    if (name === undefined && matcher === undefined) {
      if (prefix !== '') this.addFixed(prefix, modifier);
      return;
    }
    const wildcard = segmentWildcard(this.options);
    let value = matcher === undefined ? wildcard : matcher.type === 'asterisk' ? kFullWildcard : matcher.value;
    let type = 'regexp';
    if (value === wildcard) [type, value] = each(['segment', '']);
    else if (value === kFullWildcard) [type, value] = each(['full', '']);
    const partName = name !== undefined ? name.value : `${this.nextName++}`;
    if (arraySome.call(this.parts, (part) => part.name === partName)) this.fail(`the name '${partName}' is there twice`);
    arrayPush.call(this.parts, { type, value, modifier, name: partName, prefix: this.encode(prefix), suffix: this.encode(suffix) });
  }

  // A name or matcher with the character before it, if that is the prefix of the component: '/:id'.
  addMatcher(character, name, matcher) {
    let prefix = character?.value ?? '';
    if (prefix !== '' && prefix !== this.options.prefix) {
      this.pending += prefix;
      prefix = '';
    }
    this.addPending();
    this.addPart(prefix, name, matcher, '', this.takeModifier());
  }

  addGroup() {
    const prefix = this.takeText();
    const name = this.take('name');
    const matcher = this.takeRegexpOrWildcard(name);
    const suffix = this.takeText();
    this.require('close');
    this.addPart(prefix, name, matcher, suffix, this.takeModifier());
  }

  run() {
    while (this.index < this.tokens.length) {
      const character = this.take('char');
      const name = this.take('name');
      const matcher = this.takeRegexpOrWildcard(name);
      if (name !== undefined || matcher !== undefined) {
        this.addMatcher(character, name, matcher);
        continue;
      }
      const fixed = character ?? this.take('escaped-char');
      if (fixed !== undefined) {
        this.pending += fixed.value;
      } else if (this.take('open') !== undefined) {
        this.addGroup();
      } else {
        this.addPending();
        this.require('end');
      }
    }
    return this.parts;
  }
}

function parsePattern(input, options, encode) {
  return new Parser(input, options, encode).run();
}

function partRegexp({ type, value, modifier, prefix, suffix }, options) {
  if (type === 'fixed') return modifier === '' ? escapeRegexp(value) : `(?:${escapeRegexp(value)})${modifier}`;
  const matched = type === 'segment' ? segmentWildcard(options) : type === 'full' ? kFullWildcard : value;
  const isOnce = modifier === '' || modifier === '?';
  if (prefix === '' && suffix === '') return isOnce ? `(${matched})${modifier}` : `((?:${matched})${modifier})`;
  const before = escapeRegexp(prefix),
    after = escapeRegexp(suffix);
  if (isOnce) return `(?:${before}(${matched})${after})${modifier}`;
  return `(?:${before}((?:${matched})(?:${after}${before}(?:${matched}))*)${after})${modifier === '*' ? '?' : ''}`;
}

// Whether the part reads as itself only inside of braces.
function needsBraces(part, previous, next, options) {
  const { type, modifier, prefix, suffix, name } = part;
  if (suffix !== '' || (prefix !== '' && prefix !== options.prefix)) return true;
  if (!isDigit(name[0]) && type === 'segment' && modifier === '' && next !== undefined && next.prefix === '' && next.suffix === '') {
    const touches =
      next.type === 'fixed' ? isNameCodePoint(String.fromCodePoint(stringCodePointAt.call(next.value, 0)), false) : isDigit(next.name[0]);
    if (touches) return true;
  }
  return prefix === '' && previous?.type === 'fixed' && options.prefix !== '' && stringEndsWith.call(previous.value, options.prefix);
}

function matcherText(part, previous, hasBraces, options) {
  const isNamed = !isDigit(part.name[0]);
  if (part.type === 'regexp') return `(${part.value})`;
  if (part.type === 'segment') return isNamed ? '' : `(${segmentWildcard(options)})`;
  const standsAlone = previous === undefined || previous.type === 'fixed' || previous.modifier !== '' || hasBraces || part.prefix !== '';
  return !isNamed && standsAlone ? '*' : '(.*)';
}

function partText(part, previous, next, options) {
  const { type, value, modifier, name, prefix, suffix } = part;
  if (type === 'fixed') return modifier === '' ? escapePattern(value) : `{${escapePattern(value)}}${modifier}`;
  const isNamed = !isDigit(name[0]);
  const braces = needsBraces(part, previous, next, options);
  let text = escapePattern(prefix) + (isNamed ? `:${name}` : '') + matcherText(part, previous, braces, options);
  if (type === 'segment' && isNamed && suffix !== '' && isNameCodePoint(String.fromCodePoint(stringCodePointAt.call(suffix, 0)), false))
    text += '\\';
  text += escapePattern(suffix);
  return (braces ? `{${text}}` : text) + modifier;
}

// https://urlpattern.spec.whatwg.org/#compile-a-component
function compileComponent(input, encode, options) {
  const parts = parsePattern(input, options, encode);
  const source = `^${arrayJoin.call(
    arrayMap.call(parts, (part) => partRegexp(part, options)),
    '',
  )}$`;
  return {
    regexp: new RegExp(source, options.ignoreCase ? 'vi' : 'v'),
    names: arrayMap.call(
      arrayFilter.call(parts, (part) => part.type !== 'fixed'),
      (part) => part.name,
    ),
    text: arrayJoin.call(
      arrayMap.call(parts, (part, i) => partText(part, parts[i - 1], parts[i + 1], options)),
      '',
    ),
    hasRegExpGroups: arraySome.call(parts, (part) => part.type === 'regexp'),
  };
}

module.exports = { compileComponent, escapePattern };
