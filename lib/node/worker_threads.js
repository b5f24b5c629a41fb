// natives: none
'use strict';

module.exports = require('internal/worker/worker_threads');
