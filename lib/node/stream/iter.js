// natives: none
'use strict';

module.exports = require('internal/streams/iter/iter');
