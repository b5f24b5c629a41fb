// natives: none
//
// node:inspector/promises: as node:inspector, with a Session whose post() returns a promise.

'use strict';

const inspector = require('internal/inspector/inspector');
const { promisify } = require('internal/util/util');

class Session extends inspector.Session {
  constructor(options) {
    super(options);
  }

  post(method, params) {
    return post(this, method, params);
  }
}

const post = promisify((session, method, params, callback) =>
  Reflect.apply(inspector.Session.prototype.post, session, [method, params, callback]),
);

module.exports = { ...inspector, Session };
