// natives: none
//
// Paths as the loaders meet them most: absolute and tidy already. Others go
// to node:path, which loads then.

'use strict';

// Absolute, without an empty, '.' or '..' segment. A program may pass anything: node:path says what is wrong with it.
function isTidy(path) {
  return (
    typeof path === 'string' &&
    stringCharCodeAt.call(path, 0) === 47 &&
    !stringIncludes.call(path, '//') &&
    !stringIncludes.call(path, '/.') &&
    !stringEndsWith.call(path, '/')
  );
}

function resolved(path) {
  return isTidy(path) ? path : require('internal/path/path').resolve(path);
}

function directoryOf(file) {
  if (!isTidy(file)) return typeof file !== 'string' || stringIncludes.call(file, '/') ? require('internal/path/path').dirname(file) : '.';
  return stringSlice.call(file, 0, stringLastIndexOf.call(file, '/')) || '/';
}

// The directory we are in may be gone; a program that does not ask for it runs all the same.
function currentDirectory() {
  try {
    return process.cwd();
  } catch {
    return directoryOf(process.execPath);
  }
}

module.exports = { currentDirectory, directoryOf, resolved };
