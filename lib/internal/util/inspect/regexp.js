// natives: none
// Colours a regular expression by nesting depth: one pass over its source text, tolerant of
// patterns it does not understand. Loaded when a RegExp is inspected with colours.
'use strict';

const kDefaultPalette = ['green', 'red', 'yellow', 'cyan', 'magenta'];
const isDigit = (character) => character >= '0' && character <= '9';

class Highlighter {
  constructor(text, palette) {
    this.text = text;
    this.palette = palette;
    this.out = '';
    this.at = 1;
    this.depth = 0;
  }

  // Writes `text` in the colour of the current depth plus `deeper`.
  put(text, deeper = 0) {
    const [on, off] = each(this.palette[(this.depth + deeper) % this.palette.length] ?? this.palette[0]);
    this.out += on + text + off;
  }

  get here() {
    return this.text[this.at];
  }

  takeWhile(accept) {
    const start = this.at;
    while (this.at < this.text.length && accept(this.here)) this.at++;
    return stringSlice.call(this.text, start, this.at);
  }

  // \u{…}, \p{…}, \k<…>: the delimiters `outwards` levels up, the inside one level down.
  delimited(open, close, outwards) {
    this.at++;
    const inside = this.takeWhile((character) => character !== close);
    if (this.at >= this.text.length) {
      this.put(open, 1);
      this.at -= inside.length;
      return;
    }
    this.depth -= outwards;
    this.put(open);
    this.put(inside, 1);
    this.put(close);
    this.depth += outwards;
    this.at++;
  }

  escape(deeper) {
    let token = '\\';
    this.at++;
    if (this.at < this.text.length) {
      const kind = this.here;
      token += kind;
      this.at++;
      if (this.here === '{' && (kind === 'u' || kind === 'p' || kind === 'P')) {
        this.delimited(`${token}{`, '}', 0);
        return;
      }
      if (deeper > 0 && kind === 'k' && this.here === '<') {
        this.delimited(`${token}<`, '>', 1);
        return;
      }
      if (kind === 'x') {
        token += stringSlice.call(this.text, this.at, this.at + 2);
        this.at += 2;
      } else if (deeper > 0 && isDigit(kind)) {
        token += this.takeWhile(isDigit);
      }
    }
    this.put(token, deeper);
  }

  characterClass() {
    this.put('[');
    this.depth++;
    this.at++;
    while (this.at < this.text.length) {
      const character = this.here;
      if (character === '\\') {
        this.escape(0);
        continue;
      }
      if (character === ']') {
        this.depth--;
        this.put(']');
        this.at++;
        return;
      }
      const next = this.text[this.at + 1];
      const isRange = character === '-' && this.text[this.at - 1] !== '[' && next !== undefined && next !== ']';
      this.put(character, isRange ? 1 : 0);
      this.at++;
    }
  }

  openGroup() {
    this.put('(');
    this.depth++;
    this.at++;
    if (this.here !== '?') return;
    this.at++;
    const first = this.here ?? '';
    const second = this.text[this.at + 1] ?? '';
    if (first === ':' || first === '=' || first === '!') {
      this.put(`?${first}`, -1);
      this.at++;
    } else if (first === '<' && (second === '=' || second === '!')) {
      this.put(`?<${second}`, -1);
      this.at += 2;
    } else if (first === '<') {
      this.at++;
      this.groupName(this.takeWhile((character) => character !== '>'));
    } else {
      this.put('?');
    }
  }

  groupName(name) {
    this.put('?<', -1);
    if (this.here !== '>') {
      this.put(name);
      return;
    }
    this.put(name);
    this.put('>', -1);
    this.at++;
  }

  // {n}, {n,}, {n,m}; a brace that is none of these is an ordinary character.
  quantifier() {
    this.at++;
    const low = this.takeWhile(isDigit);
    if (low) {
      this.put('{');
      this.depth++;
      this.put(low, 1);
    }
    if (this.at < this.text.length) {
      if (this.here === ',') {
        if (!low) {
          this.put('{');
          this.depth++;
        }
        this.put(',');
        this.at++;
      } else if (!low) {
        this.put('{', 1);
        return;
      }
    }
    const high = this.takeWhile(isDigit);
    if (high) this.put(high, 1);
    if (this.here === '}') {
      this.depth--;
      this.put('}');
      this.at++;
    }
    if (this.here === '?') {
      this.put('?', 3);
      this.at++;
    }
  }

  step(character) {
    if (character === '[') {
      this.characterClass();
    } else if (character === '(') {
      this.openGroup();
    } else if (character === ')') {
      this.depth--;
      this.put(')');
      this.at++;
    } else if (character === '\\') {
      this.escape(1);
    } else if (character === '{') {
      this.quantifier();
    } else {
      this.put(character, stringIncludes.call('|+*?,^$', character) ? 3 : character === '.' ? 2 : 1);
      this.at++;
    }
  }

  run() {
    this.put('/');
    this.depth++;
    while (this.at < this.text.length && this.here !== '/') this.step(this.here);
    this.put('/', -1);
    this.at++;
    if (this.at < this.text.length) this.put(stringSlice.call(this.text, this.at));
    return this.out;
  }
}

function highlight(text, names, colors) {
  const chosen = names?.length > 0 ? names : kDefaultPalette;
  const palette = [];
  for (const name of each(chosen)) {
    const color = colors[name];
    if (color) arrayPush.call(palette, [`\u001b[${color[0]}m`, `\u001b[${color[1]}m`]);
  }
  return new Highlighter(text, palette).run();
}

module.exports = { highlight };
