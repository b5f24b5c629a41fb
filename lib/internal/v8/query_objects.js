// natives: profiler
// v8.queryObjects: objects with a class among their prototypes that live after a full collection.
'use strict';

const { validateFunction, validateObject, validateOneOf } = require('internal/util/validators');

let hasWarned = false;

function queryObjects(ctor, options = {}) {
  validateFunction(ctor, 'constructor');
  if (options !== undefined) validateObject(options, 'options');
  const format = options.format ?? 'count';
  validateOneOf(format, 'options.format', ['count', 'summary']);
  if (!hasWarned) process.emitWarning('v8.queryObjects() is an experimental feature and might change at any time', 'ExperimentalWarning');
  hasWarned = true;
  require('internal/process/garbage').collectGarbage();
  const found = native('profiler').objectsOf(ctor.prototype) ?? [];
  if (format === 'count') return found.length;
  const { inspect } = require('internal/util/util');
  return arrayMap.call(found, (object) => inspect(object, { depth: 0 }));
}

module.exports = { queryObjects };
