// natives: html
// Symbols that no list of keys and no proxy shows, for what jsdom keeps on windows: its files are written to use them (kHidden in
// tools/html_pack.js). The library's own use them by the same names: `global[hidden._document]`.
'use strict';

const { privateSymbol } = native('html');

const kNames = [
  '_settings',
  '_document',
  '_origin',
  '_sessionHistory',
  '_parent',
  '_top',
  '_frameElement',
  '_length',
  '_currentEvent',
  '_commonForOrigin',
  '_currentOriginData',
  '_localStorage',
  '_sessionStorage',
  '_selection',
  '_customElementRegistry',
  '_initGlobalEvents',
  '_getEventHandlerTarget',
  '_getEventHandlerFor',
  '_setEventHandlerFor',
  '_globalEventChanged',
  '_eventHandlers',
];

const hidden = { __proto__: null };
for (const name of each(kNames)) hidden[name] = privateSymbol(name);

module.exports = Object.freeze(hidden);
