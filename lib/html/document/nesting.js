// natives: none
// How deep the parser nests: 512 elements, as Chromium and WebKit do it. A deeper element becomes the neighbour of the element that it
// would have been in. Without it a page of nothing but opening tags takes time by the square of its length, because each element asks its
// ancestors.
'use strict';

const { patch } = require('html/jsdom/patches');

const kDeepest = 512;

const depths = new WeakMap(); // what the parser has put somewhere → how deep that was

function depthOf(node) {
  let depth = 0;
  for (let at = node; at !== null && depth < kDeepest; at = at.parentNode, depth++) {
    const known = depths.get(at);
    if (known !== undefined) return known + depth;
  }
  return depth;
}

// In the place of the parser's own, which takes its methods from the file of the serializer's, too.
function install() {
  patch('parser: append', () => (parent, node) => {
    const depth = depthOf(parent);
    // An element that has had its place already is only moved: the parser mends what was closed in the wrong order.
    const isTooDeep = depth >= kDeepest && !depths.has(node) && parent.parentNode !== null;
    depths.set(node, isTooDeep ? depth : depth + 1);
    (isTooDeep ? parent.parentNode : parent)._append(node);
  });
}

module.exports = { install };
