// SLH-DSA: answers that two other implementations give for the same seeds, and forged signatures. Of the slow parameter sets one.
#include "modules/crypto/pq/slh_dsa.h"

#include "modules/crypto/pq/pq_test.h"

#include <gtest/gtest.h>

#include <random>

namespace rondo::modules::crypto {

namespace {

struct Case {
  SlhDsa kind;
  const char *private_hash, *signature_hash;
};
const Case kCases[] = {
    {slh_dsa_128f(SlhHash::Sha2), "648556cbd42422219b8f112c3903b244f0e8825a075138dc3ed784cfff8be3b2",
     "cdf3b4c43a1b3258d00811b10aff640aea26486cd53ba9ae905751edc6284aea"},
    {slh_dsa_128s(SlhHash::Sha2), "c6222658caa895a591af74d9f8c85d160962d253a782edf95875bbb3acee0a07",
     "37aeb4c5914fca6bbffda9ca60d7429a49141991945d4d8a7c88656e12f8116a"},
    {slh_dsa_192f(SlhHash::Sha2), "13d9d4e00ef66bcd20e6ee5b53a3f94227e607c849a9805985b52846203688b2",
     "55b9702c875e69282da97f68509382be863bed4f53e1fde798390ee872068ccb"},
    {slh_dsa_256f(SlhHash::Sha2), "6745eeba8b394f5af22f046c398b6dbef7ce6dab15c1c4c54909a4ec805fd176",
     "3409aeb4f8a04e51159538e89b63e4d23a12c3a8534d4a2c5e148f02be31d1ac"},
    {slh_dsa_128f(SlhHash::Shake), "215e7d26a839c7a4d619e378003d8e60e8009ee317280c279a0382bf2ea5898f",
     "5e78d29b185fd5806649e1e24aa53befcf45c9279ba995d5cadcacffbba93907"},
    {slh_dsa_192f(SlhHash::Shake), "280f02ab4e023b7dc288e19f1f9a8376008ffde8b1bc8c955aa985f6bfcbb8bc",
     "fad32b77d8d5d36a162517bbb90fa95593cbccdbd5547e9385b4c636d3b05f4b"},
    {slh_dsa_256f(SlhHash::Shake), "e220d3dd97def0d1d6906e6cd704bf6d339a34ee93bf96c5062d19c8f13d3665",
     "f144ad2c18537cdc4cb21c35bf547e1072a67ea02be7f5c6781a2bd5b31729a1"},
};

}  // namespace

TEST(SlhDsaTest, gives_the_answers_of_others_and_verifies_nothing_else) {
  std::mt19937 random(3);
  const auto message = counting(100, 0), context = counting(20, 7);
  for (const auto& expected : kCases) {
    const auto& kind = expected.kind;
    std::vector<uint8_t> private_key(kind.private_size()), signature(kind.signature_size());
    slh_dsa_keygen(kind, counting(kind.seed_size(), 0), private_key);
    EXPECT_EQ(hash_of(private_key), expected.private_hash);
    slh_dsa_sign(kind, private_key, context, message, counting(kind.n, 50), signature);
    EXPECT_EQ(hash_of(signature), expected.signature_hash);

    const auto public_key = slh_dsa_public_part(kind, private_key);
    EXPECT_TRUE(slh_dsa_verify(kind, public_key, context, message, signature));
    EXPECT_FALSE(slh_dsa_verify(kind, public_key, {}, message, signature));
    EXPECT_FALSE(slh_dsa_verify(kind, public_key, context, context, signature));
    EXPECT_FALSE(slh_dsa_verify(kind, public_key, context, message, std::span(signature).first(signature.size() - 1)));
    EXPECT_FALSE(slh_dsa_verify(kind, public_key, context, message, {}));
    for (int i = 0; i < 10; i++) {
      auto bad = signature;
      bad[random() % bad.size()] ^= static_cast<uint8_t>(1 << random() % 8);
      EXPECT_FALSE(slh_dsa_verify(kind, public_key, context, message, bad));
    }
  }
}

}  // namespace rondo::modules::crypto
