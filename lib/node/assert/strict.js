// natives: none
// node:assert/strict: assert whose equal and deepEqual are the strict ones.
'use strict';

module.exports = require('internal/assert/assert').strict;
