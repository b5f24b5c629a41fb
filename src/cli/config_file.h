// node.config.json: --experimental-config-file[=path], as Node 26 documents it. The file becomes words of a command line, which options.cpp
// takes before NODE_OPTIONS and the command line itself: they have the last word.
#pragma once

#include <string>
#include <vector>

namespace rondo::cli {

struct ConfigFile {
  std::vector<std::string> node_options;  // each must be allowed in NODE_OPTIONS
  std::vector<std::string> other_options;  // of the fields test, watch and permission
  std::string wrong;  // why it cannot be used; lines, the last one names the file
};

ConfigFile read_config_file(const std::string& path);

// The path that the options among `args` name, the last one wins; empty: none.
std::string config_file_in(const std::vector<std::string>& args);

}  // namespace rondo::cli
