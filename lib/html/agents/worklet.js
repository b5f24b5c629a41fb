// natives: none
// rondo.worklet: a Worklet (https://html.spec.whatwg.org/#worklets) without a purpose of its own, to run modules on a worklet event loop.
'use strict';

const { sources, queueTask } = require('html/agents/agent');
const requests = require('html/network/requests');
const { URL } = require('internal/url/url_class');

function create(window) {
  const waiting = new Map(); // number → { resolve, reject }
  let agent;
  let last = 0;
  const start = () => {
    const { Agent } = require('html/agents/agents');
    const { origin, address, folder } = requests.clientOf(window);
    return new Agent('worklet', '', { origin, from: address(), requests: { ...requests.state(), folder } }, ({ id, error }) => {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      queueTask(sources.networking, () => (error === undefined ? resolve() : reject(new window.DOMException(error, 'AbortError'))));
    });
  };
  return {
    addModule(url) {
      return new window.Promise((resolve, reject) => {
        const base = window.document?.baseURI ?? window.location.href;
        if (!URL.canParse(`${url}`, base)) throw new window.DOMException(`'${url}' is not a valid URL.`, 'SyntaxError');
        agent ??= start();
        const id = ++last;
        waiting.set(id, { resolve, reject });
        agent.link.send({ type: 'add', id, url: new URL(`${url}`, base).href });
      });
    },
  };
}

module.exports = { create };
