#include "cli/shell_help.h"

#include <gtest/gtest.h>

namespace rondo::cli {
namespace {

constexpr std::string_view kHelp =
    "Usage: rondo\n"
    "\n"
    "Options:\n"
    "  -r, --require module         load a module's file first\n"
    "  --watch                      run it again\n"
    "\n"
    "Environment:\n"
    "  NODE_PATH                    folders\n";
constexpr std::string_view kKnown = "--require --watch --title ";

TEST(ShellHelpTest, sections_have_names_and_texts) {
  const auto sections = help_sections(kHelp);
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_EQ(sections[0].title, "Options");
  ASSERT_EQ(sections[0].lines.size(), 2u);
  EXPECT_EQ(sections[0].lines[0].names, "-r, --require module");
  EXPECT_EQ(sections[0].lines[0].text, "load a module's file first");
  EXPECT_EQ(sections[1].lines[0].names, "NODE_PATH");
}

TEST(ShellHelpTest, every_option_is_completed_with_its_text) {
  const std::string zsh = zsh_completion(kHelp, kKnown);
  EXPECT_NE(zsh.find("'*--require[load a modules file first]'"), std::string::npos) << zsh;
  EXPECT_NE(zsh.find("'*--title'"), std::string::npos) << zsh;
  const std::string fish = fish_completion(kHelp, kKnown);
  EXPECT_NE(fish.find("complete -c rondo -l watch -d 'run it again'\n"), std::string::npos) << fish;
  EXPECT_NE(fish.find("complete -c rondo -l title\n"), std::string::npos) << fish;
}

TEST(ShellHelpTest, the_manual_page_has_all_sections_and_options) {
  const std::string page = man_page(kHelp, kKnown, "1.2.3");
  EXPECT_TRUE(page.starts_with(".TH RONDO 1")) << page;
  EXPECT_NE(page.find(".SH Environment\n.TP\n.B NODE_PATH\nfolders\n"), std::string::npos) << page;
  EXPECT_NE(page.find(".B \\-r, \\-\\-require module\n"), std::string::npos) << page;
  EXPECT_NE(page.find(".B \\-\\-title\n"), std::string::npos) << page;
}

}  // namespace
}  // namespace rondo::cli
