// natives: none
// Defaults set by net.setDefaultAutoSelectFamily and its companion; at first what the command line says.
'use strict';

const { getOptionValue } = require('internal/process/options');

module.exports = {
  autoSelectFamily: getOptionValue('--network-family-autoselection'),
  attemptTimeout: getOptionValue('--network-family-autoselection-attempt-timeout'),
};
