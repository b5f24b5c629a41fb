// The arithmetic of ML-DSA, number by number.
#include "modules/crypto/pq/ml_dsa_ring.h"

#include <gtest/gtest.h>

#include <random>

namespace rondo::modules::crypto {

TEST(MlDsaRingTest, decomposes_every_number_as_the_standard_does) {
  for (const int32_t gamma2 : {kMlDsa44.gamma2, kMlDsa65.gamma2}) {
    const ml_dsa::Decompose decompose(gamma2);
    int64_t wrong = 0;
    for (int32_t r = 0; r < kMlDsaQ; r++) {
      // Algorithm 36, as it stands there.
      int32_t low = r % (2 * gamma2);
      if (low > gamma2) low -= 2 * gamma2;
      int32_t high = (r - low) / (2 * gamma2);
      if (r - low == kMlDsaQ - 1) {
        high = 0;
        low -= 1;
      }
      int32_t found_high = -1, found_low = -1;
      decompose(r, found_high, found_low);
      wrong += found_high != high || found_low != low;
    }
    EXPECT_EQ(wrong, 0);
  }
}

TEST(MlDsaRingTest, transforms_back_and_forth) {
  std::mt19937 random(2);
  for (int round = 0; round < 20; round++) {
    ml_dsa::Poly a, b, product{};
    for (auto& x : a) x = static_cast<int32_t>(random() % kMlDsaQ);
    for (auto& x : b) x = static_cast<int32_t>(random() % kMlDsaQ);
    // The product modulo x^256 + 1, term by term.
    for (size_t i = 0; i < ml_dsa::kN; i++) {
      for (size_t j = 0; j < ml_dsa::kN; j++) {
        const int64_t term = static_cast<int64_t>(a[i]) * b[j] % kMlDsaQ;
        auto& at = product[(i + j) % ml_dsa::kN];
        at = static_cast<int32_t>((at + (i + j < ml_dsa::kN ? term : kMlDsaQ - term)) % kMlDsaQ);
      }
    }
    ml_dsa::ntt(a);
    ml_dsa::ntt(b);
    ml_dsa::Poly found;
    ml_dsa::multiply(a, b, found);
    ml_dsa::inverse_ntt(found);
    for (auto& x : found) x = ml_dsa::positive(x);
    EXPECT_EQ(found, product);
  }
}

}  // namespace rondo::modules::crypto
