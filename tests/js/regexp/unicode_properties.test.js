'use strict';
// \p{…} knows Unicode 17: scripts, characters and emoji that were added after the engine's tables were made, and one that changed sides.
const assert = require('node:assert');

for (const [long, short, character] of [
  ['Beria_Erfe', 'Berf', 0x16ea0], ['Garay', 'Gara', 0x10d40], ['Gurung_Khema', 'Gukh', 0x16100], ['Kirat_Rai', 'Krai', 0x16d40],
  ['Ol_Onal', 'Onao', 0x1e5d0], ['Sidetic', 'Sidt', 0x10940], ['Sunuwar', 'Sunu', 0x11bc0], ['Tai_Yo', 'Tayo', 0x1e6c0],
  ['Todhri', 'Todr', 0x105c0], ['Tolong_Siki', 'Tols', 0x11db0], ['Tulu_Tigalari', 'Tutg', 0x11380],
]) {
  const text = String.fromCodePoint(character);
  for (const name of [`Script=${long}`, `sc=${short}`, `Script_Extensions=${long}`, `scx=${short}`]) {
    assert.ok(new RegExp(`^\\p{${name}}$`, 'u').test(text), name);
    assert.ok(!new RegExp(`\\P{${name}}`, 'v').test(text), name);
    assert.ok(!new RegExp(`\\p{${name}}`, 'u').test('a'), name);
  }
}

assert.match('\u{323b0}', /^\p{Lo}\p{sc=Han}?$/u);
assert.match('\u{323b0}', /^[\p{Ideographic}&&\p{Assigned}]$/v);
assert.doesNotMatch('\u{323b0}', /\p{Cn}|\p{sc=Unknown}|\P{L}/u);
assert.match('\u{e0fff}\ud800\ue000', /^\p{sc=Zzzz}{3}$/u);
assert.match('\u{1c89}\u{1c8a}', /^\p{Lu}\p{Ll}$/u);
assert.match('\u{10d50}', /^\p{ID_Start}$/u);
assert.match('\u20c1', /^\p{Sc}$/u);
// A script whose extensions grew keeps its own characters.
assert.match('\u00b7', /^\p{scx=Gothic}$/u);
assert.doesNotMatch('\u00b7', /\p{sc=Gothic}|\P{scx=Gothic}/u);
// A letter that has no case any more.
assert.match('\u0295', /^\p{Lo}$/u);
assert.doesNotMatch('\u0295', /\p{Ll}|\p{Cased}|\p{Lowercase}/u);

for (const emoji of ['\u{1fae9}', '\u{1f1e8}\u{1f1f6}', '\u{1f642}\u200d\u2195\ufe0f', '\u{1f9d1}\u200d\u{1f9d1}\u200d\u{1f9d2}'])
  assert.match(emoji, /^\p{RGI_Emoji}$/v, emoji);
assert.match('\u{1fae9}', /^\p{Basic_Emoji}\p{Emoji}*$/v);
for (const name of ['Script=Gara_', 'Script=', 'gc=Garay', 'Garay', 'sc=Nothing'])
  assert.throws(() => new RegExp(`\\p{${name}}`, 'u'), SyntaxError, name);
