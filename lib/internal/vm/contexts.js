// natives: none
// The vm contexts there are: sandbox → { global, drains }. node:vm makes them; code that moves something into one asks here.
'use strict';

module.exports = new WeakMap();
