// natives: none
// PassThrough: a Transform that changes nothing.
'use strict';

const Transform = require('internal/streams/transform');

module.exports = PassThrough;

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  call1(Transform, this, options);
}
Object.setPrototypeOf(PassThrough.prototype, Transform.prototype);
Object.setPrototypeOf(PassThrough, Transform);

PassThrough.prototype._transform = function (chunk, encoding, callback) {
  callback(null, chunk);
};
