// natives: none
// The many ways to call connect() and listen(): (port[, host][, callback]), (path[, callback]), (options[, callback]).
'use strict';

const { codes: { ERR_MISSING_ARGS } } = require('internal/errors');

function toNumber(value) { return (value = Number(value)) >= 0 ? value : false; }

function isPipeName(value) { return typeof value === 'string' && toNumber(value) === false; }

// → [options, callback or null]
function normalizeArgs(args) {
  if (args.length === 0) return [{}, null];
  const first = args[0];
  let options = {};
  if (typeof first === 'object' && first !== null) {
    options = first;
  } else if (isPipeName(first)) {
    options.path = first;
  } else {
    options.port = first;
    if (args.length > 1 && typeof args[1] === 'string') options.host = args[1];
  }
  const last = args[args.length - 1];
  return [options, typeof last === 'function' ? last : null];
}

function requirePortOrPath(options) {
  if (options.port === undefined && options.path == null) throw new ERR_MISSING_ARGS(['options', 'port', 'path']);
}

module.exports = { normalizeArgs, requirePortOrPath, toNumber, isPipeName };
