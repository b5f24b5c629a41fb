// The command line: what is an option, what is the program's, and what is refused.
#include "cli/options.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace rondo::cli {
namespace {

CommandLine parse_words(std::vector<std::string> words) {
  words.insert(words.begin(), "rondo");
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return parse(static_cast<int>(words.size()), argv.data());
}

class OptionsTest : public testing::Test {
 protected:
  void SetUp() override { unsetenv("NODE_OPTIONS"); }
};

TEST_F(OptionsTest, a_file_and_its_arguments) {
  auto line = parse_words({"app.js", "--port", "80", "-e"});
  EXPECT_EQ(line.action, Action::File);
  EXPECT_EQ(line.text, "app.js");
  EXPECT_EQ(line.script_argv, (std::vector<std::string>{"--port", "80", "-e"}));
  EXPECT_TRUE(line.exec_argv.empty());
}

TEST_F(OptionsTest, options_before_the_file_are_ours) {
  auto line = parse_words({"--require", "a", "-r", "b", "--stack-trace-limit=3", "app.js"});
  EXPECT_EQ(line.action, Action::File);
  EXPECT_EQ(std::get<std::vector<std::string>>(line.options["--require"]), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(line.exec_argv.size(), 5u);
}

TEST_F(OptionsTest, two_dashes_end_the_options) {
  auto line = parse_words({"--", "-weird-name.js", "x"});
  EXPECT_EQ(line.action, Action::File);
  EXPECT_EQ(line.text, "-weird-name.js");
}

TEST_F(OptionsTest, text_to_run) {
  EXPECT_EQ(parse_words({"-e", "1 + 1"}).action, Action::Eval);
  EXPECT_EQ(parse_words({"-p", "1 + 1"}).action, Action::Print);
  EXPECT_EQ(parse_words({"-p", "1 + 1"}).text, "1 + 1");
  EXPECT_EQ(parse_words({"--check", "a.js"}).action, Action::Check);
  EXPECT_EQ(parse_words({"-"}).action, Action::Stdin);
  EXPECT_EQ(parse_words({"--version"}).action, Action::Version);
  EXPECT_EQ(parse_words({"--help"}).action, Action::Help);
}

TEST_F(OptionsTest, text_that_begins_with_a_dash_and_text_from_standard_input) {
  EXPECT_EQ(parse_words({"-p", "\\-42"}).text, "-42");
  EXPECT_EQ(parse_words({"-e", "-42"}).action, Action::Fail);
  EXPECT_EQ(parse_words({"--print", "--eval", "1"}).action, Action::Print);
  EXPECT_EQ(parse_words({"-p"}).action, Action::Stdin);
  EXPECT_EQ(parse_words({"-c"}).action, Action::Stdin);
  EXPECT_EQ(parse_words({"-c", "-e", "1"}).action, Action::Fail);
}

TEST_F(OptionsTest, underscores_are_dashes_and_only_flags_have_a_negation) {
  EXPECT_EQ(std::get<double>(parse_words({"--max_old_space_size=9", "a.js"}).options["--max-old-space-size"]), 9);
  auto line = parse_words({"--no-stack-size", "a.js"});
  EXPECT_EQ(line.action, Action::Fail);
  EXPECT_NE(line.text.find("is an invalid negation"), std::string::npos);
  EXPECT_EQ(parse_words({"--input-type=x", "-e", "1"}).action, Action::Fail);
}

TEST_F(OptionsTest, an_unknown_option_is_refused_with_9) {
  auto line = parse_words({"--no-such-option", "app.js"});
  EXPECT_EQ(line.action, Action::Fail);
  EXPECT_EQ(line.exit_code, 9);
  EXPECT_NE(line.text.find("bad option: --no-such-option"), std::string::npos);
}

TEST_F(OptionsTest, an_option_without_its_value_is_refused_with_9) {
  auto line = parse_words({"-e"});
  EXPECT_EQ(line.action, Action::Fail);
  EXPECT_EQ(line.exit_code, 9);
}

TEST_F(OptionsTest, the_environment_may_add_options) {
  setenv("NODE_OPTIONS", "--stack-trace-limit=7", 1);
  auto line = parse_words({"app.js"});
  EXPECT_EQ(line.action, Action::File);
  EXPECT_EQ(std::get<double>(line.options["--stack-trace-limit"]), 7);
  unsetenv("NODE_OPTIONS");
}

TEST_F(OptionsTest, trace_takes_the_rest_as_a_program) {
  auto line = parse_words({"trace", "--json", "app.js", "x"});
  EXPECT_EQ(line.action, Action::Trace);
  EXPECT_TRUE(line.trace_json);
  EXPECT_EQ(line.text, "app.js");
  EXPECT_EQ(line.script_argv, (std::vector<std::string>{"x"}));
}

TEST_F(OptionsTest, trace_all_is_for_the_printed_report) {
  EXPECT_TRUE(parse_words({"trace", "--all", "app.js"}).trace_all);
  EXPECT_EQ(parse_words({"trace", "--all", "--json", "app.js"}).action, Action::Fail);
  EXPECT_EQ(parse_words({"trace", "--all", "-o", "trace.json", "app.js"}).action, Action::Fail);
}

}  // namespace
}  // namespace rondo::cli
