// natives: net
// IP addresses in one spelling, for comparison.
'use strict';

const { parseIP } = native('net');

module.exports = { parseIP: (text) => parseIP(text)?.[0] };
