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

  get done() { return this.at >= this.text.length; }

  // To the end of the line, which is consumed.
  restOfLine() {
    let end = this.text.indexOf('\n', this.at);
    if (end === -1) end = this.text.length;
    const rest = this.text.slice(this.at, end);
    this.at = end + 1;
    return rest;
  }

  skipBlank() {
    while (!this.done && /\s/.test(this.text[this.at])) this.at++;
  }

  key() {
    const equals = this.text.indexOf('=', this.at);
    const newline = this.text.indexOf('\n', this.at);
    if (equals === -1 || (newline !== -1 && newline < equals)) {
      this.restOfLine();
      return '';
    }
    const key = this.text.slice(this.at, equals).trim();
    this.at = equals + 1;
    return key.startsWith('export ') ? key.slice(7).trim() : key;
  }

  value() {
    if (this.done || this.text[this.at] === '\n') {
      this.restOfLine();
      return '';
    }
    while (!this.done && (this.text[this.at] === ' ' || this.text[this.at] === '\t')) this.at++;
    const quote = this.text[this.at];
    if (quote === '"' || quote === "'" || quote === '`') {
      const end = this.text.indexOf(quote, this.at + 1);
      if (end !== -1) {
        const value = this.text.slice(this.at + 1, end);
        this.at = end + 1;
        this.restOfLine();
        return quote === '"' ? value.replaceAll('\\n', '\n') : value;
      }
    }
    const line = this.restOfLine();
    const comment = line.indexOf('#');
    return (comment === -1 ? line : line.slice(0, comment)).trim();
  }
}

function parseEnv(content) {
  const reader = new Reader(content.replaceAll('\r', '').trim());
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
