// natives: net, structured_clone
// net.SocketAddress: an address and a port as an immutable value.
'use strict';

const { parseIP } = native('net');
const { codes } = require('internal/errors/coded');
const { validateObject, validatePort, validateString, validateUint32 } = require('internal/util/validators');
const { kClone, kDeserialize } = require('internal/symbols/messaging');

const kCustomInspect = Symbol.for('nodejs.util.inspect.custom');
const hexLength = { ipv4: 8, ipv6: 32 };

function familyOf(family, name) {
  const lower = typeof family === 'string' ? stringToLowerCase.call(family) : family;
  if (lower !== 'ipv4' && lower !== 'ipv6') throw new codes.ERR_INVALID_ARG_VALUE(name, family);
  return lower;
}

class SocketAddress {
  #address;
  #bytes;
  #port;
  #family;
  #flowlabel;

  static isSocketAddress(value) {
    return value !== null && typeof value === 'object' && #address in value;
  }

  // An address with or without a port, as they stand in URLs.
  static parse(input) {
    validateString(input, 'input');
    const { URL } = require('internal/url/url_class');
    try {
      const { hostname, port } = new URL(`http://${input}`);
      const isV6 = stringStartsWith.call(hostname, '[') && stringEndsWith.call(hostname, ']');
      return new SocketAddress({
        address: isV6 ? stringSlice.call(hostname, 1, -1) : hostname,
        port: port | 0,
        family: isV6 ? 'ipv6' : 'ipv4',
      });
    } catch {
      return undefined;
    }
  }

  constructor(options = {}) {
    validateObject(options, 'options');
    let { family = 'ipv4' } = options;
    family = familyOf(family, 'options.family');
    const { address = family === 'ipv4' ? '127.0.0.1' : '::', port = 0, flowlabel = 0 } = options;
    validateString(address, 'options.address');
    validatePort(port, 'options.port');
    validateUint32(flowlabel, 'options.flowlabel', false);
    this.#fill({ address, port: port | 0, family, flowlabel });
  }

  #fill({ address, port, family, flowlabel }) {
    const found = parseIP(address);
    if (found === undefined || found[1].length !== hexLength[family]) throw new codes.ERR_INVALID_ADDRESS();
    [this.#address, this.#bytes] = each(found);
    this.#port = port;
    this.#family = family;
    this.#flowlabel = family === 'ipv6' ? flowlabel : 0;
  }

  get address() {
    return this.#address;
  }
  get port() {
    return this.#port;
  }
  get family() {
    return this.#family;
  }
  get flowlabel() {
    return this.#flowlabel;
  }

  toJSON() {
    return { address: this.#address, port: this.#port, family: this.#family, flowlabel: this.#flowlabel };
  }

  [kCustomInspect](depth, options, inspect) {
    if (depth < 0) return options.stylize('[SocketAddress]', 'special');
    return `SocketAddress ${inspect(this.toJSON(), { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }

  [kClone]() {
    return { data: this.toJSON(), deserializeInfo: 'internal/net/socket_address:InternalSocketAddress' };
  }
  [kDeserialize](data) {
    this.#fill(data);
  }

  // For BlockList: the bytes in hexadecimal.
  static bytesOf(value) {
    return value.#bytes;
  }
}
const { bytesOf } = SocketAddress;
delete SocketAddress.bytesOf;
for (const name of each([kClone, kDeserialize, kCustomInspect]))
  Object.defineProperty(SocketAddress.prototype, name, { enumerable: false });
for (const name of each(['address', 'port', 'family', 'flowlabel']))
  Object.defineProperty(SocketAddress.prototype, name, { enumerable: true });

const { setMode, kCloneable } = native('structured_clone');
setMode(SocketAddress.prototype, kCloneable);

module.exports = {
  SocketAddress,
  InternalSocketAddress: function InternalSocketAddress() {
    return new SocketAddress();
  },
  bytesOf,
  familyOf,
};
