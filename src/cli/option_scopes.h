// Options that belong to one command line.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace rondo::cli {

// Options that NODE_OPTIONS may not have: they would be about every child process too.
inline constexpr std::string_view kCommandLineOnly[] = {
    "--env-file",
    "--env-file-if-exists",
    "--experimental-config-file",
    "--experimental-default-config-file",
    "--experimental-inspector-network-resource",
    "--experimental-network-inspection",
    "--experimental-test-coverage",
    "--experimental-test-module-mocks",
    "--experimental-test-tag-filter",
    "--expose-internals",
    "--record",
    "--run",
    "--stack-size",
    "--test",
    "--test-concurrency",
    "--test-force-exit",
    "--test-timeout",
    "--test-update-snapshots",
};

inline bool is_for_command_line_only(std::string_view name) {
  return std::ranges::find(kCommandLineOnly, name) != std::end(kCommandLineOnly);
}

}  // namespace rondo::cli
