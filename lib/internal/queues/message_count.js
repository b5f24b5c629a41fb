// natives: none
// Messages that this process has received from its parent and its children, for observers: `received` only grows.
'use strict';

module.exports = { received: 0 };
