// natives: none
// What a window with a document has beyond html/window: rendering, input, scripted answers, and the dialogs that block.
'use strict';

const { loop, defineAll } = require('html/agent');
const requests = require('html/requests');
const { URL } = require('web/url');

// `origin`: whose storage it has.
function install(window, implOf, number, origin) {
  const rendering = require('html/rendering').install(window, number);
  const answers = { alert: [], confirm: [], prompt: [] };

  // https://html.spec.whatwg.org/#simple-dialogs: they block until they are dismissed, which rondo.dialog has said beforehand: what to answer, and
  // after how long. Without it they are dismissed at once.
  const dialog = (name, dismissed) => (message = '') => {
    require('console').log(`[${name}] ${message}`);
    const { answer = dismissed, after = 0 } = answers[name].shift() ?? {};
    loop.block(true);
    loop.advance(after);
    loop.block(false);
    return answer;
  };
  defineAll(window, { alert: dialog('alert', undefined), confirm: dialog('confirm', false), prompt: dialog('prompt', null) });
  Object.defineProperties(window.rondo, Object.getOwnPropertyDescriptors({
    input: require('html/input').install(window, implOf, rendering, number),
    layout: (element, box) => rendering.layout(element, box),
    // Every step of a database takes so many milliseconds.
    slowDatabase: (milliseconds) => require('html/database').setDelay(milliseconds),
    dialog(name, answer) {
      if (!(name in answers)) throw new window.TypeError('rondo.dialog takes alert, confirm or prompt');
      answers[name].push(answer);
    },
    get paints() { return rendering.paints; },
  }));
  require('html/database').install(window, origin);
  synchronousRequests(window, implOf);
  objectUrls(window, implOf, number);
  require('html/conform').install(window, implOf);
}

// https://w3c.github.io/FileAPI/#url: blobs of this page by address, for its requests, scripts and workers.
function objectUrls(window, implOf, number) {
  const made = new Set();  // "for each URL in the blob URL store whose environment is document's: remove it"
  require('html/discarding').onDiscard(number, () => { for (const url of each(made)) requests.blobs.delete(url); });
  defineAll(window.URL, {
    createObjectURL(blob) {
      if (!(blob instanceof window.Blob)) throw new window.TypeError("Failed to execute 'createObjectURL' on 'URL': parameter 1 is not of type 'Blob'.");
      const url = `blob:${window.location.origin}/${require('crypto').randomUUID()}`;
      requests.blobs.set(url, { type: blob.type, body: require('buffer').Buffer.from(implOf(blob)._bytes) });
      made.add(url);
      return url;
    },
    revokeObjectURL(url) {
      made.delete(`${url}`);
      requests.blobs.delete(`${url}`);
    },
  });
}

// https://xhr.spec.whatwg.org/#the-send()-method, with the synchronous flag set: nothing else runs until the answer is there.
function synchronousRequests(window, implOf) {
  const { prototype } = window.XMLHttpRequest;
  const { send } = prototype;
  const pack = require('html/pack');
  const HeaderList = pack.load('jsdom/lib/jsdom/living/fetch/header-list.js');
  prototype.send = function(body) {
    const impl = implOf(this);
    if (!impl._synchronous) return Reflect.apply(send, this, [body]);
    let answer;
    try {
      answer = requests.requestSync(impl._url, { method: impl._method, headers: impl._requestHeaders?.toJSON?.(), body: impl._body ?? undefined });
    } catch (error) {
      impl.readyState = 4;
      impl._error = error.message;
      throw new window.DOMException(`Failed to execute 'send' on 'XMLHttpRequest': ${error.message}`, 'NetworkError');
    }
    Object.assign(impl, {
      responseURL: answer.url, status: answer.status, statusText: answer.statusText, _responseBytes: new Uint8Array(answer.body),
      _totalReceivedChunkSize: answer.body.length, _responseHeaders: HeaderList.fromJSON(answer.headers), _filteredResponseHeaders: new Set(),
      _responseCache: null, _responseTextCache: null, _responseXMLCache: null, readyState: 4,
    });
    for (const type of each(['readystatechange', 'load', 'loadend'])) this.dispatchEvent(new window.ProgressEvent(type));
    return undefined;
  };
}

module.exports = { install };
