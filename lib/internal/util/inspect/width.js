// natives: none
// How many terminal columns a string takes, and the string without terminal control
// sequences. Used by the inspector's column layout, console.table and readline.
'use strict';

const { validateString } = require('internal/util/validators');

// Operating system commands (ESC ] … ended by BEL, ESC \ or 0x9C), then CSI and two-character sequences.
const kAnsi = new RegExp(
  '[\\u001B\\u009B][[\\]()#;?]*(?:' +
    '(?:(?:(?:;[-a-zA-Z\\d/#&.:=?%@~_]+)*|[a-zA-Z\\d]+(?:;[-a-zA-Z\\d/#&.:=?%@~_]*)*)?' +
    '(?:\\u0007|\\u001B\\u005C|\\u009C))' +
    '|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-nq-uy=><~]))',
  'g',
);

function stripVTControlCharacters(text) {
  validateString(text, 'str');
  if (!stringIncludes.call(text, '\u001B') && !stringIncludes.call(text, '\u009B')) return text;
  return replaceMatches(text, kAnsi, '');
}

const kZeroWidth = /^[\p{Cc}\p{Cf}\p{Me}\p{Mn}\u1160-\u11ff]$/u;
const kEmoji = /^\p{Emoji_Presentation}$/u;

// East Asian wide and full-width blocks, as [first, last].
const kWide = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x3247],
  [0x3250, 0x4dbf],
  [0x4e00, 0xa4c6],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x1f200, 0x1f251],
  [0x20000, 0x3fffd],
];

function isFullWidthCodePoint(code) {
  if (code < 0x1100) return false;
  for (const [first, last] of eachEntry(kWide)) {
    if (code <= last) return code >= first;
  }
  return false;
}

function isZeroWidthCodePoint(code) {
  return code !== 0xad && regexpTest.call(kZeroWidth, String.fromCodePoint(code));
}

function widthOfCharacter(character) {
  const code = stringCodePointAt.call(character, 0);
  if (code !== 0xad && regexpTest.call(kZeroWidth, character)) return 0;
  return isFullWidthCodePoint(code) || regexpTest.call(kEmoji, character) ? 2 : 1;
}

function getStringWidth(text, removeControlChars = true) {
  if (removeControlChars) text = stripVTControlCharacters(text);
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const code = stringCharCodeAt.call(text, i);
    if (code >= 127) {
      for (const character of each(stringNormalize.call(stringSlice.call(text, i), 'NFC'))) width += widthOfCharacter(character);
      return width;
    }
    if (code >= 32) width++;
  }
  return width;
}

module.exports = { getStringWidth, isZeroWidthCodePoint, stripVTControlCharacters };
