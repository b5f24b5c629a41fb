// natives: none
// rondo:mesh. docs/mesh.md describes it, types/mesh.d.ts types it; the work is in lib/internal/mesh.
'use strict';

const { connect, defaultMesh, Mesh, MeshError } = require('internal/mesh/mesh');

const channel = (name) => defaultMesh().channel(name);
const queue = (name, options) => defaultMesh().queue(name, options);
const call = (name, args, options) => defaultMesh().ask(name, args, options);
const serve = (name, handler, options) => defaultMesh().serve(name, handler, options);
const lock = (name, options, callback) => defaultMesh().lock(name, options, callback);
const store = (name, options) => defaultMesh().store(name, options);
const timer = (name, when, handler) => defaultMesh().timer(name, when, handler);
const leader = (name, options) => defaultMesh().leader(name, options);
const peers = () => defaultMesh().peers();
const flush = () => defaultMesh().flush();
const close = () => defaultMesh().close();

module.exports = { call, channel, close, connect, flush, leader, lock, Mesh, MeshError, peers, queue, serve, store, timer };
Object.defineProperty(module.exports, 'mesh', { __proto__: null, configurable: true, enumerable: true, get: defaultMesh });
