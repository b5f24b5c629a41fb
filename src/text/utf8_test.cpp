#include "text/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo::utf8 {
namespace {

Bytes bytes_of(const std::string& text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

std::u16string lossy(const std::string& text) {
  std::u16string out(text.size(), u'\0');
  out.resize(decode_lossy(bytes_of(text), out.data()));
  return out;
}

std::string encoded(std::u16string_view text) {
  std::string out(length({text.data(), text.size()}), '\0');
  EXPECT_EQ(encode({text.data(), text.size()}, {reinterpret_cast<uint8_t*>(out.data()), out.size()}), out.size());
  return out;
}

// Every position of a wide character around the 16-byte blocks.
TEST(Utf8, RoundTripsAtEveryOffset) {
  for (std::u16string_view part : {u"é", u"✓", u"\U0001F600", u"a✓\U0001F600é"}) {
    for (size_t before = 0; before < 70; before++) {
      std::u16string text(before, u'x');
      text.append(part).append(std::u16string(before % 37, u'y')).append(part);
      std::string bytes = encoded(text);
      ASSERT_TRUE(is_valid(bytes_of(bytes)));
      auto shape = measure(bytes_of(bytes));
      ASSERT_EQ(shape.units, text.size());
      std::u16string back(shape.units, u'\0');
      ASSERT_TRUE(decode(bytes_of(bytes), back));
      ASSERT_EQ(back, text);
      ASSERT_EQ(lossy(bytes), text);
    }
  }
}

TEST(Utf8, Latin1) {
  std::string bytes = "plain ascii first, then \xc3\xa9\xc3\xbf and more of it";
  auto shape = measure(bytes_of(bytes));
  EXPECT_TRUE(shape.latin1);
  EXPECT_FALSE(shape.ascii);
  std::vector<uint8_t> out(shape.units);
  EXPECT_TRUE(decode_latin1(bytes_of(bytes), out));
  std::string back(length_of_latin1(out), '\0');
  EXPECT_EQ(encode_latin1(out, {reinterpret_cast<uint8_t*>(back.data()), back.size()}), back.size());
  EXPECT_EQ(back, bytes);
}

// The block code against the plain decoder, over random mixtures and random damage.
TEST(Utf8, BlocksAgreeWithThePlainDecoder) {
  const char* const parts[] = {"a", "hello ", "\xc3\xa9", "\xe2\x9c\x93", "\xf0\x9f\x98\x80", "0123456789abcdef"};
  uint32_t seed = 1;
  auto next = [&seed] { return seed = seed * 1664525 + 1013904223, seed >> 16; };
  for (int round = 0; round < 20000; round++) {
    std::string text;
    for (uint32_t i = next() % 60; i > 0; i--) text += parts[next() % 6];
    if (round % 2 == 1 && !text.empty()) text[next() % text.size()] = static_cast<char>(next());
    if (round % 4 == 3 && !text.empty()) text.resize(next() % text.size());
    // Byte for byte, a valid text has no replacement that the plain decoder had to make up.
    size_t rest = 0;
    std::u16string plain(text.size(), u'\0');
    plain.resize(decode_lossy(bytes_of(text), plain.data(), &rest));
    bool valid = rest == 0 && encoded(plain) == text;
    ASSERT_EQ(is_valid(bytes_of(text)), valid) << round;
    auto shape = measure(bytes_of(text));
    std::u16string out(shape.units, u'\0');
    ASSERT_EQ(decode(bytes_of(text), out), valid) << round;
    if (valid) {
      ASSERT_EQ(out, plain) << round;
    }
  }
}

// The Encoding Standard's maximal subparts.
TEST(Utf8, ReplacesMaximalInvalidParts) {
  EXPECT_EQ(lossy("a\xff"
                  "b"),
            u"a\ufffdb");
  EXPECT_EQ(lossy("\xe2\x9c"), u"\ufffd");
  EXPECT_EQ(lossy("\xe2\x9c"
                  "a"),
            u"\ufffda");
  EXPECT_EQ(lossy("\xf0\x9f\x98"), u"\ufffd");
  EXPECT_EQ(lossy("\xc0\x80"), u"\ufffd\ufffd");
  EXPECT_EQ(lossy("\xed\xa0\x80"), u"\ufffd\ufffd\ufffd");
  EXPECT_EQ(lossy("\xf4\x90\x80\x80"), u"\ufffd\ufffd\ufffd\ufffd");
  size_t rest = 0;
  char16_t out[8];
  EXPECT_EQ(decode_lossy(bytes_of("ab\xf0\x9f"), out, &rest), 2u);
  EXPECT_EQ(rest, 2u);
}

TEST(Utf8, InvalidInputNeverWritesBeyondWhatWasMeasured) {
  std::string bytes(200, '\x80');
  for (size_t at = 0; at < bytes.size(); at += 3) bytes[at] = 'a';
  auto shape = measure(bytes_of(bytes));
  std::vector<char16_t> out(shape.units);
  EXPECT_FALSE(decode(bytes_of(bytes), out));
}

TEST(Utf8, EncodesWholeCharactersOnly) {
  uint8_t out[4];
  size_t read = 0;
  std::u16string_view text = u"ab✓";
  EXPECT_EQ(encode({text.data(), text.size()}, out, &read), 2u);
  EXPECT_EQ(read, 2u);
  EXPECT_EQ(encoded(u"\xd800x"), "\xef\xbf\xbdx");
}

}  // namespace
}  // namespace rondo::utf8
