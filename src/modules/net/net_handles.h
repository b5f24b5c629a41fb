// Shared by the files of native('net') and native('dns').
#pragma once

#include "modules/support/stream_object.h"

namespace rondo::modules::net {

inline constexpr Source kTcpServer{"server", "TCPSERVERWRAP"}, kPipeServer{"server", "PIPESERVERWRAP"};

// [host or path, port, family] or undefined.
engine::Value address_array(JSC::JSGlobalObject* realm, const Result<Address>& address);
Result<Address> parse_address(const std::string& host, int port);

void init_server(Runtime& runtime, JSC::JSObject* target);
extern const std::span<const engine::FunctionSpec> kBoundFunctions;
// Methods of streams for HTTP (net_http.cpp) and rondo:serve (net_serve.cpp): a whole message in one write.
extern const std::span<const engine::FunctionSpec> kHttpStreamMethods, kServeStreamMethods;

}  // namespace rondo::modules::net
