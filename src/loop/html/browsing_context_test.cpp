// The tree of contexts, what is fully active in it, and which windows share a loop.
#include "rondo/html/browsing_context.h"

#include <gtest/gtest.h>

#include <deque>

#include "loop/html/test_window.h"

namespace rondo::html {
namespace {

class HtmlContexts : public Window {};

TEST_F(HtmlContexts, S192_contexts_nest_and_a_frame_is_active_only_with_its_container) {
  BrowsingContext frame(loop, document.get());
  TestDocument inner(frame);
  frame.present(&inner);
  BrowsingContext innermost(loop, &inner);
  TestDocument deep(innermost);
  innermost.present(&deep);
  EXPECT_TRUE(context->is_top_level());
  EXPECT_FALSE(frame.is_top_level());
  EXPECT_EQ(context->nested().size(), 1u);
  EXPECT_TRUE(deep.is_fully_active());
  context->present(nullptr);
  EXPECT_FALSE(inner.is_fully_active());
  EXPECT_FALSE(deep.is_fully_active());
  context->present(document.get());
  EXPECT_TRUE(deep.is_fully_active());
}

TEST_F(HtmlContexts, navigation_makes_the_old_document_inactive_and_the_way_back_active_again) {
  TestDocument second(*context);
  EXPECT_FALSE(second.is_fully_active());
  queue(TaskSource::Networking, "of the first");
  context->present(&second);
  EXPECT_FALSE(document->is_fully_active());
  loop.queue_a_task(TaskSource::Networking, &second, [&] { say("of the second"); });
  loop.run();
  EXPECT_EQ(log, (Log{"of the second"}));
  context->present(document.get());
  loop.run();
  EXPECT_EQ(log, (Log{"of the second", "of the first"}));
}

TEST_F(HtmlContexts, S27_S189_similar_origin_windows_share_a_loop_if_that_is_on_and_others_never) {
  std::deque<EventLoop> loops;
  const auto make = [&](std::string_view) -> EventLoop& { return loops.emplace_back(reactor); };
  {
    BrowsingContextGroup sharing(make);
    auto a = sharing.create("https://a.example");
    auto same = sharing.create("https://a.example");
    auto other = sharing.create("https://b.example");
    EXPECT_EQ(a->loop().id(), same->loop().id());
    EXPECT_NE(a->loop().id(), other->loop().id());
    sharing.forget(other->loop());
    EXPECT_NE(&sharing.obtain_a_similar_origin_window_agent("https://b.example"), &other->loop());
  }
  BrowsingContextGroup apart(make, false);
  auto a = apart.create("https://a.example");
  auto same = apart.create("https://a.example");
  EXPECT_NE(a->loop().id(), same->loop().id());
}

TEST_F(HtmlContexts, S189_tasks_of_windows_that_share_a_loop_are_strictly_serial) {
  BrowsingContext second(loop);
  TestDocument its_document(second);
  second.present(&its_document);
  int running = 0;
  for (int i = 0; i < 100; i++) {
    loop.queue_a_task(TaskSource::PostedMessage, i % 2 ? document.get() : &its_document, [&] {
      EXPECT_EQ(++running, 1);
      running--;
    });
  }
  loop.run();
}

}  // namespace
}  // namespace rondo::html
