#include "base/byte_search.h"

#include <gtest/gtest.h>

#include <string>

namespace rondo::search {
namespace {

Bytes bytes_of(const std::string& text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

int64_t forward(const std::string& text, const std::string& needle, int64_t offset) {
  return find(bytes_of(text), bytes_of(needle), offset, Direction::Forward);
}
int64_t backward(const std::string& text, const std::string& needle, int64_t offset) {
  return find(bytes_of(text), bytes_of(needle), offset, Direction::Backward);
}

TEST(ByteSearch, ReadsOffsetsAsBufferDoes) {
  EXPECT_EQ(forward("abcabc", "bc", 0), 1);
  EXPECT_EQ(forward("abcabc", "bc", 2), 4);
  EXPECT_EQ(forward("abcabc", "bc", -2), 4);
  EXPECT_EQ(forward("abcabc", "bc", -100), 1);
  EXPECT_EQ(forward("abcabc", "bc", 100), -1);
  EXPECT_EQ(forward("abcabc", "", 100), 6);
  EXPECT_EQ(backward("abcabc", "bc", 100), 4);
  EXPECT_EQ(backward("abcabc", "bc", 3), 1);
  EXPECT_EQ(backward("abcabc", "bc", -100), -1);
  EXPECT_EQ(backward("abcabc", "abcabcd", 5), -1);
}

TEST(ByteSearch, ManyFalseStarts) {
  std::string text(5000, 'a');
  text += "ab";
  EXPECT_EQ(forward(text, "ab", 0), 5000);
  EXPECT_EQ(backward(text, "aab", 6000), 4999);
}

TEST(ByteSearch, UnitsOnlyAtEvenPositions) {
  std::string text("xab\0a\0", 6);
  EXPECT_EQ(find_units(bytes_of(text), bytes_of(std::string("a\0", 2)), 0, Direction::Forward), 4);
  EXPECT_EQ(find_units(bytes_of(text), bytes_of(std::string("b\0", 2)), 0, Direction::Forward), 2);
  EXPECT_EQ(find_units(bytes_of(text), bytes_of(std::string("a\0", 2)), 5, Direction::Backward), 4);
}

}  // namespace
}  // namespace rondo::search
