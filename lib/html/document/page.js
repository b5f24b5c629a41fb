// natives: none
// Parts of a window with a document beyond html/window/window: rendering, input, scripted answers, and the dialogs that block.
'use strict';

const { loop, defineAll } = require('html/agents/agent');
const requests = require('html/network/requests');
const sandbox = require('html/document/sandbox');

// `origin`: whose storage it has.
function install(window, implOf, cell, origin) {
  const rendering = require('html/document/rendering').install(window, cell);
  const answers = { alert: [], confirm: [], prompt: [] };

  // https://html.spec.whatwg.org/#simple-dialogs: they block until they are dismissed, which rondo.dialog has said beforehand: what
  // to answer, and after how long. Without it they are dismissed at once.
  const dialog =
    (name, dismissed) =>
    (message = '') => {
      if (sandbox.has(require('html/document/document').documentOf(window), 'modals')) return dismissed;
      require('internal/console/program').log(`[${name}] ${message}`);
      const { answer = dismissed, after = 0 } = answers[name].shift() ?? {};
      loop.block(true);
      loop.advance(after);
      loop.block(false);
      return answer;
    };
  defineAll(window, { alert: dialog('alert', undefined), confirm: dialog('confirm', false), prompt: dialog('prompt', null) });
  Object.defineProperties(
    window.rondo,
    Object.getOwnPropertyDescriptors({
      input: require('html/document/input').install(window, implOf, rendering, cell),
      layout: (element, box) => rendering.layout(element, box),
      // Every step of a database takes so many milliseconds.
      slowDatabase: (milliseconds) => require('html/window/database').setDelay(milliseconds),
      dialog(name, answer) {
        if (!(name in answers)) throw new window.TypeError('rondo.dialog takes alert, confirm or prompt');
        answers[name].push(answer);
      },
      get paints() {
        return rendering.paints;
      },
    }),
  );
  Object.defineProperty(window, 'isSecureContext', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => require('html/window/subtle').isSecure(window),
  });
  require('html/window/database').install(window, origin);
  objectUrls(window, implOf, cell);
  require('html/jsdom/fixes').install(window, implOf);
  sandbox.install(window, implOf);
  require('html/window/origin').installDomain(window, implOf);
}

// https://w3c.github.io/FileAPI/#url: blobs of this page by address, for its requests, scripts and workers.
function objectUrls(window, implOf, cell) {
  const made = new Set(); // "for each URL in the blob URL store whose environment is document's: remove it"
  require('html/agents/discarding').onDiscard(cell, () => {
    for (const url of each(made)) requests.blobs.delete(url);
  });
  defineAll(window.URL, {
    createObjectURL(blob) {
      if (!(blob instanceof window.Blob))
        throw new window.TypeError("Failed to execute 'createObjectURL' on 'URL': parameter 1 is not of type 'Blob'.");
      const { origin } = requests.clientOf(window);
      const url = `blob:${origin}/${require('internal/crypto/crypto').randomUUID()}`;
      requests.blobs.set(url, { origin, type: blob.type, body: require('internal/buffer/buffer').Buffer.from(implOf(blob)._bytes) });
      made.add(url);
      return url;
    },
    revokeObjectURL(url) {
      made.delete(`${url}`);
      requests.blobs.delete(`${url}`);
    },
  });
}

module.exports = { install };
