// natives: html
// Symbols that no list of keys and no proxy shows, for what jsdom keeps on windows: its files are written to use them (kHidden of
// html/jsdom/patch_table). The library's own use them by the same names: `global[hidden._document]`.
'use strict';

const { privateSymbol } = native('html');
const { kHidden } = require('html/jsdom/patch_table');

const hidden = { __proto__: null };
for (const name of each(kHidden)) hidden[name] = privateSymbol(name);
hidden.iteration = privateSymbol('iteration'); // by which iterators keep their inner objects

module.exports = Object.freeze(hidden);
