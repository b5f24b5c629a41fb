// natives: none
//
// The output of -p: strings as they are, everything else inspected, one line. A promise is shown as it is when the program ends.

'use strict';

function print(value) {
  const { log } = requireLater('internal/console/program');
  if (require('internal/util/types').isPromise(value)) process.on('exit', () => log(value));
  else log(value);
}

module.exports = { print };
