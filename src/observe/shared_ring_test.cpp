// The names of a ledger: bounded, and the ones in use stay.
#include "observe/shared_ring.h"

#include <gtest/gtest.h>

namespace rondo::observe {
namespace {

TEST(NameTableTest, a_name_has_one_number_while_it_is_in_use) {
  SharedRing ring(16, 64);
  NameTable names(ring);
  const uint32_t first = names.intern("read (app.js:1:1)");
  EXPECT_EQ(names.intern("read (app.js:1:1)"), first);
  EXPECT_NE(names.intern("write (app.js:2:1)"), first);
  EXPECT_EQ(names.text(first), "read (app.js:1:1)");
  EXPECT_EQ(names.text(0), "");
}

TEST(NameTableTest, a_million_names_take_the_room_of_the_slots) {
  SharedRing ring(16, 64);
  NameTable names(ring);
  uint32_t used = 0, last = 0;
  for (int i = 0; i < 1'000'000; i++) {
    last = names.intern("message " + std::to_string(i));
    if (i % 10 == 0) used = names.intern("always (app.js:1:1)");
  }
  EXPECT_EQ(names.text(used), "always (app.js:1:1)");
  EXPECT_EQ(names.text(last), "message 999999");
  EXPECT_EQ(names.text(1), "");
}

TEST(NameTableTest, a_long_name_is_shortened_in_its_middle_between_characters) {
  SharedRing ring(16, 64);
  NameTable names(ring);
  std::string longest = "begin ";
  while (longest.size() < 2000) longest += "ä";
  longest += " (app.js:1:1)";
  const auto text = std::string(names.text(names.intern(longest)));
  EXPECT_LE(text.size(), NameSlot::kMost);
  EXPECT_TRUE(text.starts_with("begin ä"));
  EXPECT_TRUE(text.ends_with("ä (app.js:1:1)"));
  EXPECT_EQ(names.intern(longest), names.intern(longest));
}

TEST(ShortenedTest, what_fits_stays) {
  EXPECT_EQ(shortened("short", 20), "short");
  EXPECT_EQ(shortened("0123456789abcdefghij", 13), "0123…efghij");
}

}  // namespace
}  // namespace rondo::observe
