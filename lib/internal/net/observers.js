// natives: modules
//
// Observers of the network: subscribers of diagnostics_channel (net.client.socket,
// net.server.socket, tracing net.server.listen) and PerformanceObservers of
// 'net' and 'dns'. Neither module is loaded for their sake: without it nobody
// can be watching.

'use strict';

const { hasLoadedBuiltin } = native('modules');

let channels;

function loadedChannels() {
  if (channels === undefined && hasLoadedBuiltin('diagnostics_channel')) {
    const { channel, tracingChannel } = require('internal/events/diagnostics_channel');
    channels = { client: channel('net.client.socket'), server: channel('net.server.socket'), listen: tracingChannel('net.server.listen') };
  }
  return channels;
}

// `which`: 'client' or 'server'.
function tellSocket(which, socket) {
  const channel = loadedChannels()?.[which];
  if (channel?.hasSubscribers) channel.publish({ socket });
}

// `stage`: 'asyncStart', 'asyncEnd' or 'error'.
function tellListen(stage, message) {
  const listen = loadedChannels()?.listen;
  if (listen?.hasSubscribers) listen[stage].publish(message);
}

// The beginning of something that observers of `type` want to know, or undefined.
function beginEntry(type, name, detail) {
  if (!hasLoadedBuiltin('internal/perf/timeline') || !require('internal/perf/timeline').hasObserver(type)) return undefined;
  return { type, name, detail, start: require('internal/perf/clock').now() };
}

function endEntry(begun, more) {
  if (begun === undefined) return;
  const { type, name, detail, start } = begun;
  const duration = require('internal/perf/clock').now() - start;
  const { makeNodeEntry } = require('internal/perf/entries');
  require('internal/perf/timeline').enqueue(makeNodeEntry(name, type, start, duration, { ...detail, ...more }), false);
}

module.exports = { tellSocket, tellListen, beginEntry, endEntry };
