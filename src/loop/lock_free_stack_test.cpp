// Items of many threads arrive once each and in every thread's order; a closed stack refuses them.
#include "rondo/detail/lock_free_stack.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace rondo {
namespace {

struct Item : StackLink<Item> {
  int thread = 0, number = 0;
};
using Stack = LockFreeStack<Item>;

TEST(LockFreeStackTest, the_first_push_is_told_apart_and_items_come_in_both_orders) {
  Stack stack;
  Item items[3];
  for (int i = 0; i < 3; i++) items[i].number = i;
  EXPECT_TRUE(stack.is_empty());
  EXPECT_EQ(stack.push(items[0]), Stack::Pushed::First);
  EXPECT_EQ(stack.push(items[1]), Stack::Pushed::Another);
  EXPECT_EQ(stack.newest(), &items[1]);
  EXPECT_EQ(stack.take(), &items[1]);
  EXPECT_EQ(stack.take(), nullptr);
  Stack::next(items[2]) = &items[1];
  Stack::next(items[1]) = &items[0];
  EXPECT_EQ(stack.push_all(items[2], items[0]), Stack::Pushed::First);
  Item* list = stack.take_oldest_first();
  for (int i = 0; i < 3; i++) EXPECT_EQ(Stack::pop(list).number, i);
  EXPECT_EQ(list, nullptr);
}

TEST(LockFreeStackTest, a_closed_stack_is_empty_and_refuses) {
  Stack stack;
  Item first, second;
  stack.push(first);
  EXPECT_EQ(stack.close(), &first);
  EXPECT_EQ(stack.push(second), Stack::Pushed::Refused);
  EXPECT_TRUE(stack.is_empty());
  EXPECT_EQ(stack.newest(), nullptr);
  EXPECT_EQ(stack.take(), nullptr);
  EXPECT_EQ(stack.close(), nullptr);
}

TEST(LockFreeStackTest, every_item_of_several_threads_arrives_once_in_its_threads_order) {
  constexpr int kThreads = 4, kItems = 20'000;
  Stack stack;
  std::vector<std::vector<Item>> items(kThreads);
  for (auto& list : items) list = std::vector<Item>(kItems);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; thread++) {
    threads.emplace_back([&, thread] {
      for (int number = 0; number < kItems; number++) {
        Item& item = items[thread][number];
        item.thread = thread;
        item.number = number;
        stack.push(item);
      }
    });
  }
  int expected[kThreads] = {}, arrived = 0;
  while (arrived < kThreads * kItems) {
    for (Item* list = stack.take_oldest_first(); list; arrived++) {
      const Item& item = Stack::pop(list);
      ASSERT_EQ(item.number, expected[item.thread]++);
    }
    std::this_thread::yield();
  }
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(stack.is_empty());
}

}  // namespace
}  // namespace rondo
