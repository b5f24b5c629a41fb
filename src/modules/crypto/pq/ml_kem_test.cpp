// ML-KEM: answers that two other implementations give for the same seeds, and what must hold for every key.
#include "modules/crypto/pq/ml_kem.h"

#include "modules/crypto/pq/pq_test.h"

#include <gtest/gtest.h>

namespace rondo::modules::crypto {

namespace {

struct Case {
  const MlKem& kind;
  const char *public_hash, *private_hash, *sealed_hash, *secret, *rejected;
};
const Case kCases[] = {
    {kMlKem512, "3ae268dccc5456ac0d0f9b39257dc48fe081383b97c400512d712b739762daee",
     "17fb29b8c4baf74fb81eea15ffd583b3e37f5a5b8dcf6db96c72c3b3751d6f17",
     "9596d0c11b16c7cf90bb1efd90595bdcb2aa9c17614ea9ffb6c416002bdf6d2f",
     "3a607cff6eafff95c45dcfb474aba90719265620a28c465f3f6ffe39d5dc5f18",
     "3cd6d191751c337ddc40dc3e2fb9cdc1570ddea75b5497a6be8dcca3ca1d7d7c"},
    {kMlKem768, "0b7934c83125c788995e2ba6bd761e33046b3e40571be53e023309a29f398cc9",
     "dac268bde6a8dd238e9887117d6b664e7a7a9350ad6b7c08a948e504809572a5",
     "57fe559432dbb3c5547c73f155820622f7efdd532e4330360a36ebf7d2ddec55",
     "c5a74110c158acbaf9c01deb86fa6cc10c14533feda54bec1fdd000d61f07e4e",
     "bb28c25ed3222c13ce49d65f663f1c9f148565a664747e142f1abe06f33f4826"},
    {kMlKem1024, "c7b8fa0aa471d5ae18922d6ccad5b31e1d84f92ae723abfd13747018740a8530",
     "3a2a676c5a242ee683cb6097c8f3e64fbef4d90267f9250ec2beab8f99621fad",
     "1fe22ad629280fa1dc35fb4e640ab7cef0eae704976517f163d599966f231e9d",
     "f64fab54e0b56ccc058bf30d5d5d9dc2023e266432bf4e8009fbbaf3c8602331",
     "a1f7f46733b963d1abfca9b8c7d198cfdd9a634c795f52dc0da84a8371acd325"},
};

struct Pair {
  std::vector<uint8_t> public_key, private_key;
  Pair(const MlKem& kind, uint8_t first) : public_key(kind.public_size()), private_key(kind.private_size()) {
    const auto seed = counting(kMlKemSeed, first);
    ml_kem_keygen(kind, std::span(seed).first<kMlKemSeed>(), public_key, private_key);
  }
};

struct Sealed {
  std::vector<uint8_t> secret, sealed;
  Sealed(const MlKem& kind, std::span<const uint8_t> public_key, uint8_t first)
      : secret(kMlKemSecret), sealed(kind.sealed_size()) {
    const auto random = counting(kMlKemRandom, first);
    ml_kem_encapsulate(kind, public_key, std::span(random).first<kMlKemRandom>(),
                       std::span(secret).first<kMlKemSecret>(), sealed);
  }
};

std::vector<uint8_t> opened(const MlKem& kind, std::span<const uint8_t> private_key, std::span<const uint8_t> sealed) {
  std::vector<uint8_t> secret(kMlKemSecret);
  ml_kem_decapsulate(kind, private_key, sealed, std::span(secret).first<kMlKemSecret>());
  return secret;
}

}  // namespace

TEST(MlKemTest, gives_the_answers_of_others) {
  for (const auto& expected : kCases) {
    const Pair pair(expected.kind, 0);
    EXPECT_EQ(hash_of(pair.public_key), expected.public_hash);
    EXPECT_EQ(hash_of(pair.private_key), expected.private_hash);
    Sealed made(expected.kind, pair.public_key, 100);
    EXPECT_EQ(hash_of(made.sealed), expected.sealed_hash);
    EXPECT_EQ(hex(made.secret), expected.secret);
    EXPECT_EQ(hex(opened(expected.kind, pair.private_key, made.sealed)), expected.secret);
    made.sealed[0] ^= 1;
    EXPECT_EQ(hex(opened(expected.kind, pair.private_key, made.sealed)), expected.rejected);
  }
}

TEST(MlKemTest, opens_what_it_seals_and_nothing_else) {
  for (const auto& each : kCases) {
    for (uint8_t i = 0; i < 10; i++) {
      const Pair pair(each.kind, i);
      Sealed made(each.kind, pair.public_key, i);
      EXPECT_EQ(opened(each.kind, pair.private_key, made.sealed), made.secret);
      // In each part of the ciphertext, down to the last bit.
      made.sealed[made.sealed.size() - 1 - i] ^= 0x80;
      EXPECT_NE(opened(each.kind, pair.private_key, made.sealed), made.secret);
    }
  }
}

TEST(MlKemTest, checks_keys) {
  for (const auto& each : kCases) {
    Pair pair(each.kind, 0);
    EXPECT_TRUE(ml_kem_is_public_key(each.kind, pair.public_key));
    EXPECT_TRUE(ml_kem_is_private_key(each.kind, pair.private_key));
    // q itself, 3329, as the last number.
    const size_t last = 384 * each.kind.k - 3;
    pair.public_key[last + 1] = static_cast<uint8_t>((pair.public_key[last + 1] & 0x0f) | 0x10);
    pair.public_key[last + 2] = 0xd0;
    EXPECT_FALSE(ml_kem_is_public_key(each.kind, pair.public_key));
    pair.public_key[last + 1] &= 0x0f;
    EXPECT_TRUE(ml_kem_is_public_key(each.kind, pair.public_key));
    pair.private_key[384 * each.kind.k] ^= 1;
    EXPECT_FALSE(ml_kem_is_private_key(each.kind, pair.private_key));
  }
}

}  // namespace rondo::modules::crypto
