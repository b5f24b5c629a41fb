// natives: none
// The Date header: made once a second at most, in milliseconds of which the clock is asked anyway.
'use strict';

let text = '';
let line = '';
let until = 0;

function utcDate() {
  const now = Date.now();
  if (now >= until || now < until - 1000) {
    until = now - (now % 1000) + 1000;
    text = dateToUTCString.call(new Date(now));
    line = `Date: ${text}\r\n`;
  }
  return text;
}

function dateLine() {
  utcDate();
  return line;
}

module.exports = { dateLine, utcDate };
