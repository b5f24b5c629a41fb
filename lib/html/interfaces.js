// natives: none
// The interfaces of a window with a document, about two hundred, each made when it is first touched: a page uses a few, and to make them all takes
// longer than to show the page.
'use strict';

const { later } = require('html/agent');
const pack = require('html/pack');

const kJsdom = 'jsdom/lib/jsdom';

function installPaths(window) {
  let isMade = false;
  const make = () => {
    if (isMade) return;
    isMade = true;
    pack.load(`${kJsdom}/level3/xpath.js`)(window);
  };
  for (const name of each(['XPathException', 'XPathExpression', 'XPathResult', 'XPathEvaluator'])) later(window, name, make);
  for (const name of each(['createExpression', 'createNSResolver', 'evaluate'])) later(window.Document.prototype, name, make);
}

let hasCanvas = false;
function drawOnCanvas() {
  if (!hasCanvas) require('html/canvas').installElements();
  hasCanvas = true;
}

// In the place of jsdom's function of this name.
function installInterfaces(window, globalNames) {
  const { interfaces } = pack.load(`${kJsdom}/living/interfaces.js`);
  const registry = pack.load('jsdom/lib/generated/idl/utils.js').initCtorRegistry(window);
  for (const name of each(Object.keys(interfaces))) {
    const make = () => {
      delete registry[name];
      if (name === 'HTMLCanvasElement') drawOnCanvas();
      interfaces[name].install(window, globalNames);
      if (name === 'DOMException') Object.setPrototypeOf(window.DOMException.prototype, window.Error.prototype);
    };
    later(registry, name, make);
    later(window, name, () => registry[name]);
  }
  for (const [name, other] of eachEntry([['HTMLDocument', 'Document'], ['webkitURL', 'URL']])) {
    later(window, name, () => { window[name] = window[other]; });
  }
  installPaths(window);
}

module.exports = { installInterfaces };
