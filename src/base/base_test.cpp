// The small parts everything stands on: callables, lists, errors.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "rondo/base/function.h"
#include "rondo/base/list.h"
#include "rondo/base/result.h"

namespace rondo {
namespace {

TEST(FunctionTest, keeps_small_captures_inside_and_large_ones_alive) {
  int value = 1;
  Function<int(int)> small = [&value](int add) { return value + add; };
  EXPECT_EQ(small(2), 3);
  std::array<int, 32> big{};
  big[31] = 7;
  Function<int(int)> large = [big](int add) { return big[31] + add; };
  Function<int(int)> moved = std::move(large);
  EXPECT_FALSE(large);
  EXPECT_EQ(moved(1), 8);
  static_assert(sizeof(Function<void()>) == 5 * sizeof(void*));
}

TEST(FunctionTest, destroys_captures_exactly_once) {
  auto token = std::make_shared<int>(0);
  {
    Function<void()> first = [token] {};
    Function<void()> second = std::move(first);
    first = [token] {};
    EXPECT_EQ(token.use_count(), 3);
    second = nullptr;
    EXPECT_EQ(token.use_count(), 2);
  }
  EXPECT_EQ(token.use_count(), 1);
}

TEST(CallbackTest, may_be_destroyed_by_its_own_call) {
  auto slot = std::make_unique<Callback<void()>>();
  auto text = std::make_shared<std::string>("whole");
  std::string seen;
  slot->set([&slot, &seen, text] {
    slot.reset();
    seen = *text;
  });
  EXPECT_FALSE((*slot)());
  EXPECT_EQ(seen, "whole");
  EXPECT_EQ(text.use_count(), 1);
}

TEST(CallbackTest, may_be_replaced_and_called_again_by_its_own_call) {
  Callback<void(int)> slot;
  std::vector<int> seen;
  slot.set([&](int depth) {
    seen.push_back(depth);
    if (depth < 2) slot(depth + 1);
    if (depth == 0) slot.set([&](int value) { seen.push_back(100 + value); });
  });
  EXPECT_TRUE(slot(0));
  EXPECT_TRUE(slot(5));
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 105}));
}

TEST(CallbackTest, keeps_the_state_of_mutable_callables) {
  Callback<void()> slot;
  int last = 0;
  slot.set([&last, count = 0]() mutable { last = ++count; });
  slot();
  slot();
  EXPECT_EQ(last, 2);
}

TEST(ListTest, elements_leave_by_themselves) {
  struct Element : ListNode {
    explicit Element(int n) : number(n) {}
    int number;
  };
  List<Element> list, other;
  Element first(1), second(2);
  list.push_back(first);
  list.push_back(second);
  {
    Element third(3);
    list.push_back(third);
  }
  EXPECT_FALSE(list.has_one());
  first.unlink();
  EXPECT_TRUE(list.has_one());
  other.push_back(first);
  other.take(list);
  EXPECT_TRUE(list.is_empty());
  EXPECT_EQ(other.pop_front().number, 1);
  EXPECT_EQ(other.pop_front().number, 2);
}

TEST(ErrorTest, speaks_as_Node_does) {
  EXPECT_STREQ(Error{ENOENT}.name(), "ENOENT");
  EXPECT_STREQ(Error{ENOENT}.message(), "no such file or directory");
  EXPECT_STREQ(Error{kEndOfFile}.name(), "EOF");
  EXPECT_STREQ(Error{54321}.name(), "UNKNOWN");
  EXPECT_EQ(to_result(-EPIPE, "write").error(), Error{EPIPE});
  EXPECT_EQ(to_result(7).value(), 7);
}

}  // namespace
}  // namespace rondo
