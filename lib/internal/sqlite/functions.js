// natives: sqlite
// Functions of the program for SQL: scalar functions, aggregates and window functions, the authorizer.
'use strict';

const binding = native('sqlite');
const { option, requireObject, requireType, typeError } = require('internal/sqlite/errors');

function lengthOf(fn) {
  const { length } = fn;
  return typeof length === 'number' ? length | 0 : 0;
}

function defineFunction(database, args) {
  binding.check(database);
  const [name] = each(args);
  requireType(name, 'string', 'name');
  let options = {};
  if (args.length >= 3) options = requireObject(args[1], 'options');
  const fn = args.length < 3 ? args[1] : args[2];
  const usesBigInts = option(options, 'useBigIntArguments', 'boolean', false);
  const isVariadic = option(options, 'varargs', 'boolean', false);
  const isDeterministic = option(options, 'deterministic', 'boolean', false);
  const isDirectOnly = option(options, 'directOnly', 'boolean', false);
  requireType(fn, 'function', 'function');
  const count = isVariadic ? -1 : lengthOf(fn);
  binding.createFunction(database, name, count, fn, isDeterministic, isDirectOnly, usesBigInts);
}

function defineAggregate(database, name, options) {
  binding.check(database);
  requireType(name, 'string', 'name');
  requireObject(options, 'options');
  const { start } = options;
  if (start === undefined) throw typeError('The "options.start" argument must be a function or a primitive value.');
  const step = requireType(options.step, 'function', 'options.step');
  const { result } = options;
  const usesBigInts = option(options, 'useBigIntArguments', 'boolean', false);
  const isVariadic = option(options, 'varargs', 'boolean', false);
  const isDeterministic = option(options, 'deterministic', 'boolean', false);
  const isDirectOnly = option(options, 'directOnly', 'boolean', false);
  const inverse = option(options, 'inverse', 'function');
  // The first argument of both is the state.
  const wanted = Math.max(lengthOf(step) - 1, inverse === undefined ? 0 : lengthOf(inverse) - 1, 0);
  binding.createAggregate(
    database,
    name,
    isVariadic ? -1 : wanted,
    start,
    step,
    inverse,
    typeof result === 'function' ? result : undefined,
    isDeterministic,
    isDirectOnly,
    usesBigInts,
  );
}

function setAuthorizer(database, callback) {
  binding.check(database);
  if (callback !== null && typeof callback !== 'function') {
    throw typeError('The "callback" argument must be a function or null.');
  }
  binding.setAuthorizer(database, callback);
}

module.exports = { defineFunction, defineAggregate, setAuthorizer };
