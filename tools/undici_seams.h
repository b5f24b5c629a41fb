// Where embedded undici meets this runtime: each row says what stands in a file of the package, exactly once, and what the
// binary carries instead. Read by tools/embed.cpp, which refuses to build when a row no longer fits. docs/decisions/0036-undici-embedded-file-by-file.md says why.
#pragma once

#include <string_view>

namespace rondo::tools {

struct Seam {
  std::string_view id;
  std::string_view before;
  std::string_view after;
  std::string_view until = {};  // if given, everything from `before` up to here is replaced
};

inline constexpr Seam kUndiciSeams[] = {
    // The experimental second parser is not embedded; Node leaves it out by the same question.
    {"undici/lib/dispatcher/client-h1",
     "typeof esbuildDetection === 'undefined'\n  ? require('./parser-h1.js')\n  : {}", "{}"},
    {"undici/lib/dispatcher/client-h1",
     "typeof esbuildDetection === 'undefined' && (client[kUseMilo] ?? getMiloEnabled())\n", "false\n"},
    // Request takes the conversion of bodies from the file of Response when it is loaded; WebSocket and EventSource load Request alone.
    {"undici/lib/web/fetch/request", "const { kConstruct } = require('../../core/symbols')\n",
     "const { kConstruct } = require('../../core/symbols')\nrequire('./response')\n"},
    // The name that a server sees is the one Node's own fetch gives.
    {"undici/lib/web/fetch/index",
     "typeof __UNDICI_IS_NODE__ !== 'undefined' || typeof esbuildDetection !== 'undefined'", "true"},
    // node:http and node:zlib are loaded when something of them is needed: a plain fetch needs neither.
    {"undici/lib/core/util", "const { IncomingMessage } = require('node:http')\n", "\n"},
    {"undici/lib/core/util", "Object.getPrototypeOf(stream).constructor === IncomingMessage",
     "Object.getPrototypeOf(stream)?.constructor?.name === 'IncomingMessage' &&\n"
     "        Object.getPrototypeOf(stream).constructor === require('node:http').IncomingMessage"},
    {"undici/lib/dispatcher/client", "const http = require('node:http')",
     "const http = { maxHeaderSize: require('internal/process/options').getOptionValue('--max-http-header-size') || "
     "16384 }"},
    {"undici/lib/web/fetch/index", "const { STATUS_CODES } = require('node:http')\n", "\n"},
    {"undici/lib/web/fetch/index", "STATUS_CODES[status]",
     "status === 101 ? 'Switching Protocols' : require('node:http').STATUS_CODES[status]"},
    {"undici/lib/web/fetch/index", "require('node:zlib')", "require('internal/fetch/lazy_zlib')"},
    {"undici/lib/web/fetch/util", "require('node:zlib')", "require('internal/fetch/lazy_zlib')"},
    {"undici/lib/web/websocket/permessage-deflate", "require('node:zlib')", "require('internal/fetch/lazy_zlib')"},
    {"undici/lib/web/webidl/index", "require('node:worker_threads')", "require('internal/messaging/structured_clone')"},
    // One MessageEvent, the one that message ports use.
    {"undici/lib/web/websocket/events", "let createFastMessageEvent\n",
     "const { MessageEvent } = require('internal/messaging/message_event')\n"
     "const createFastMessageEvent = (type, init) => new MessageEvent(type, init)\n"},
    {"undici/lib/web/websocket/events", "class MessageEvent extends Event {", "",
     "/**\n * @see https://websockets.spec.whatwg.org/#the-closeevent-interface"},
    // A Response of text or bytes with plain fields, and the Request of a server, are laid out as undici keeps them only when
    // somebody looks inside; rondo:serve answers most requests without (decision 0037).
    {"undici/lib/web/fetch/response",
     "let getResponseHeaders, setResponseHeaders, getResponseState, setResponseState\n",
     R"js(const { leanResponse, leanJson, initOf } = require('internal/fetch/lean_response')
let getResponseHeaders, setResponseHeaders, getResponseState, setResponseState, leanResponseOf
)js"},
    {"undici/lib/web/fetch/response", "  /** @type {Headers} */\n  #headers\n\n  #state\n", R"js(  #lean
  #laidHeaders
  #laidState

  get #headers () {
    if (this.#lean !== undefined) this.#lay()
    return this.#laidHeaders
  }

  set #headers (headers) {
    this.#laidHeaders = headers
  }

  get #state () {
    if (this.#lean !== undefined) this.#lay()
    return this.#laidState
  }

  set #state (state) {
    this.#laidState = state
  }

