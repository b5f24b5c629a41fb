// Rights to paths: by name, by what the name leads to, taken back, and as options.
#include "runtime/permission.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace rondo::runtime {
namespace {

class PermissionTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/rightsXXXXXX";
    root_ = std::filesystem::canonical(mkdtemp(name)).string();
    std::filesystem::create_directories(root_ + "/in/deep");
    std::filesystem::create_directories(root_ + "/out");
    std::ofstream(root_ + "/out/file") << "x";
    std::filesystem::create_symlink(root_ + "/out", root_ + "/in/link");
    std::filesystem::create_symlink("../out/file", root_ + "/in/file_link");
    std::filesystem::create_symlink("loop", root_ + "/in/loop");
    std::filesystem::create_symlink(root_ + "/out/none", root_ + "/in/dangling");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::string root_;
};

TEST_F(PermissionTest, names_are_made_absolute) {
  EXPECT_EQ(absolute_path("/a/./b//../c/"), "/a/c");
  EXPECT_EQ(absolute_path("/../.."), "/");
  EXPECT_EQ(absolute_path("x"), std::filesystem::current_path().string() + "/x");
}

TEST_F(PermissionTest, links_are_followed_or_kept) {
  EXPECT_EQ(without_links(root_ + "/in/link/file", LastLink::Follow), root_ + "/out/file");
  EXPECT_EQ(without_links(root_ + "/in/link/../in", LastLink::Follow), root_ + "/in");
  EXPECT_EQ(without_links(root_ + "/in/file_link", LastLink::Follow), root_ + "/out/file");
  EXPECT_EQ(without_links(root_ + "/in/file_link", LastLink::Keep), root_ + "/in/file_link");
  EXPECT_EQ(without_links(root_ + "/in/link/", LastLink::Keep), root_ + "/out");
  EXPECT_EQ(without_links(root_ + "/in/dangling", LastLink::Follow), root_ + "/out/none");
  EXPECT_EQ(without_links("/proc/self/root" + root_, LastLink::Follow), root_);
  without_links(root_ + "/in/loop", LastLink::Follow);  // ends
}

TEST_F(PermissionTest, a_folder_is_granted_with_all_in_it_and_nothing_behind_links) {
  PathRights rights;
  rights.grant(root_ + "/in");
  EXPECT_TRUE(rights.allows(root_ + "/in", LastLink::Follow));
  EXPECT_TRUE(rights.allows(root_ + "/in/deep/new", LastLink::Follow));
  EXPECT_FALSE(rights.allows(root_ + "/in2", LastLink::Follow));
  EXPECT_FALSE(rights.allows(root_ + "/in/../out/file", LastLink::Follow));
  EXPECT_FALSE(rights.allows(root_ + "/in/link/file", LastLink::Follow));
  EXPECT_FALSE(rights.allows(root_ + "/in/dangling", LastLink::Follow));
  EXPECT_TRUE(rights.allows(root_ + "/in/file_link", LastLink::Keep));
}

TEST_F(PermissionTest, a_link_that_is_granted_may_be_followed) {
  PathRights rights;
  rights.grant(root_ + "/in/link");
  rights.grant(root_ + "/in/file_link");
  EXPECT_TRUE(rights.allows(root_ + "/in/link/file", LastLink::Follow));
  EXPECT_TRUE(rights.allows(root_ + "/in/file_link", LastLink::Follow));
  EXPECT_TRUE(rights.allows(root_ + "/in/file_link", LastLink::Keep));
  EXPECT_FALSE(rights.allows(root_ + "/out/file", LastLink::Follow));
}

TEST_F(PermissionTest, rights_are_dropped_as_they_were_granted_and_told_as_options) {
  Permission permission(Permission::Mode::Enforce);
  permission.reads().grant("/none/a");
  permission.reads().grant("/none/b*");
  permission.reads().grant(root_ + "/in", PathRights::Origin::Program);
  permission.grant(Scope::Net);
  EXPECT_TRUE(permission.allows(Scope::FileSystemRead, "/none/bb"));
  EXPECT_FALSE(permission.allows(Scope::FileSystemRead));
  EXPECT_EQ(permission.as_options(), (std::vector<std::string>{"--permission", "--allow-fs-read=/none/a",
                                                               "--allow-fs-read=/none/b*", "--allow-net"}));
  permission.drop(Scope::FileSystemRead, "/none");
  EXPECT_TRUE(permission.allows(Scope::FileSystemRead, "/none/a"));
  permission.drop(Scope::FileSystemRead, "/none/a");
  permission.drop(Scope::Net);
  EXPECT_FALSE(permission.allows(Scope::FileSystemRead, "/none/a"));
  EXPECT_EQ(permission.as_options(), (std::vector<std::string>{"--permission", "--allow-fs-read=/none/b*"}));
}

}  // namespace
}  // namespace rondo::runtime
