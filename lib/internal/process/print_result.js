// natives: none
//
// The output of -p: strings as they are, everything else inspected, one line.

'use strict';

function print(value) {
  requireLater('internal/console/program').log(value);
}

module.exports = { print };
