// natives: none
//
// The answer to a message that cannot be carried out, and the checks of its parameters.

'use strict';

class ProtocolError {
  constructor(code, message, data) {
    this.code = code;
    this.message = message;
    this.data = data;
  }
}

const kInvalidParams = -32602;

function invalid(field, problem) {
  return new ProtocolError(kInvalidParams, 'Invalid parameters', `Failed to deserialize params.${field} - BINDINGS: ${problem}`);
}

// required(params, 'url', 'string') → the value
function required(params, field, type) {
  if (params[field] === undefined) throw invalid(field, 'mandatory field missing');
  return optional(params, field, type);
}

function optional(params, field, type) {
  const value = params[field];
  if (value === undefined) return undefined;
  const is =
    type === 'array'
      ? Array.isArray(value)
      : type === 'integer'
        ? Number.isInteger(value)
        : type === 'object'
          ? value !== null && typeof value === 'object' && !Array.isArray(value)
          : typeof value === type;
  if (!is) throw invalid(field, `${type === 'boolean' ? 'bool' : type === 'integer' ? 'int32' : type} value expected`);
  return value;
}

module.exports = { ProtocolError, optional, required };
