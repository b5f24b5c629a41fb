// natives: none
//
// Names in DevTools' console beside the program's own: require().

'use strict';

let made;

function commandLineRequire() {
  return (made ??= require('internal/modules/cjs_loader').Module.createRequire(`${process.cwd()}/`));
}

module.exports = { require: commandLineRequire };
