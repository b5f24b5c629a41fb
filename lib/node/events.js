// natives: none
'use strict';

module.exports = require('internal/events/events');
