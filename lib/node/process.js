// natives: none
//
// node:process, the global process object.

'use strict';

module.exports = process;
