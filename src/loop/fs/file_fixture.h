// Shared by the tests of files: a folder of their own, and each request run in every way there is. Tests only.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "loop/temporary_folder.h"
#include "rondo/fs.h"
#include "rondo/loop.h"

namespace rondo::testing {

enum class FileRoute { Automatic, Pool, Blocking };

class FileTest : public ::testing::TestWithParam<std::tuple<const char*, FileRoute>> {
 protected:
  std::string at(const std::string& name) { return own.at(name); }
  std::string make(const std::string& name, const std::string& content = "content") { return own.make(name, content); }
  static std::string content_of(const std::string& path) { return TemporaryFolder::content_of(path); }

  std::int64_t go(FileRequest& described) {
    const FileRoute route = std::get<1>(GetParam());
    if (route == FileRoute::Blocking) return described.run();
    int calls = 0;
    described.start(
        loop, [&](FileRequest&) { calls++; },
        route == FileRoute::Pool ? FileRequest::Route::Pool : FileRequest::Route::Automatic);
    EXPECT_EQ(calls, 0);
    EXPECT_TRUE(described.is_busy());
    EXPECT_FALSE(loop.run());
    EXPECT_EQ(calls, 1);
    return described.result();
  }

  Loop loop{LoopOptions{.poller = std::get<0>(GetParam())}};
  FileRequest r;
  TemporaryFolder own;
  std::string folder = own.path();
};

inline std::string file_route_name(const ::testing::TestParamInfo<std::tuple<const char*, FileRoute>>& info) {
  static constexpr const char* kWays[] = {"automatic", "pool", "blocking"};
  return std::string(std::get<0>(info.param)) + "_" + kWays[static_cast<int>(std::get<1>(info.param))];
}

#define RONDO_FILES_EVERY_WAY(suite)                                                                                  \
  INSTANTIATE_TEST_SUITE_P(                                                                                           \
      Ways, suite,                                                                                                    \
      ::testing::Combine(::testing::Values("epoll", "uring"),                                                         \
                         ::testing::Values(::rondo::testing::FileRoute::Automatic, ::rondo::testing::FileRoute::Pool, \
                                           ::rondo::testing::FileRoute::Blocking)),                                   \
      ::rondo::testing::file_route_name)

}  // namespace rondo::testing
