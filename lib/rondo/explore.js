// natives: none
// rondo:explore. docs/explore.md describes it, types/explore.d.ts types it; the work is in lib/internal/explore.
'use strict';

const { invariant, isExploring, outcome } = require('internal/explore/program');

module.exports = { invariant, isExploring, outcome };
