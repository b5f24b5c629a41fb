// natives: messaging, html
// Entry point of the thread of an agent that another one owns: it takes the line to its owner (html/agents), on which waits what it is to
// be.
'use strict';

const messaging = native('messaging');
const loop = native('html');
const { kReceive } = require('internal/symbols/messaging');
const { post } = require('internal/messaging/post_message');
const { Link } = require('html/links');

const kSettledHook = 3;

const scopes = { __proto__: null, worker: 'html/worker_scope', worklet: 'html/worklet_scope', window: 'html/frame_scope' };

function run(request, handle) {
  require('html/realm').close();
  const { read } = request;
  const receiver = {
    [kReceive](message) {
      if (!link.receive(message)) scope.take(message);
      Atomics.add(read, 0, 1);
      link.arrived();
    },
  };
  const link = new Link((message, transfer) => {
    post(handle, receiver, message, transfer);
    return true;
  }, 1);
  require('html/reports').start();
  const scope = require(scopes[request.kind]).start(request, link);
  loop.setHook(kSettledHook, () => {
    link.send({ type: 'settled', read: Atomics.load(read, 0) });
  });
  messaging.own(handle, receiver);
  messaging.start(handle);
}

module.exports = { run };
