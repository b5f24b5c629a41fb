// See http_head.h.
#include "inspector/http_head.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>

namespace rondo::inspector {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Without the port, and without the brackets of an IPv6 address.
std::string_view host_name(std::string_view host) {
  if (host.starts_with('[')) {
    const auto end = host.find(']');
    return end == std::string_view::npos ? std::string_view() : host.substr(1, end - 1);
  }
  const auto colon = host.rfind(':');
  if (colon == std::string_view::npos || host.find(':') != colon) return host;
  return host.substr(0, colon);
}

bool is_address(const std::string& name) {
  in6_addr address;
  return inet_pton(AF_INET, name.c_str(), &address) == 1 || inet_pton(AF_INET6, name.c_str(), &address) == 1;
}

}  // namespace

std::string_view RequestHead::field(const std::string& name) const {
  const auto found = fields.find(name);
  return found == fields.end() ? std::string_view() : found->second;
}

bool RequestHead::is_upgrade() const {
  return lower(field("upgrade")) == "websocket" && lower(field("connection")).find("upgrade") != std::string::npos;
}

std::optional<RequestHead> parse_head(std::string_view text) {
  RequestHead head;
  bool is_first = true;
  while (!text.empty()) {
    const auto end = text.find("\r\n");
    const auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    if (is_first) {
      is_first = false;
      const auto first = line.find(' '), last = line.rfind(' ');
      if (first == std::string_view::npos || first == last || !line.substr(last + 1).starts_with("HTTP/1."))
        return std::nullopt;
      head.method = line.substr(0, first);
      head.path = line.substr(first + 1, last - first - 1);
      continue;
    }
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    head.fields.insert_or_assign(lower(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1))));
  }
  return is_first ? std::nullopt : std::optional(std::move(head));
}

bool is_allowed_host(std::string_view host) {
  if (host.empty()) return true;  // no browser leaves it out
  const auto name = lower(host_name(host));
  return name == "localhost" || name == "localhost." || name == "localhost6" || is_address(name);
}

bool is_allowed_origin(std::string_view origin) {
  constexpr std::string_view kFrontEnds[] = {"devtools://",    "chrome-devtools://",
                                             "vscode-file://", "vscode-webview://",
                                             "file://",        "https://chrome-devtools-frontend.appspot.com"};
  if (origin.empty()) return true;
  return std::ranges::any_of(kFrontEnds, [&](std::string_view prefix) { return origin.starts_with(prefix); });
}

}  // namespace rondo::inspector
