// natives: html
// Symbols of the classes that pages have, too: where pages run, no list of keys has them and no proxy of a page's is asked for them. In a
// program they are ordinary ones, as Node's are.
'use strict';

const { isHtml, privateSymbol } = native('html');

module.exports = { hiddenSymbol: (name) => (isHtml ? privateSymbol(name) : Symbol(name)) };
