// A folder of one test's own, which goes with it. Tests only.
#pragma once

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "rondo/base/fatal.h"

namespace rondo::testing {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    char name[] = "/tmp/rondo_test_XXXXXX";
    if (!mkdtemp(name)) fatal("a test has no folder", errno);
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  // The path of something in it.
  std::string at(const std::string& name) const { return path_ + "/" + name; }
  std::string make(const std::string& name, const std::string& content = "content") const {
    std::ofstream(at(name)) << content;
    return at(name);
  }
  static std::string content_of(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::string path_;
};

}  // namespace rondo::testing
