// natives: none
// Errors of rondo:mesh. Each has a `code`; docs/mesh.md lists them.
'use strict';

class MeshError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }
}
Object.defineProperty(MeshError.prototype, 'name', { __proto__: null, value: 'MeshError', configurable: true, writable: true });

const kClosed = 'ERR_MESH_CLOSED';

function closedError() {
  return new MeshError(kClosed, 'The mesh is closed');
}

module.exports = { MeshError, closedError, kClosed };
