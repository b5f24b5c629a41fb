// natives: none
// net.BlockList: addresses, ranges and subnets, and whether an address is among them. IPv4 addresses and the IPv6 addresses they
// are mapped to are the same. Addresses are compared as text: their bytes in hexadecimal, which sort as the numbers do.
'use strict';

const { codes } = require('internal/errors/coded');
const { validateInt32, validateString } = require('internal/util/validators');
const { SocketAddress, bytesOf, familyOf } = require('internal/net/socket_address');

const { kClone, kDeserialize } = require('internal/symbols/messaging');

const kCustomInspect = Symbol.for('nodejs.util.inspect.custom');
const kMapped = '00000000000000000000ffff';
const shownFamily = { ipv4: 'IPv4', ipv6: 'IPv6' };
const bitsOf = { ipv4: 32, ipv6: 128 };

function toSocketAddress(address, family, name = 'address') {
  if (SocketAddress.isSocketAddress(address)) return address;
  validateString(address, name);
  validateString(family, 'family');
  return new SocketAddress({ address, family });
}

// The forms of one address: its own, and the other family's where there is one.
function formsOf(address) {
  const bytes = bytesOf(address);
  if (bytes.length === 8) return [bytes, kMapped + bytes];
  return stringStartsWith.call(bytes, kMapped) ? [bytes, stringSlice.call(bytes, 24)] : [bytes];
}

function bitsOfHex(hex) {
  let bits = '';
  for (const digit of each(hex)) bits += stringPadStart.call(numberToString.call(parseInt(digit, 16), 2), 4, '0');
  return bits;
}

class BlockList {
  #rules = []; // newest first: { text, matches(hex) }

  constructor() {
    require('internal/messaging/structured_clone').markTransferMode(this, true, false);
  }

  [kClone]() {
    return { data: { rules: arrayToReversed.call(this.rules) }, deserializeInfo: 'internal/net/block_list:InternalBlockList' };
  }
  [kDeserialize]({ rules }) {
    this.fromJSON(rules);
  }

  static isBlockList(value) {
    return value !== null && typeof value === 'object' && #rules in value;
  }

  #add(text, matches) {
    if (!arraySome.call(this.#rules, (rule) => rule.text === text)) arrayUnshift.call(this.#rules, { text, matches });
  }

  addAddress(address, family = 'ipv4') {
    const one = toSocketAddress(address, family);
    const bytes = bytesOf(one);
    this.#add(`Address: ${shownFamily[one.family]} ${one.address}`, (hex) => hex === bytes);
  }

  addRange(start, end, family = 'ipv4') {
    const first = toSocketAddress(start, family, 'start');
    const last = toSocketAddress(end, family, 'end');
    const from = bytesOf(first);
    const to = bytesOf(last);
    if (from.length !== to.length || from > to) throw new codes.ERR_INVALID_ARG_VALUE('start', start, 'must come before end');
    this.#add(
      `Range: ${shownFamily[first.family]} ${first.address}-${last.address}`,
      (hex) => hex.length === from.length && hex >= from && hex <= to,
    );
  }

  addSubnet(network, prefix, family = 'ipv4') {
    if (!SocketAddress.isSocketAddress(network)) {
      validateString(network, 'network');
      validateString(family, 'family');
    }
    const kind = SocketAddress.isSocketAddress(network) ? network.family : familyOf(family, 'family');
    const one = toSocketAddress(network, kind, 'network');
    validateInt32(prefix, 'prefix', 0, bitsOf[kind]);
    const start = stringSlice.call(bitsOfHex(bytesOf(one)), 0, prefix);
    const { length } = bytesOf(one);
    this.#add(
      `Subnet: ${shownFamily[kind]} ${one.address}/${prefix}`,
      (hex) => hex.length === length && stringStartsWith.call(bitsOfHex(hex), start),
    );
  }

  check(address, family = 'ipv4') {
    let one = address;
    if (!SocketAddress.isSocketAddress(address)) {
      validateString(address, 'address');
      validateString(family, 'family');
      try {
        one = new SocketAddress({ address, family });
      } catch {
        return false; // what is no address is not blocked
      }
    }
    return arraySome.call(formsOf(one), (hex) => arraySome.call(this.#rules, (rule) => rule.matches(hex)));
  }

  get rules() {
    return arrayMap.call(this.#rules, (rule) => rule.text);
  }

  toJSON() {
    return this.rules;
  }

  fromJSON(data) {
    const rules = typeof data === 'string' ? JSON.parse(data) : data;
    if (!Array.isArray(rules) || arraySome.call(rules, (rule) => typeof rule !== 'string')) {
      throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'string[]'], data);
    }
    for (const rule of each(rules)) this.#addText(rule);
  }

  // Rules as `rules` shows them; others are passed over.
  #addText(rule) {
    const [, kind, version, what] = each(regexpExec.call(/^(Address|Range|Subnet): IPv([46]) (.+)$/, rule) ?? []);
    const family = `ipv${version}`;
    if (kind === 'Address') {
      this.addAddress(what, family);
    } else if (kind === 'Range') {
      const [start, end] = each(stringSplit.call(what, '-'));
      this.addRange(start, end, family);
    } else if (kind === 'Subnet') {
      const [network, prefix] = each(stringSplit.call(what, '/'));
      this.addSubnet(network, Number(prefix), family);
    }
  }

  [kCustomInspect](depth, options, inspect) {
    if (depth < 0) return options.stylize('[BlockList]', 'special');
    return `BlockList ${inspect({ rules: this.rules }, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }
}

for (const name of each([kClone, kDeserialize])) Object.defineProperty(BlockList.prototype, name, { enumerable: false });

module.exports = {
  BlockList,
  InternalBlockList: function InternalBlockList() {
    return new BlockList();
  },
};
