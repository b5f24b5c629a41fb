// natives: none
// Imports what the user names: reporters, test files, global setup.
'use strict';

const { pathToFileURL } = require('internal/url/url');

function directoryUrl(cwd) {
  return pathToFileURL(`${cwd}/`).href;
}

function importFrom(specifier, cwd) {
  return require('internal/modules/esm_loader').importModule(specifier, directoryUrl(cwd));
}

module.exports = { importFrom };
