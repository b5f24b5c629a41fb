// natives: none
// The tokenizer of URL patterns (https://urlpattern.spec.whatwg.org/#tokenizing). Strict, it throws at what is no token; lenient,
// as the parser of whole pattern URLs wants it, it makes an 'invalid-char' of it.
'use strict';

const kNameStart = /^[$_\p{ID_Start}]$/u;
const kNamePart = /^[$_\u200c\u200d\p{ID_Continue}]$/u;

function isNameCodePoint(character, isFirst) {
  return regexpTest.call(isFirst ? kNameStart : kNamePart, character);
}

function isAscii(character) {
  return stringCharCodeAt.call(character, 0) < 0x80;
}

const kSingle = { __proto__: null, '*': 'asterisk', '+': 'other-modifier', '?': 'other-modifier', '{': 'open', '}': 'close' };

class Tokenizer {
  constructor(input, isLenient) {
    this.input = input;
    this.isLenient = isLenient;
    this.index = 0;
    this.tokens = [];
  }

  characterAt(position) {
    return String.fromCodePoint(stringCodePointAt.call(this.input, position));
  }

  add(type, next, valueStart, valueEnd = next) {
    arrayPush.call(this.tokens, { type, index: this.index, value: stringSlice.call(this.input, valueStart, valueEnd) });
    this.index = next;
  }

  fail(next, valueStart, why) {
    if (!this.isLenient) throw new TypeError(`Invalid pattern '${this.input}': ${why} at ${valueStart}`);
    this.add('invalid-char', next, valueStart);
  }

  name(start) {
    let position = start;
    while (position < this.input.length) {
      const character = this.characterAt(position);
      if (!isNameCodePoint(character, position === start)) break;
      position += character.length;
    }
    if (position === start) this.fail(start, this.index, 'a name is missing');
    else this.add('name', position, start);
  }

  // Where the group that starts at `start` ends, behind its ')'; undefined when it is none.
  endOfGroup(start) {
    const { input } = this;
    let depth = 1,
      position = start;
    while (position < input.length) {
      const character = this.characterAt(position);
      if (!isAscii(character) || (position === start && character === '?')) return undefined;
      position++;
      if (character === '\\') {
        if (position === input.length || !isAscii(input[position])) return undefined;
        position++;
      } else if (character === ')') {
        if (--depth === 0) return position;
      } else if (character === '(') {
        depth++;
        if (input[position] !== '?') return undefined;
      }
    }
    return undefined;
  }

  group(start) {
    const end = this.endOfGroup(start);
    if (end === undefined || end - start === 1) this.fail(start, this.index, 'a group that is no regular expression');
    else this.add('regexp', end, start, end - 1);
  }

  run() {
    while (this.index < this.input.length) {
      const character = this.characterAt(this.index);
      const next = this.index + character.length;
      if (kSingle[character] !== undefined) {
        this.add(kSingle[character], next, this.index);
      } else if (character === '\\') {
        if (next === this.input.length) this.fail(next, this.index, 'nothing is escaped');
        else this.add('escaped-char', next + this.characterAt(next).length, next);
      } else if (character === ':') {
        this.name(next);
      } else if (character === '(') {
        this.group(next);
      } else {
        this.add('char', next, this.index);
      }
    }
    this.add('end', this.index, this.index);
    return this.tokens;
  }
}

function tokenize(input, isLenient = false) {
  return new Tokenizer(input, isLenient).run();
}

module.exports = { tokenize, isNameCodePoint };
