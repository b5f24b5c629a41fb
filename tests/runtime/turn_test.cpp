// Turn and Runtime: what runs when the outermost turn ends, and in which order.
#include "runtime/entry/turn.h"

#include "test_runtime.h"

#include <gtest/gtest.h>

namespace rondo::runtime {
namespace {

// Calls a global function in a turn of its own.
void take_turn(std::string_view name) {
  Turn turn(test_runtime());
  turn.call(global(name));
}

TEST(TurnTest, ticks_then_microtasks_run_when_the_turn_ends) {
  evaluate(R"(
    var log = [];
    function task() {
      Promise.resolve().then(() => log.push('microtask'));
      process.nextTick(() => log.push('tick'));
      log.push('task');
    })");
  take_turn("task");
  EXPECT_EQ(evaluate("log.join()"), "task,tick,microtask");
}

TEST(TurnTest, only_the_outermost_turn_drains) {
  evaluate("var log = []; function task() { queueMicrotask(() => log.push('microtask')); log.push('task'); }");
  {
    Turn outer(test_runtime());
    take_turn("task");
    EXPECT_EQ(evaluate("log.join()"), "task");
    take_turn("task");
    EXPECT_EQ(evaluate("log.join()"), "task,task");
  }
  EXPECT_EQ(evaluate("log.join()"), "task,task,microtask,microtask");
}

TEST(TurnTest, microtasks_queued_by_microtasks_run_before_the_turn_ends) {
  evaluate("var count = 0; function step() { if (++count < 1000) queueMicrotask(step); }");
  take_turn("step");
  EXPECT_EQ(evaluate("count"), "1000");
}

TEST(TurnTest, an_exception_is_reported_and_the_rest_of_the_turn_still_runs) {
  evaluate(R"(
    var seen = [];
    var listener = (error) => seen.push(error.message);
    process.on('uncaughtException', listener);
    function task() {
      process.nextTick(() => seen.push('tick'));
      throw new Error('thrown');
    })");
  take_turn("task");
  EXPECT_EQ(evaluate("process.off('uncaughtException', listener); seen.join()"), "thrown,tick");
}

TEST(TurnTest, a_call_returns_the_value_and_nothing_when_it_throws) {
  evaluate("function answer() { return 42; }");
  Turn turn(test_runtime());
  engine::Value value = turn.call(global("answer"));
  ASSERT_TRUE(value.isInt32());
  EXPECT_EQ(value.asInt32(), 42);
}

TEST(RuntimeTest, timers_and_immediates_keep_the_loop_alive_until_they_ran) {
  evaluate(R"(
    var log = [];
    setTimeout(() => log.push('timer'), 1);
    setImmediate(() => log.push('immediate'));
    setTimeout(() => log.push('never'), 1e6).unref();)");
  EXPECT_TRUE(test_runtime().loop().alive());
  test_runtime().loop().run();
  EXPECT_EQ(evaluate("log.sort().join()"), "immediate,timer");
  EXPECT_FALSE(test_runtime().loop().alive());
}

TEST(BuiltinsTest, files_are_loaded_once_and_absent_ones_are_an_error) {
  auto& builtins = test_runtime().builtins();
  EXPECT_TRUE(builtins.has("fs"));
  EXPECT_FALSE(builtins.has("no/such/file"));
  EXPECT_EQ(builtins.require("path"), builtins.require("node:path"));
  auto scope = DECLARE_CATCH_SCOPE(test_runtime().vm());
  builtins.require("no/such/file");
  auto* exception = scope.exception();
  ASSERT_TRUE(exception);
  scope.clearException();
  EXPECT_EQ(engine::to_utf8(exception->value().toWTFString(test_runtime().realm())),
            "Error: No such built-in module: no/such/file");
  builtins.native("no such native");
  EXPECT_TRUE(scope.exception());
  scope.clearException();
}

TEST(BuiltinsTest, every_library_file_compiles) {
  auto* realm = test_runtime().realm();
  size_t count = 0;
  for (const auto& source : embedded_sources()) {
    if (source.id.starts_with("page/")) continue;
    auto outcome = engine::compile_embedded(realm->globalScope(), {source.source, source.is_ascii, source.id});
    EXPECT_EQ(outcome.exception, nullptr) << source.id;
    EXPECT_TRUE(outcome.value.isCallable()) << source.id;
    count++;
  }
  EXPECT_GT(count, 200u);
}

}  // namespace
}  // namespace rondo::runtime
