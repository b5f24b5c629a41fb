// natives: none
'use strict';

module.exports = require('internal/url/url');
