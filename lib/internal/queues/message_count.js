// natives: none
// Messages that this process has received from its parent and its children, for who watches: `received` only grows.
'use strict';

module.exports = { received: 0 };
