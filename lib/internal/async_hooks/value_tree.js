// natives: none
// A tree of values by small whole numbers that is never changed: set() makes a new one, which shares with the old all but the nodes on the
// way to the value. Reading and writing touch one node for each factor of sixteen in the largest number. AsyncLocalStorage keeps
// its values in one.
'use strict';

const kBits = 4;
const kWidth = 1 << kBits;
const kMask = kWidth - 1;
const kAbsent = Symbol('absent');

// `shift`: how far a number is shifted to the right to be an index into `slots`. At 0 the slots are values, above it nodes or kAbsent.
class Node {
  constructor(shift, slots) {
    this.shift = shift;
    this.slots = slots;
  }
}

const emptySlots = () => arrayFill.call(new Array(kWidth), kAbsent);

function get(tree, number) {
  if (tree === null || number >>> tree.shift >= kWidth) return kAbsent;
  let node = tree;
  while (node.shift > 0) {
    node = node.slots[(number >>> node.shift) & kMask];
    if (node === kAbsent) return kAbsent;
  }
  return node.slots[number & kMask];
}

function set(tree, number, value) {
  let root = tree ?? new Node(0, emptySlots());
  while (number >>> root.shift >= kWidth) {
    const slots = emptySlots();
    slots[0] = root;
    root = new Node(root.shift + kBits, slots);
  }
  return withValue(root, root.shift, number, value);
}

function withValue(node, shift, number, value) {
  const slots = node === kAbsent ? emptySlots() : arraySlice.call(node.slots);
  const index = (number >>> shift) & kMask;
  slots[index] = shift === 0 ? value : withValue(slots[index], shift - kBits, number, value);
  return new Node(shift, slots);
}

module.exports = { kAbsent, get, set };
