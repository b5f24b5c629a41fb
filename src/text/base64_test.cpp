#include "text/base64.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstring>
#include <string>
#include <vector>

namespace rondo {
namespace {

std::span<const uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string encoded(std::span<const uint8_t> bytes, base64::Alphabet alphabet) {
  std::string out(base64::encoded_size(bytes.size(), alphabet), '\0');
  base64::encode(bytes, alphabet, reinterpret_cast<uint8_t*>(out.data()));
  return out;
}

std::string decoded(const std::string& text) {
  std::string out(base64::decoded_size_limit(text.size()), '\0');
  out.resize(base64::decode(bytes_of(text), {reinterpret_cast<uint8_t*>(out.data()), out.size()}));
  return out;
}

TEST(Base64, RoundTripsEveryLengthAndByte) {
  for (size_t size = 0; size < 200; size++) {
    std::vector<uint8_t> bytes(size);
    for (size_t i = 0; i < size; i++) bytes[i] = static_cast<uint8_t>(i * 37 + size);
    std::string text(bytes.begin(), bytes.end());
    EXPECT_EQ(decoded(encoded(bytes, base64::Alphabet::Standard)), text);
    EXPECT_EQ(decoded(encoded(bytes, base64::Alphabet::Url)), text);
  }
}

// Blocks of any width write what the definition says, for every byte at every place of a block.
TEST(Base64, EncodesByTheDefinition) {
  const std::string table = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t size = 3; size < 300; size += 3) {
    std::vector<uint8_t> bytes(size);
    for (size_t i = 0; i < size; i++) bytes[i] = static_cast<uint8_t>(i * i * 31 + size * 7);
    std::string expected;
    for (size_t bit = 0; bit < size * 8; bit += 6) {
      unsigned six = 0;
      for (size_t k = bit; k < bit + 6; k++) six = six << 1 | (bytes[k / 8] >> (7 - k % 8) & 1);
      expected += table[six];
    }
    EXPECT_EQ(encoded(bytes, base64::Alphabet::Standard), expected);
    for (char& c : expected) c = c == '+' ? '-' : c == '/' ? '_' : c;
    EXPECT_EQ(encoded(bytes, base64::Alphabet::Url), expected);
  }
}

TEST(Base64, IsLenientAsNode) {
  EXPECT_EQ(encoded(bytes_of("Woman"), base64::Alphabet::Standard), "V29tYW4=");
  EXPECT_EQ(encoded(bytes_of("Woman"), base64::Alphabet::Url), "V29tYW4");
  EXPECT_EQ(decoded("YWJj=YWJj"), "abc");
  EXPECT_EQ(decoded("=YWJj"), "");
  EXPECT_EQ(decoded("YW Jj\n*YWJjYWJjYWJjYWJjYWJjYW-Jj"), decoded("YWJjYWJjYWJjYWJjYWJjYWJjYW+Jj"));
  EXPECT_EQ(decoded("Y"), "");
}

// An invalid character anywhere in the text ends the fast part before its block, and nothing of the other alphabet passes.
TEST(Base64, BlocksHoldOneAlphabetOnly) {
  using base64::Alphabet;
  std::vector<uint8_t> bytes(96);
  for (size_t i = 0; i < bytes.size(); i++) bytes[i] = static_cast<uint8_t>(i * 89 + 7);
  for (auto alphabet : {Alphabet::Standard, Alphabet::Url}) {
    const std::string whole = encoded(bytes, alphabet);
    std::vector<uint8_t> all(bytes.size() + 16);
    if (base64::decode_blocks(bytes_of(whole), alphabet, all) == 0) GTEST_SKIP() << "no such instructions";
    for (size_t at = 0; at < whole.size(); at++) {
      for (int character = 0; character < 256; character++) {
        std::string text = whole;
        text[at] = static_cast<char>(character);
        std::vector<uint8_t> out(bytes.size() + 16);
        const size_t done = base64::decode_blocks(bytes_of(text), alphabet, out);
        const auto* specials = alphabet == Alphabet::Url ? "-_" : "+/";
        const bool is_digit = character < 128 && (isalnum(character) || (character && strchr(specials, character)));
        ASSERT_EQ(done, is_digit ? whole.size() : at / 16 * 16) << at << " " << character;
        ASSERT_EQ(std::string(out.begin(), out.begin() + done / 4 * 3), decoded(text.substr(0, done)));
      }
    }
  }
}

TEST(Base64, ForgivingDecodeRejects) {
  uint8_t out[16];
  auto fault = [&](const std::string& text) { return base64::forgiving_decode(bytes_of(text), out).fault; };
  EXPECT_EQ(fault("YQ=="), base64::Fault::None);
  EXPECT_EQ(fault(" Y Q = = "), base64::Fault::None);
  EXPECT_EQ(fault("YQ="), base64::Fault::InvalidCharacter);
  EXPECT_EQ(fault("Y"), base64::Fault::BadLength);
  EXPECT_EQ(fault("Y-=="), base64::Fault::InvalidCharacter);
  EXPECT_EQ(fault("YQ==YQ=="), base64::Fault::InvalidCharacter);
}

TEST(Hex, StopsAtWhatIsNotADigit) {
  uint8_t out[4];
  EXPECT_EQ(hex::decode(bytes_of("abCDxx12"), out), 2u);
  EXPECT_EQ(out[0], 0xab);
  EXPECT_EQ(out[1], 0xcd);
  EXPECT_EQ(hex::decode(bytes_of("123"), out), 1u);
}

}  // namespace
}  // namespace rondo