  #lay () {
    const lean = this.#lean
    this.#lean = undefined
    this.#fill(lean.body, initOf(lean))
  }
)js"},
    {"undici/lib/web/fetch/response", "    if (body === kConstruct) {\n      return\n    }\n",
     R"js(    if (body === kConstruct) {
      return
    }

    this.#lean = leanResponse(body, init)
    if (this.#lean === undefined) this.#fill(body, init)
  }

  #fill (body, init) {
)js"},
    {"undici/lib/web/fetch/response", "    // 1. Let bytes the result of running serialize",
     R"js(    const lean = leanJson(data, init)
    if (lean !== undefined) {
      const response = new Response(kConstruct)
      response.#lean = lean
      return response
    }

    // 1. Let bytes the result of running serialize)js"},
    {"undici/lib/web/fetch/response", "    getResponseHeaders = (response) => {",
     R"js(    // What a response keeps lean, undefined when it is laid out, null of anything else.
    leanResponseOf = (value) => typeof value === 'object' && value !== null && #lean in value ? value.#lean : null

    getResponseHeaders = (response) => {)js"},
    {"undici/lib/web/fetch/response", "  fromInnerResponse,\n  getResponseState\n",
     "  fromInnerResponse,\n  getResponseState,\n  leanResponseOf\n"},
    {"undici/lib/web/fetch/request", "let setRequestSignal, ", "let leanRequest, requestLeanOf, setRequestSignal, "},
    {"undici/lib/web/fetch/request", "  /** @type {AbortSignal} */\n  #signal\n", R"js(  #lean
  #laidSignal
  #laidHeaders
  #laidState

  get #signal () {
    if (this.#laidSignal === undefined && this.#lean !== undefined) this.#laidSignal = this.#lean.signal
    return this.#laidSignal
  }

  set #signal (signal) {
    this.#laidSignal = signal
  }

  get #headers () {
    if (this.#laidHeaders === undefined && this.#lean !== undefined) {
      this.#laidHeaders = new Headers(kConstruct)
      setHeadersList(this.#laidHeaders, this.#lean.headersList(HeadersList))
      setHeadersGuard(this.#laidHeaders, 'immutable')
    }
    return this.#laidHeaders
  }

  set #headers (headers) {
    this.#laidHeaders = headers
  }

  get #state () {
    if (this.#laidState === undefined && this.#lean !== undefined) {
      const { method, url, body } = this.#lean
      this.#laidState = makeRequest({ method, urlList: [new URL(url)], body, mode: 'cors' })
      this.#laidState.headersList = getHeadersList(this.#headers)
    }
    return this.#laidState
  }

  set #state (state) {
    this.#laidState = state
  }
)js"},
    {"undici/lib/web/fetch/request", "  /** @type {Headers} */\n  #headers\n\n  #state\n", "\n"},
    {"undici/lib/web/fetch/request", "    return this.#state.method\n",
     "    return this.#lean === undefined ? this.#state.method : this.#lean.method\n"},
    {"undici/lib/web/fetch/request", "    return URLSerializer(this.#state.url)\n",
     "    return this.#lean === undefined ? URLSerializer(this.#state.url) : this.#lean.url\n"},
    {"undici/lib/web/fetch/request", "    setRequestSignal = (request, newSignal) => {",
     R"js(    leanRequest = (lean) => {
      const request = new Request(kConstruct)
      request.#lean = lean
      return request
    }
    requestLeanOf = (value) => typeof value === 'object' && value !== null && #lean in value ? value.#lean : undefined

    setRequestSignal = (request, newSignal) => {)js"},
    {"undici/lib/web/fetch/request", "module.exports = {\n", "module.exports = {\n  leanRequest,\n  requestLeanOf,\n"},
};

}  // namespace rondo::tools
