// The head of a request to the inspector's server, and whether it may be answered. A page that a browser shows can reach a server on
// this machine: by its name made to point here (Host tells), or by a WebSocket (Origin tells). Both are refused.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace rondo::inspector {

struct RequestHead {
  std::string method;
  std::string path;
  std::map<std::string, std::string> fields;  // names in lower case

  std::string_view field(const std::string& name) const;
  bool is_upgrade() const;
};

// `text` up to and without the empty line; none when it is no request.
std::optional<RequestHead> parse_head(std::string_view text);

// An address, or a name that always means this machine.
bool is_allowed_host(std::string_view host);
// None, or a debugger's front end: no page of the web.
bool is_allowed_origin(std::string_view origin);

}  // namespace rondo::inspector
