// natives: net
//
// net.BoundSocket: an address taken before it is known what for. A server that
// listens on it, or a socket that connects from it, adopts it; after that the
// object is spent. TCP binds through a listener's handle, so that the options
// are the same; a client's handle then takes its place.

'use strict';

const binding = native('net');
const { codes, ErrnoException, ExceptionWithHostPort } = require('internal/errors/coded');
const { validateBoolean, validateObject, validatePort, validateString } = require('internal/util/validators');
const { kAdoptListener, kAdoptStream } = require('internal/net/symbols');
const { Pipe, PipeListener, TCP, TCPListener } = require('internal/net/handle');

// ENOENT, ENAMETOOLONG: other words for the same failure.
const likeLibuv = new Map([
  [-2, -13],
  [-36, -22],
]);

function unlink(path) {
  if (path[0] === '\0') return;
  try {
    require('internal/fs/fs').unlinkSync(path);
  } catch {
    // Somebody was quicker.
  }
}

// A Unix socket with a name of its own, on either side.
class NamedListener extends PipeListener {
  constructor(path) {
    super();
    this.boundPath = path;
  }
  close(callback) {
    if (this.boundPath !== undefined) unlink(this.boundPath);
    this.boundPath = undefined;
    super.close(callback);
  }
}

class NamedPipe extends Pipe {
  #bound;
  #path;
  constructor(bound, path) {
    super();
    this.#bound = bound;
    this.#path = path;
  }
  connect(request, path) {
    const status = binding.connectPath(this.#bound, path);
    const fd = this.#bound;
    this.#bound = -1;
    if (status === 0) this.open(fd);
    else require('internal/fs/fs').closeSync(fd);
    setImmediate(() => request.oncomplete(status, this, request, true, true));
    return 0;
  }
  getsockname(out) {
    out.address = this.#path;
    return 0;
  }
  close(callback) {
    if (this.#bound >= 0) require('internal/fs/fs').closeSync(this.#bound);
    this.#bound = -1;
    if (this.#path !== undefined) unlink(this.#path);
    this.#path = undefined;
    super.close(callback);
  }
}

class BoundSocket {
  #listener = null; // TCP
  #fd = -1; // of a path
  #path;
  #address = {};

  constructor(options = {}) {
    validateObject(options, 'options');
    if (options.path !== undefined) this.#bindPath(options);
    else this.#bindAddress(options);
  }

  #bindAddress(options) {
    const port = validatePort(options.port ?? 0, 'options.port');
    const ipv6Only = options.ipv6Only ?? false;
    validateBoolean(ipv6Only, 'options.ipv6Only');
    const reusePort = options.reusePort ?? false;
    validateBoolean(reusePort, 'options.reusePort');
    let { host } = options;
    if (host === undefined || host === null) {
      host = ipv6Only ? '::' : '0.0.0.0';
    } else {
      validateString(host, 'options.host');
      if (binding.isIP(host) === 0) {
        throw new codes.ERR_INVALID_ARG_VALUE(
          'options.host',
          host,
          'must be a numeric IP address; net.BoundSocket does not perform DNS resolution',
        );
      }
    }
    const listener = new TCPListener();
    listener.unref();
    const status = listener.bind(host, port, ipv6Only, reusePort) || listener.getsockname(this.#address);
    if (status !== 0) {
      listener.close();
      throw new ExceptionWithHostPort(status, 'bind', host, port);
    }
    this.#listener = listener;
  }

  #bindPath(options) {
    const { path, host, port, ipv6Only, reusePort } = options;
    if (host !== undefined || port !== undefined || ipv6Only !== undefined || reusePort !== undefined) {
      throw new codes.ERR_INVALID_ARG_VALUE('options', options, 'path is mutually exclusive with host, port, ipv6Only, and reusePort');
    }
    validateString(path, 'options.path');
    let fd = binding.bindPath(path);
    fd = likeLibuv.get(fd) ?? fd;
    if (fd < 0) throw new ErrnoException(fd, 'bind');
    this.#fd = fd;
    this.#path = path;
  }

  get #isSpent() {
    return this.#listener === null && this.#fd === -1;
  }

  #check() {
    if (this.#isSpent) throw new codes.ERR_SOCKET_HANDLE_ADOPTED();
  }

  [kAdoptListener]() {
    this.#check();
    if (this.#path === undefined) {
      const listener = this.#listener;
      this.#listener = null;
      listener.ref();
      return { handle: listener, path: undefined };
    }
    const handle = new NamedListener(this.#path);
    handle.open(this.#fd);
    this.#fd = -1;
    return { handle, path: this.#path };
  }

  [kAdoptStream]() {
    this.#check();
    if (this.#path !== undefined) {
      const handle = new NamedPipe(this.#fd, this.#path);
      this.#fd = -1;
      return handle;
    }
    // Sockets that do not listen may share an address: at no time is it free.
    const handle = new TCP();
    const { address, port } = this.#address;
    const status = handle.bind(address, port);
    if (status < 0) {
      handle.close();
      throw new ErrnoException(status, 'bind');
    }
    handle.isBound = true;
    this.#listener.close();
    this.#listener = null;
    return handle;
  }

  address() {
    this.#check();
    return this.#path ?? { ...this.#address };
  }

  fd() {
    this.#check();
    return this.#listener?.fd ?? this.#fd;
  }

  close() {
    this.#check();
    this[Symbol.dispose]();
  }

  [Symbol.dispose]() {
    this.#listener?.close();
    this.#listener = null;
    if (this.#fd === -1) return;
    require('internal/fs/fs').closeSync(this.#fd);
    this.#fd = -1;
    unlink(this.#path);
  }

  get isPipe() {
    return this.#path !== undefined;
  }
}

module.exports = { BoundSocket };
