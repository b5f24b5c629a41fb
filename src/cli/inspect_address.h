// The address that --inspect and its relatives name.
#pragma once

#include <optional>
#include <string>

namespace rondo::cli {

// "host:port" of what is given to --inspect: either part, or both; none when the port is no port of a program.
std::optional<std::string> inspect_address(const std::string& given);

}  // namespace rondo::cli
