// natives: none
// Internationalised domain names: the URL Standard's "domain to ASCII" (https://url.spec.whatwg.org/#concept-domain-to-ascii) by
// Unicode's UTS #46, with the tables of the npm package tr46, which are younger than the engine's. Called by the URL parser for
// domains that are not plain ASCII; the ASCII ones never come here.
'use strict';

const regexes = require('tr46/lib/regexes');
const { toASCII } = require('tr46/index');

// The engine's search (of revision f8aa36d) looks into the middle of a surrogate pair too, where these would find a surrogate.
for (const name of each(['bidiS1LTR', 'bidiS5', 'bidiS6'])) {
  regexes[name] = new RegExp(stringReplace.call(regexes[name].source, '\\uD800-', '\\uE000-'), 'u');
}

const options = { checkBidi: true, checkJoiners: true };

// null when it is no domain; what an ASCII host must not hold is the caller's to check.
function domainToASCII(domain) {
  return toASCII(domain, options);
}

module.exports = { domainToASCII };
