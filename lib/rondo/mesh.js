// natives: none
// rondo:mesh. docs/mesh.md describes it, types/mesh.d.ts types it; the work is in lib/internal/mesh.
'use strict';

const { connect, defaultMesh, Mesh, MeshError } = require('internal/mesh/mesh');

const channel = (name) => defaultMesh().channel(name);
const queue = (name, options) => defaultMesh().queue(name, options);
const call = (name, args, options) => defaultMesh().ask(name, args, options);
const serve = (name, handler, options) => defaultMesh().serve(name, handler, options);
const flush = () => defaultMesh().flush();
const close = () => defaultMesh().close();

module.exports = { call, channel, close, connect, flush, Mesh, MeshError, queue, serve };
Object.defineProperty(module.exports, 'mesh', { __proto__: null, configurable: true, enumerable: true, get: defaultMesh });
