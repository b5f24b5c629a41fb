// natives: none
'use strict';

module.exports = require('internal/events/diagnostics_channel');
