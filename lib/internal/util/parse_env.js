// natives: none
// The .env format: util.parseEnv, --env-file and process.loadEnvFile. KEY=value lines,
// optional `export `, comments after #, values in ' " or ` over several lines; \n is a line
// break only inside double quotes.
'use strict';

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  get done() {
    return this.at >= this.text.length;
  }

  // To the end of the line, which is consumed.
  restOfLine() {
    let end = stringIndexOf.call(this.text, '\n', this.at);
    if (end === -1) end = this.text.length;
    const rest = stringSlice.call(this.text, this.at, end);
    this.at = end + 1;
    return rest;
  }

  skipBlank() {
    while (!this.done && regexpTest.call(/\s/, this.text[this.at])) this.at++;
  }

  key() {
    const equals = stringIndexOf.call(this.text, '=', this.at);
    const newline = stringIndexOf.call(this.text, '\n', this.at);
    if (equals === -1 || (newline !== -1 && newline < equals)) {
      this.restOfLine();
      return '';
    }
    const key = stringTrim.call(stringSlice.call(this.text, this.at, equals));
    this.at = equals + 1;
    return stringStartsWith.call(key, 'export ') ? stringTrim.call(stringSlice.call(key, 7)) : key;
  }

  value() {
    if (this.done || this.text[this.at] === '\n') {
      this.restOfLine();
      return '';
    }
    while (!this.done && (this.text[this.at] === ' ' || this.text[this.at] === '\t')) this.at++;
    const quote = this.text[this.at];
    if (quote === '"' || quote === "'" || quote === '`') {
      const end = stringIndexOf.call(this.text, quote, this.at + 1);
      if (end !== -1) {
        const value = stringSlice.call(this.text, this.at + 1, end);
        this.at = end + 1;
        this.restOfLine();
        return quote === '"' ? stringReplaceAll.call(value, '\\n', '\n') : value;
      }
    }
    const line = this.restOfLine();
    const comment = stringIndexOf.call(line, '#');
    return stringTrim.call(comment === -1 ? line : stringSlice.call(line, 0, comment));
  }
}

function parseEnv(content) {
  const reader = new Reader(stringTrim.call(stringReplaceAll.call(content, '\r', '')));
  const result = { __proto__: null };
  while (!reader.done) {
    reader.skipBlank();
    if (reader.done) break;
    if (reader.text[reader.at] === '#') {
      reader.restOfLine();
      continue;
    }
    const lineStart = reader.at;
    const key = reader.key();
    if (key === '') {
      if (reader.at > lineStart && reader.text[reader.at - 1] === '=') reader.restOfLine();
      continue;
    }
    result[key] = reader.value();
  }
  return result;
}

module.exports = { parseEnv };
