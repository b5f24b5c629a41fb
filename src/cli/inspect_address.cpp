// See inspect_address.h.
#include "cli/inspect_address.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace rondo::cli {

std::optional<std::string> inspect_address(const std::string& given) {
  std::string host = "127.0.0.1", port = "9229";
  const auto colon = given.rfind(':');
  if (given.starts_with('[')) {
    const auto end = given.find(']');
    if (end == std::string::npos) return std::nullopt;
    host = given.substr(1, end - 1);
    if (end + 1 < given.size()) port = given.substr(end + 2);
  } else if (colon != std::string::npos) {
    host = given.substr(0, colon);
    port = given.substr(colon + 1);
  } else if (!given.empty() && std::ranges::all_of(given, [](char c) { return c >= '0' && c <= '9'; })) {
    port = given;
  } else {
    host = given;
  }
  char* end = nullptr;
  const long number = strtol(port.c_str(), &end, 10);
  if (port.empty() || *end || number < 0 || number > UINT16_MAX || (number > 0 && number < 1024)) return std::nullopt;
  return host + ":" + std::to_string(number);
}

}  // namespace rondo::cli
