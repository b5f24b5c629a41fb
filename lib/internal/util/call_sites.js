// natives: util
// util.getCallSites: where the caller is, as plain objects.
'use strict';

const engine = native('util');
const { validateBoolean, validateInteger, validateObject } = require('internal/validators');

function getCallSites(frameCount = 10, options = undefined) {
  if (options === undefined && typeof frameCount === 'object') {
    options = frameCount;
    frameCount = 10;
  }
  if (options !== undefined) {
    validateObject(options, 'options');
    if (options.sourceMap !== undefined) validateBoolean(options.sourceMap, 'options.sourceMap');
  }
  validateInteger(frameCount, 'frameCount', 1, 200);
  return engine.getCallSites(frameCount, getCallSites);
}

module.exports = { getCallSites };
