// natives: none
// Whether somebody observes 'http' through perf_hooks. Apart, so that neither side loads the other.
'use strict';

module.exports = { byPerformance: false };
