// Domain names that are not plain ASCII, by UTS #46 as the URL Standard uses it.
'use strict';
const assert = require('node:assert');
const url = require('node:url');

const host = (domain) => URL.parse(`https://${domain}/`)?.host ?? null;
for (const [domain, expected] of [
  ['fa\u00df.de', 'xn--fa-hia.de'],             // kept, not mapped to ss
  ['\u03b2\u03cc\u03bb\u03bf\u03c2.com', 'xn--nxasmm1c.com'],
  ['B\u00dcCHER.example', 'xn--bcher-kva.example'],
  ['a\u3002b', 'a.b'],                           // an ideographic full stop
  ['\uff21\uff22', 'ab'],
  ['a\u00adb', 'ab'],                            // a soft hyphen is ignored
  ['xn--bcher-kva', 'xn--bcher-kva'],
  ['\u1e9e.de', 'xn--zca.de'],
  ['XN--a.b', 'xn--a.b'],                        // ASCII is as it is
  ['xn--\u00fc', null],
  ['\u{1e937}', 'xn--ve6h'],                     // beyond the basic plane, from right to left
  ['<\u0338', 'xn--gdh'],
  ['<', null],
  ['a\u200cb', null],                            // a joiner where it joins nothing
  ['\u0308a', null],                             // a mark at the beginning
  ['\u05d0a', null],                             // both directions
  ['\u{33479}', 'xn--sm5o'],                     // assigned by Unicode 17
  ['\u{3e8ac}', null],                           // not before Unicode 18: Node and browsers refuse it
]) assert.strictEqual(host(domain), expected, JSON.stringify(domain));
assert.strictEqual(url.domainToASCII('espa\u00f1ol.com'), 'xn--espaol-zwa.com');
assert.strictEqual(url.domainToASCII('xn--i\u00f1valid.com'), '');
assert.strictEqual(url.domainToUnicode('xn--espaol-zwa.com'), 'espa\u00f1ol.com');
