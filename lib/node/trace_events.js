// natives: none
'use strict';

module.exports = require('internal/trace_events/trace_events');
