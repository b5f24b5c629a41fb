// natives: none
// Observers of HTTP: the diagnostics channels, and PerformanceObservers of 'http'. Without any, the cost is one look.
'use strict';

const { channel } = require('internal/events/diagnostics_channel');

const requestStart = channel('http.server.request.start');
const responseCreatedChannel = channel('http.server.response.created');
const responseFinish = channel('http.server.response.finish');
const clientCreated = channel('http.client.request.created');
const clientStart = channel('http.client.request.start');
const clientError = channel('http.client.request.error');
const clientFinish = channel('http.client.response.finish');

// Whether a PerformanceObserver asks for 'http' (internal/perf/timeline says so here).
const watched = require('internal/http/perf_flag');
const started = new WeakMap();

function begin(message, name, detail) {
  const { beginEntry } = require('internal/net/observers');
  const begun = beginEntry('http', name, detail);
  if (begun !== undefined) started.set(message, begun);
}

function end(message, detail) {
  require('internal/net/observers').endEntry(started.get(message), detail);
  started.delete(message);
}

const headersOf = (message) => (typeof message.getHeaders === 'function' ? message.getHeaders() : {});

module.exports = {
  responseCreated(request, response) {
    if (responseCreatedChannel.hasSubscribers) responseCreatedChannel.publish({ request, response });
    if (watched.byPerformance)
      begin(response, 'HttpRequest', { req: { method: request.method, url: request.url, headers: request.headers } });
  },
  responseSent(response) {
    if (!watched.byPerformance) return;
    const { statusCode, statusMessage } = response;
    end(response, { res: { statusCode, statusMessage, headers: headersOf(response) } });
  },
  requestStarted(request, response, socket, server) {
    if (requestStart.hasSubscribers) requestStart.publish({ request, response, socket, server });
  },
  responseFinished(request, response, socket, server) {
    if (responseFinish.hasSubscribers) responseFinish.publish({ request, response, socket, server });
  },

  clientRequestCreated(request) {
    if (clientCreated.hasSubscribers) clientCreated.publish({ request });
  },
  clientRequestSent(request, url) {
    if (watched.byPerformance) begin(request, 'HttpClient', { req: { method: request.method, url: url(), headers: headersOf(request) } });
    if (clientStart.hasSubscribers) clientStart.publish({ request });
  },
  clientFailed(request, error) {
    if (clientError.hasSubscribers) clientError.publish({ request, error });
  },
  clientAnswered(request, response) {
    if (watched.byPerformance) {
      const { statusCode, statusMessage, headers } = response;
      end(request, { res: { statusCode, statusMessage, headers } });
    }
    if (clientFinish.hasSubscribers) clientFinish.publish({ request, response });
  },
};
