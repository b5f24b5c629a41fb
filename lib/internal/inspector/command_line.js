// natives: none
//
// What DevTools' console has beside the program's own names: require().

'use strict';

let made;

function commandLineRequire() {
  return (made ??= require('internal/modules/cjs_loader').Module.createRequire(`${process.cwd()}/`));
}

module.exports = { require: commandLineRequire };
