// natives: none
// The global Request. undici's file takes the conversion of bodies from the one of Response, which has to be there first.
'use strict';

require('undici/lib/web/fetch/response');

module.exports = { Request: require('undici/lib/web/fetch/request').Request };
