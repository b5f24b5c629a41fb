// natives: none
// Discarding a document (https://html.spec.whatwg.org/#discard-a-document): modules of lib/html that keep a window in a list of their own
// register here, so that a window that has been closed, removed with its frame or navigated away from can be collected.
'use strict';

const { loop } = require('html/agent');

const cleaners = new Map(); // number of a document → functions to call when it is discarded

// Without a number (workers and worklets, whose scope ends with their thread) nothing is registered.
function onDiscard(number, clean) {
  if (number === undefined) return;
  if (cleaners.has(number)) cleaners.get(number).push(clean);
  else cleaners.set(number, [clean]);
}

function discard(number) {
  const list = cleaners.get(number) ?? [];
  cleaners.delete(number);
  for (const clean of each(list)) clean();
  loop.discardDocument(number);
}

module.exports = { onDiscard, discard };
