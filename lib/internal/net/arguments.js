// natives: none
// The many ways to call connect() and listen(): (port[, host][, callback]), (path[, callback]), (options[, callback]).
'use strict';

const kNormalized = Symbol('normalized arguments');

function toNumber(value) {
  return (value = Number(value)) >= 0 ? value : false;
}

function isPipeName(value) {
  return typeof value === 'string' && toNumber(value) === false;
}

// → [options, callback or null], marked as such
function normalizeArgs(args) {
  let pair;
  if (args.length === 0) {
    pair = [{}, null];
  } else {
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
    pair = [options, typeof last === 'function' ? last : null];
  }
  pair[kNormalized] = true;
  return pair;
}

module.exports = { kNormalized, normalizeArgs, toNumber, isPipeName };
