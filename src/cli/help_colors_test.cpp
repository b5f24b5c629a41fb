#include "cli/help_colors.h"

#include <gtest/gtest.h>

namespace rondo::cli {
namespace {

TEST(HelpColors, NamesAddressesAndTitles) {
  EXPECT_EQ(color_help("Options:\n"), "\x1b[1mOptions:\x1b[0m\n");
  EXPECT_EQ(color_help("  -h, --help   print --this"), "  \x1b[32m-h\x1b[0m, \x1b[32m--help\x1b[0m   print --this");
  EXPECT_EQ(color_help("  NO_COLOR, X_1   NODE_OPTIONS"),
            "  \x1b[35mNO_COLOR\x1b[0m, \x1b[35mX_1\x1b[0m   NODE_OPTIONS");
  EXPECT_EQ(color_help("see https://a.b/c d"), "see \x1b[34m\x1b[4mhttps://a.b/c\x1b[0m d");
}

TEST(HelpColors, ChangeNoCharacter) {
  const std::string_view text = "Usage: x\n\n  a b   c:\n        --json     one  two\n  --x=... --y\nend";
  std::string plain;
  const std::string colored = color_help(text);
  for (size_t i = 0; i < colored.size(); i++) {
    if (colored[i] == '\x1b')
      i = colored.find('m', i);
    else
      plain += colored[i];
  }
  EXPECT_EQ(plain, text);
}

}  // namespace
}  // namespace rondo::cli
