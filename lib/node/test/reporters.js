// natives: none
// node:test/reporters: the built-in reporters, loaded when they are asked for. `spec` and `lcov` are streams, made with or without `new`.
'use strict';

function spec(...args) {
  return Reflect.construct(require('internal/test_runner/reporter/spec'), args);
}
function lcov(...args) {
  return Reflect.construct(require('internal/test_runner/reporter/lcov'), args);
}

module.exports = {
  get dot() {
    return require('internal/test_runner/reporter/dot');
  },
  get junit() {
    return require('internal/test_runner/reporter/junit');
  },
  spec,
  get tap() {
    return require('internal/test_runner/reporter/tap');
  },
  lcov,
};
