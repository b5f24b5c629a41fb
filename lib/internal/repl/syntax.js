// natives: none
// Questions about the text typed into a REPL that a parser answers: may more lines make it right, is it an object literal, where
// is its fault. Acorn (npm, embedded) parses; it is loaded with the first question.
'use strict';

const acorn = () => require('acorn');

const opensBrace = /^\s*\{/;
const endsStatement = /;\s*$/;
const continuedString = /\\(?:\r\n?|\n|\u2028|\u2029)$/;

let RecoverableParser;

// A parser that notices whether the text ended too early: a fault after the last token, or inside a template, a comment or a
// string that goes on behind a backslash.
function recoverableParser() {
  if (RecoverableParser !== undefined) return RecoverableParser;
  const { Parser, tokTypes } = acorn();
  RecoverableParser = class extends Parser {
    constructor(...args) {
      super(...each(args));
      this.endedEarly = false;
    }

    nextToken() {
      super.nextToken();
      if (this.type === tokTypes.eof) this.endedEarly = true;
    }

    raise(position, message) {
      if (message === 'Unterminated template' || message === 'Unterminated comment') {
        this.endedEarly = true;
      } else if (message === 'Unterminated string constant') {
        const token = stringSlice.call(this.input, this.lastTokStart, this.pos);
        if (regexpTest.call(continuedString, token)) this.endedEarly = true;
      }
      super.raise(position, message);
    }
  };
  return RecoverableParser;
}

// Whether more input may make `code`, which the engine refuses, right.
function isRecoverable(code) {
  if (regexpTest.call(opensBrace, code) && endsTooEarly(`(${code}`)) return true;
  return endsTooEarly(code);
}

function endsTooEarly(code) {
  const Parser = recoverableParser();
  const parser = new Parser({ ecmaVersion: 'latest', allowAwaitOutsideFunction: true }, code);
  try {
    parser.parse();
    return false; // the engine knows better
  } catch {
    return parser.endedEarly;
  }
}

function parses(code) {
  try {
    acorn().parse(code, { ecmaVersion: 'latest', allowAwaitOutsideFunction: true });
    return true;
  } catch {
    return false;
  }
}

const isValidSyntax = (code) => parses(code) || parses(`_=${code}`);

// `{ a: 1 }` is meant as an object, `{ a: 1 };` as a block.
const looksLikeObject = (code) => regexpTest.call(opensBrace, code) && !regexpTest.call(endsStatement, code);

// { line, column, length } (from 1 and 0) of the fault in `code`, undefined if acorn sees none. A word is marked whole.
function faultPlace(code) {
  try {
    acorn().parse(code, { ecmaVersion: 'latest', locations: true, allowAwaitOutsideFunction: false });
    return undefined;
  } catch (error) {
    return placeOf(error, code);
  }
}

function placeOf(error, code) {
  const { line, column } = error.loc;
  if (stringStartsWith.call(error.message, 'Unterminated regular expression')) return { line, column: column - 1, length: 1 };
  if (stringStartsWith.call(error.message, 'Unterminated string'))
    return { line, column, length: regexpExec.call(/^.*/, stringSlice.call(code, error.pos))[0].length };
  const isWord = stringStartsWith.call(error.message, 'Unexpected token') || stringIncludes.call(error.message, "'import' and 'export'");
  const word = isWord ? regexpExec.call(/^[\w$]+/, stringSlice.call(code, error.pos))?.[0] : undefined;
  return { line, column, length: word?.length ?? 1 };
}

module.exports = { isRecoverable, isValidSyntax, looksLikeObject, faultPlace };
