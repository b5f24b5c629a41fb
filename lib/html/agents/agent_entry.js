// natives: none
// Entry point of the thread of an agent that another one owns: it takes the line to its owner (html/agents/agents), on which waits what it
// is to be.
'use strict';

const { kReceive } = require('internal/symbols/messaging');
const { post } = require('internal/messaging/post_message');
const { Link } = require('html/agents/links');

const scopes = {
  __proto__: null,
  worker: 'html/agents/worker_scope',
  worklet: 'html/agents/worklet_scope',
  window: 'html/agents/frame_scope',
};

function run(request, handle) {
  require('html/agents/realm').close();
  const receiver = {
    [kReceive](message, type, ports) {
      scope.take(message, ports);
    },
  };
  const link = new Link((message, transfer) => post(handle, receiver, message, transfer));
  require('html/agents/reports').start();
  const scope = require(scopes[request.kind]).start(request, link);
  handle.setOwner(receiver);
  handle.start();
}

module.exports = { run };
