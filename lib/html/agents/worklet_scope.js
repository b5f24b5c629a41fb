// natives: none
// A worklet's global scope (https://html.spec.whatwg.org/#worklets): a realm on a worklet event loop, the third kind. Modules are all that
// runs there; html/window/rondo has the owner's side (rondo.worklet).
'use strict';

const { sources, queueTask, defineAll } = require('html/agents/agent');
const { createScope } = require('html/window/bare_window');
const requests = require('html/network/requests');

function start(request, link) {
  requests.adopt(request.requests);
  const scope = createScope('WorkletGlobalScope', []);
  requests.addClient(scope, { href: request.from, origin: request.origin });
  require('html/window/events').install(scope);
  require('html/window/rondo').install(scope);
  defineAll(scope, { console: require('html/agents/worker_scope').makeConsole() });
  require('html/agents/reports').setWindow(scope);
  const modules = require('html/window/modules').of(scope);
  return {
    // https://html.spec.whatwg.org/#dom-worklet-addmodule
    take({ id, url }) {
      queueTask(sources.networking, () => {
        const answer = (error) => link.send({ type: 'added', id, error: error === undefined ? undefined : `${error?.message ?? error}` });
        try {
          const { done } = modules.run(url);
          if (done === undefined) answer();
          else promiseThen(done, () => answer(), answer);
        } catch (error) {
          answer(error);
        }
      });
    },
  };
}

module.exports = { start };
