// natives: buffer
// atob and btoa (https://html.spec.whatwg.org/#atob), on the native codec.
'use strict';

const binding = native('buffer');
const {
  codes: { ERR_MISSING_ARGS },
} = require('internal/errors/coded');

function invalidCharacter(message) {
  const { DOMException } = require('internal/errors/dom_exception');
  return new DOMException(message, 'InvalidCharacterError');
}

function btoa(input) {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('input');
  const result = binding.btoa(`${input}`);
  if (result === undefined) throw invalidCharacter('Invalid character');
  return result;
}

function atob(input) {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('input');
  const result = binding.atob(`${input}`);
  if (result === 1) throw invalidCharacter('Invalid character');
  if (result === 2) throw invalidCharacter('The string to be decoded is not correctly encoded.');
  return result;
}

module.exports = { atob, btoa };
