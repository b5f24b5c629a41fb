// The ring in which ML-DSA computes (FIPS 204, sections 2.4 and 7): polynomials of 256 coefficients modulo q, their number-theoretic
// transform, rounding, and how they are packed into bits. Used by ml_dsa.cpp only.
#pragma once

#include "modules/crypto/pq/ml_dsa.h"

#include <array>

namespace rondo::modules::crypto::ml_dsa {

constexpr size_t kN = 256;
constexpr int kD = 13;  // bits dropped from t

// Coefficients have a sign; the functions say between what bounds they lie.
using Poly = std::array<int32_t, kN>;
using Bytes = std::span<const uint8_t>;

// a·2^-32 mod q, between -q and q, for |a| < 2^31·q.
constexpr int32_t montgomery(int64_t a) {
  constexpr uint32_t kInverse = 58728449;  // of q, modulo 2^32
  static_assert(static_cast<uint32_t>(kMlDsaQ) * kInverse == 1);
  const auto t = static_cast<int32_t>(static_cast<uint32_t>(a) * kInverse);
  return static_cast<int32_t>((a - static_cast<int64_t>(t) * kMlDsaQ) >> 32);
}
// From (-q, q) to [0, q).
constexpr int32_t positive(int32_t a) { return a + (kMlDsaQ & (a >> 31)); }
// From (-q, q) to the number of least size: mod± q.
constexpr int32_t centred(int32_t a) {
  const int32_t whole = positive(a);
  return whole - (kMlDsaQ & (((kMlDsaQ - 1) / 2 - whole) >> 31));
}

// Algorithm 41. From (-q, q) to (-9q, 9q).
void ntt(Poly& w);
// Algorithm 42, times 2^32, which undoes the division that montgomery() left in a product. From and to (-q, q).
void inverse_ntt(Poly& w);
// A sum of products of transformed polynomials, divided by 2^32, in (-q, q). At most eight summands fit, or seven and a
// difference of one with both factors transformed.
class Sum {
 public:
  void add(const Poly& a, const Poly& b) {
    for (size_t i = 0; i < kN; i++) at_[i] += static_cast<int64_t>(a[i]) * b[i];
  }
  void subtract(const Poly& a, const Poly& b) {
    for (size_t i = 0; i < kN; i++) at_[i] -= static_cast<int64_t>(a[i]) * b[i];
  }
  void get(Poly& out) const {
    for (size_t i = 0; i < kN; i++) out[i] = montgomery(at_[i]);
  }

 private:
  std::array<int64_t, kN> at_{};
};
void multiply(const Poly& a, const Poly& b, Poly& out);

// Algorithm 35, Power2Round; r in [0, q).
constexpr void power2round(int32_t r, int32_t& high, int32_t& low) {
  high = (r + (1 << (kD - 1)) - 1) >> kD;
  low = r - (high << kD);
}

// Algorithm 36, Decompose, for one gamma2. The division is a multiplication and the exception a mask: r is secret in a signature.
class Decompose {
 public:
  explicit constexpr Decompose(int32_t gamma2)
      : gamma2_(gamma2),
        inverse_(((uint64_t{1} << 48) + static_cast<uint64_t>(2 * gamma2) - 1) / static_cast<uint64_t>(2 * gamma2)) {}

  // r in [0, q); `high` from 0 to steps() - 1, `low` between -gamma2 and gamma2.
  constexpr void operator()(int32_t r, int32_t& high, int32_t& low) const {
    const auto found = static_cast<int32_t>((static_cast<uint64_t>(r + gamma2_ - 1) * inverse_) >> 48);
    // All ones when r lies in the last half step, which belongs to zero.
    const int32_t is_top = ~((found - steps()) >> 31);
    high = found & ~is_top;
    low = r - found * 2 * gamma2_ - (is_top & 1);
  }
  constexpr int32_t steps() const { return (kMlDsaQ - 1) / (2 * gamma2_); }

 private:
  int32_t gamma2_;
  uint64_t inverse_;
};

// Whether a coefficient is as large as the bound or larger; all are looked at.
bool reaches(const Poly& w, int32_t bound);

// Algorithms 16 and 17: numbers between -a and b as b minus them, or, with b = 0, numbers from 0 as they are.
void bit_pack(const Poly& w, size_t bits, int32_t b, std::span<uint8_t> out);
// Algorithms 18 and 19
void bit_unpack(Bytes bytes, size_t bits, int32_t b, Poly& w);

// Algorithm 29, SampleInBall
void sample_in_ball(const MlDsa& kind, Bytes seed, Poly& c);
// Algorithm 30, RejNTTPoly, of a public seed.
void sample_ntt(Bytes rho, uint8_t column, uint8_t row, Poly& a);
// Algorithm 31, RejBoundedPoly
void sample_bounded(const MlDsa& kind, Bytes rho, uint16_t number, Poly& s);
// One polynomial of algorithm 34, ExpandMask
void sample_mask(const MlDsa& kind, Bytes rho, uint16_t number, Poly& y);

}  // namespace rondo::modules::crypto::ml_dsa
