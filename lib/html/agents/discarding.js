// natives: none
// Discarding a document (https://html.spec.whatwg.org/#discard-a-document): modules of lib/html that keep a window in a list of
// their own register here, so that a window that has been closed, removed with its frame or navigated away from can be collected.
'use strict';

const { loop } = require('html/agents/agent');

const cleaners = new Map(); // cell of a document → functions to call when it is discarded

// Without one (workers and worklets, whose scope ends with their thread) nothing is registered.
function onDiscard(document, clean) {
  if (document === undefined) return;
  if (cleaners.has(document)) cleaners.get(document).push(clean);
  else cleaners.set(document, [clean]);
}

function discard(document) {
  const list = cleaners.get(document) ?? [];
  cleaners.delete(document);
  for (const clean of each(list)) clean();
  loop.discardDocument(document);
}

module.exports = { onDiscard, discard };
