// ML-DSA: answers that two other implementations give for the same seeds, and forged signatures.
#include "modules/crypto/pq/ml_dsa.h"

#include "modules/crypto/pq/pq_test.h"

#include <gtest/gtest.h>

#include <random>

namespace rondo::modules::crypto {

namespace {

struct Case {
  const MlDsa& kind;
  const char *public_hash, *private_hash, *deterministic, *hedged;
};
const Case kCases[] = {
    {kMlDsa44, "9f107644c1084526af3bc8098680b05499a2325a644e388fb4f970e058d19d46",
     "04bf6b9f579166a627961dfc5c3bf9717df868db88863856356c4668c8b56b0b",
     "20190968743d3ef9346200b0221a47bb579b47eac6b0de5db6853afba9731bd7",
     "5ff224727965bf43ccafafe115705d1cb986be4720f2779a4727edc9c286ecd2"},
    {kMlDsa65, "d666806e11cee19a7c989f7445f90dd419cf4d2d51db8c0fdb4c0f0a542238c9",
     "9f1e24f47795fe50040384e3d6183988047170fa2d866406b70fe0a3f8216063",
     "5552720a6b02276072589468453c2b076df879e661f9bb3d87585e98b8e91927",
     "d7b54d1819cde607fe35f735dc0998f5f9954bdba37c6ed475c40b8a267346a2"},
    {kMlDsa87, "91dc389cfaa01470b7f66eee45a4ae9026d154817c754dfe22298b3fa241ffcd",
     "764d3e223ed90c07bc91a0ab6ecd170e5c66ffe39f7039298596039a36005435",
     "8f4d5d5a9287449b2a62e63f288150c8cf09a392f96cdea0bc3905f976f76987",
     "e391009ea271588a6dc123efb3210bc488b870b3ea098671b8348e9a970837cf"},
};

struct Pair {
  std::vector<uint8_t> public_key, private_key;
  explicit Pair(const MlDsa& kind) : public_key(kind.public_size()), private_key(kind.private_size()) {
    const auto seed = counting(kMlDsaSeed, 0);
    ml_dsa_keygen(kind, std::span(seed).first<kMlDsaSeed>(), public_key, private_key);
  }
};

std::vector<uint8_t> signature_of(const MlDsa& kind, const Pair& pair, std::span<const uint8_t> context,
                                  std::span<const uint8_t> message, const std::vector<uint8_t>& random) {
  std::vector<uint8_t> signature(kind.signature_size());
  ml_dsa_sign(kind, pair.private_key, context, message, std::span(random).first<kMlDsaRandom>(), signature);
  return signature;
}

const std::vector<uint8_t> kMessage = counting(100, 0), kContext = counting(20, 7), kZeros(kMlDsaRandom);

}  // namespace

TEST(MlDsaTest, gives_the_answers_of_others) {
  for (const auto& expected : kCases) {
    const Pair pair(expected.kind);
    EXPECT_EQ(hash_of(pair.public_key), expected.public_hash);
    EXPECT_EQ(hash_of(pair.private_key), expected.private_hash);
    EXPECT_EQ(hash_of(signature_of(expected.kind, pair, {}, kMessage, kZeros)), expected.deterministic);
    EXPECT_EQ(hash_of(signature_of(expected.kind, pair, kContext, kMessage, counting(32, 50))), expected.hedged);
  }
}

TEST(MlDsaTest, verifies_what_it_signs_and_nothing_else) {
  std::mt19937 random(1);
  for (const auto& each : kCases) {
    const Pair pair(each.kind);
    const auto good = signature_of(each.kind, pair, kContext, kMessage, kZeros);
    EXPECT_TRUE(ml_dsa_verify(each.kind, pair.public_key, kContext, kMessage, good));
    EXPECT_FALSE(ml_dsa_verify(each.kind, pair.public_key, {}, kMessage, good));
    EXPECT_FALSE(ml_dsa_verify(each.kind, pair.public_key, kContext, kContext, good));
    EXPECT_FALSE(ml_dsa_verify(each.kind, pair.public_key, kContext, kMessage, std::span(good).first(good.size() - 1)));
    EXPECT_FALSE(ml_dsa_verify(each.kind, pair.public_key, kContext, kMessage, {}));
    for (int i = 0; i < 200; i++) {
      auto bad = good;
      bad[random() % bad.size()] ^= static_cast<uint8_t>(1 << random() % 8);
      EXPECT_FALSE(ml_dsa_verify(each.kind, pair.public_key, kContext, kMessage, bad));
    }
    // The hint alone: no place twice, none out of order, nothing behind the last, no end before another.
    for (size_t at = good.size() - each.kind.omega - each.kind.k; at < good.size(); at++) {
      for (const int value : {0x00, 0x01, 0x7f, 0xff}) {
        auto bad = good;
        bad[at] = static_cast<uint8_t>(value);
        if (bad != good) EXPECT_FALSE(ml_dsa_verify(each.kind, pair.public_key, kContext, kMessage, bad)) << at;
      }
    }
  }
}

TEST(MlDsaTest, finds_the_public_key_of_a_private_one) {
  for (const auto& each : kCases) {
    Pair pair(each.kind);
    std::vector<uint8_t> found(each.kind.public_size());
    EXPECT_TRUE(ml_dsa_public_part(each.kind, pair.private_key, found));
    EXPECT_EQ(found, pair.public_key);
    // The seed of the matrix, the hash of the public key, the first and the last of the vectors.
    for (const size_t at : {size_t{0}, size_t{64}, size_t{130}, pair.private_key.size() - 1}) {
      pair.private_key[at] ^= 1;
      EXPECT_FALSE(ml_dsa_public_part(each.kind, pair.private_key, found)) << at;
      pair.private_key[at] ^= 1;
    }
    // Numbers out of range: all bits set.
    std::fill_n(pair.private_key.begin() + 128, 12, uint8_t{0xff});
    EXPECT_FALSE(ml_dsa_public_part(each.kind, pair.private_key, found));
  }
}

}  // namespace rondo::modules::crypto
