// natives: none
// What a window with a document has beyond html/window: rendering, input, scripted answers, and the dialogs that block.
'use strict';

const { loop, defineAll } = require('html/agent');
const requests = require('html/requests');
const { URL } = require('web/url');

function install(window, implOf) {
  const rendering = require('html/rendering').install(window);
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
    input: require('html/input').install(window, implOf, rendering),
    layout: (element, box) => rendering.layout(element, box),
    // Every step of a database takes so many milliseconds.
    slowDatabase: (milliseconds) => require('html/database').setDelay(milliseconds),
    dialog(name, answer) {
      if (!(name in answers)) throw new window.TypeError('rondo.dialog takes alert, confirm or prompt');
      answers[name].push(answer);
    },
    get paints() { return rendering.paints; },
  }));
  delete window.WebSocket;  // its pieces come from a package that is not loaded here
  require('html/database').install(window);
  synchronousRequests(window, implOf);
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
      answer = requests.requestSync(impl._url);
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
