// Sources: wrapped functions, syntax checks, and that a wrapper's line shows in no stack.
#include "engine/core/entry.h"
#include "engine/core/source.h"

#include "engine/errors/stack_trace.h"
#include "test_runtime.h"

#include <gtest/gtest.h>

namespace rondo::engine {
namespace {

using runtime::test_runtime;

CallOutcome compile(std::string_view body) {
  static constexpr std::string_view kParameters[] = {"a", "b"};
  return compile_function(
      test_runtime().realm(),
      {.body = to_wtf(body), .url = to_wtf("/dir/file.js"), .origin = {}, .parameters = kParameters});
}

std::string run(std::string_view body) {
  auto* realm = test_runtime().realm();
  auto compiled = compile(body);
  if (compiled.exception) return "throws: " + to_utf8(compiled.exception->value().toWTFString(realm));
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsNumber(20));
  arguments.append(JSC::jsNumber(22));
  auto outcome = call(realm, compiled.value, JSC::jsUndefined(), arguments);
  if (outcome.exception) return "throws: " + to_utf8(outcome.exception->value().toWTFString(realm));
  return to_utf8(outcome.value.toWTFString(realm));
}

TEST(SourceTest, a_wrapped_body_sees_its_parameters) { EXPECT_EQ(run("return a + b"), "42"); }

TEST(SourceTest, an_interpreter_line_is_no_code) { EXPECT_EQ(run("#!/usr/bin/env rondo\nreturn a"), "20"); }

TEST(SourceTest, a_comment_on_the_last_line_does_not_swallow_the_wrapper) { EXPECT_EQ(run("return b // end"), "22"); }

TEST(SourceTest, a_syntax_error_is_handed_out) {
  auto outcome = compile("return (");
  ASSERT_TRUE(outcome.exception);
  EXPECT_TRUE(to_utf8(outcome.exception->value().toWTFString(test_runtime().realm())).starts_with("SyntaxError"));
}

TEST(SourceTest, lines_and_columns_are_those_of_the_file) {
  EXPECT_EQ(run("function inner() { return new Error('x').stack.split('\\n')[1]; }\nreturn inner()"),
            "    at inner (/dir/file.js:1:27)");
  EXPECT_EQ(run("\n\n  return new Error('x').stack.split('\\n')[1].replace(/.*file/, 'file')"), "file.js:3:10)");
}

TEST(SourceTest, check_tells_scripts_from_modules) {
  auto* realm = test_runtime().realm();
  auto fails = [&](std::string_view text, Grammar grammar) {
    return static_cast<bool>(check_syntax(realm, to_wtf(text), to_wtf("f.js"), grammar));
  };
  EXPECT_FALSE(fails("const x = require('x');", Grammar::CommonJS));
  EXPECT_TRUE(fails("import x from 'x';", Grammar::CommonJS));
  EXPECT_FALSE(fails("import x from 'x'; await x;", Grammar::Module));
  EXPECT_TRUE(fails("with ({}) {}", Grammar::Module));
}

TEST(SourceTest, bytecode_of_a_library_file_runs_as_its_text_does) {
  static const std::string text = "(function (exports,require,module,native) {\nreturn 6 * 7;\n})";
  static const std::string bytecode = make_bytecode(test_runtime().vm(), {text, true, "node:test"});
  ASSERT_FALSE(bytecode.empty());
  for (std::string_view code : {std::string_view(), std::string_view(bytecode)}) {
    auto compiled = compile_embedded(test_runtime().realm()->globalScope(), {text, true, "node:test", code});
    ASSERT_EQ(compiled.exception, nullptr);
    auto outcome = call(test_runtime().realm(), compiled.value, JSC::jsUndefined(), JSC::MarkedArgumentBuffer());
    EXPECT_EQ(outcome.value.toInt32(test_runtime().realm()), 42);
  }
}

// Runs a function without arguments; what it answers, as text.
std::string answer_of(Value function) {
  auto* realm = test_runtime().realm();
  auto outcome = call(realm, function, JSC::jsUndefined(), JSC::MarkedArgumentBuffer());
  EXPECT_EQ(outcome.exception, nullptr);
  return to_utf8(outcome.value.toWTFString(realm));
}

TEST(SourceTest, files_of_a_bundle_keep_their_addresses_lines_and_texts) {
  static const std::string text =
      "(function () {\nreturn 'first';\n\n\n}),\n"
      "(function () {\nclass Thing { constructor() { this.a = 1; } }\nfunction Old() { this.b = new Error('x').stack; "
      "}\n"
      "return [new Thing().a, Thing, Old, new Old().b].join('|');\n})";
  static const std::string bytecode = make_bytecode(test_runtime().vm(), {text, true, "node:bundle"});
  ASSERT_FALSE(bytecode.empty());
  EmbeddedBundle bundle;
  EXPECT_FALSE(bundle.is_open());
  bundle.open(test_runtime().realm(), {text, true, "node:bundle", bytecode});
  ASSERT_TRUE(bundle.is_open());
  auto* scope = test_runtime().realm()->globalScope();
  EXPECT_EQ(answer_of(bundle.compile(scope, 0, "node:one").value), "first");
  const auto told = answer_of(bundle.compile(scope, 1, "node:two").value);
  EXPECT_TRUE(told.starts_with(
      "1|class Thing { constructor() { this.a = 1; } }|function Old() { this.b = new Error('x').stack; }|"))
      << told;
  EXPECT_NE(told.find("at new Old (node:two:2:27)"), std::string::npos) << told;
  EXPECT_NE(told.find("node:two:3:"), std::string::npos) << told;
}

TEST(SourceTest, what_does_not_compile_has_no_bytecode) {
  EXPECT_TRUE(make_bytecode(test_runtime().vm(), {"(function (", true, "node:test"}).empty());
}

}  // namespace
}  // namespace rondo::engine
