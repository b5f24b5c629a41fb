// natives: none
'use strict';

module.exports = require('internal/perf/perf_hooks');
