// See ml_dsa_ring.h. Functions are numbered as in FIPS 204.
#include "modules/crypto/pq/ml_dsa_ring.h"

#include "modules/crypto/keccak.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <cstdlib>

namespace rondo::modules::crypto::ml_dsa {

namespace {

constexpr int64_t kQ = kMlDsaQ;

constexpr int64_t power(int64_t base, uint32_t exponent) {
  int64_t out = 1;
  for (; exponent > 0; exponent >>= 1, base = base * base % kQ) {
    if (exponent & 1) out = out * base % kQ;
  }
  return out;
}
constexpr uint32_t bit_reversed(uint32_t x) {
  uint32_t out = 0;
  for (int i = 0; i < 8; i++) out |= ((x >> i) & 1) << (7 - i);
  return out;
}
constexpr int64_t kRadix = (int64_t{1} << 32) % kQ;
// 1753^BitRev8(i), times 2^32 for montgomery(), each between -q/2 and q/2: appendix B.
constexpr auto kZetas = [] {
  std::array<int32_t, kN> out{};
  for (uint32_t i = 0; i < kN; i++) {
    const int64_t zeta = power(1753, bit_reversed(i)) * kRadix % kQ;
    out[i] = static_cast<int32_t>(zeta > kQ / 2 ? zeta - kQ : zeta);
  }
  return out;
}();
// 2^64 / 256: one 2^32 for montgomery() itself, one for the product.
constexpr auto kEndFactor = static_cast<int32_t>(kRadix * kRadix % kQ * power(kN, kMlDsaQ - 2) % kQ);

}  // namespace

void ntt(Poly& w) {
  size_t m = 0;
  for (size_t len = 128; len >= 1; len /= 2) {
    for (size_t start = 0; start < kN; start += 2 * len) {
      const int64_t zeta = kZetas[++m];
      for (size_t j = start; j < start + len; j++) {
        const int32_t t = montgomery(zeta * w[j + len]);
        w[j + len] = w[j] - t;
        w[j] += t;
      }
    }
  }
}

void inverse_ntt(Poly& w) {
  // Sums double at each of eight levels: 2^8·q is just below 2^31.
  size_t m = 256;
  for (size_t len = 1; len < kN; len *= 2) {
    for (size_t start = 0; start < kN; start += 2 * len) {
      const int64_t zeta = -kZetas[--m];
      for (size_t j = start; j < start + len; j++) {
        const int32_t t = w[j];
        w[j] = t + w[j + len];
        w[j + len] = montgomery(zeta * (t - w[j + len]));
      }
    }
  }
  for (auto& x : w) x = montgomery(static_cast<int64_t>(kEndFactor) * x);
}

void multiply(const Poly& a, const Poly& b, Poly& out) {
  for (size_t i = 0; i < kN; i++) out[i] = montgomery(static_cast<int64_t>(a[i]) * b[i]);
}

bool reaches(const Poly& w, int32_t bound) {
  int32_t found = 0;
  for (const int32_t x : w) {
    const int32_t size = (x ^ (x >> 31)) - (x >> 31);
    found |= bound - 1 - size;
  }
  return found < 0;
}

void bit_pack(const Poly& w, size_t bits, int32_t b, std::span<uint8_t> out) {
  uint64_t waiting = 0;
  size_t count = 0, at = 0;
  for (const int32_t x : w) {
    waiting |= static_cast<uint64_t>(b == 0 ? x : b - x) << count;
    for (count += bits; count >= 8; count -= 8, waiting >>= 8) out[at++] = static_cast<uint8_t>(waiting);
  }
}

void bit_unpack(Bytes bytes, size_t bits, int32_t b, Poly& w) {
  uint64_t waiting = 0;
  size_t count = 0, at = 0;
  for (auto& x : w) {
    for (; count < bits; count += 8) waiting |= static_cast<uint64_t>(bytes[at++]) << count;
    const auto found = static_cast<int32_t>(waiting & ((uint64_t{1} << bits) - 1));
    x = b == 0 ? found : b - found;
    waiting >>= bits;
    count -= bits;
  }
}

void sample_in_ball(const MlDsa& kind, Bytes seed, Poly& c) {
  Keccak xof(256, 24);
  xof.absorb(seed);
  xof.finish(kShakeDomain);
  std::array<uint8_t, 8> first;
  xof.read(first);
  uint64_t signs = 0;
  for (size_t i = 0; i < 8; i++) signs |= static_cast<uint64_t>(first[i]) << (8 * i);
  c.fill(0);
  std::array<uint8_t, 128> block;
  size_t at = block.size();
  for (size_t i = kN - static_cast<size_t>(kind.tau); i < kN; i++, signs >>= 1) {
    size_t j = kN;
    while (j > i) {
      if (at == block.size()) {
        xof.read(block);
        at = 0;
      }
      j = block[at++];
    }
    c[i] = c[j];
    c[j] = 1 - 2 * static_cast<int32_t>(signs & 1);
  }
}

void sample_ntt(Bytes rho, uint8_t column, uint8_t row, Poly& a) {
  Keccak xof(128, 24);
  xof.absorb(rho);
  const uint8_t indices[2] = {column, row};
  xof.absorb(indices);
  xof.finish(kShakeDomain);
  std::array<uint8_t, 168> block;
  for (size_t j = 0; j < kN;) {
    xof.read(block);
    for (size_t at = 0; at < block.size() && j < kN; at += 3) {
      // Algorithm 14, CoeffFromThreeBytes
      const int32_t z = block[at] | block[at + 1] << 8 | (block[at + 2] & 0x7f) << 16;
      if (z < kMlDsaQ) a[j++] = z;
    }
  }
}

namespace {

// Algorithm 15, CoeffFromHalfByte; false when the half byte is none.
bool from_half_byte(int32_t eta, uint32_t b, int32_t& out) {
  if (eta == 4) {
    out = 4 - static_cast<int32_t>(b);
    return b < 9;
  }
  out = 2 - static_cast<int32_t>(b - ((205 * b) >> 10) * 5);  // b mod 5
  return b < 15;
}

}  // namespace

void sample_bounded(const MlDsa& kind, Bytes rho, uint16_t number, Poly& s) {
  Keccak xof(256, 24);
  xof.absorb(rho);
  const uint8_t index[2] = {static_cast<uint8_t>(number), static_cast<uint8_t>(number >> 8)};
  xof.absorb(index);
  xof.finish(kShakeDomain);
  std::array<uint8_t, 136> block;
  for (size_t j = 0; j < kN;) {
    xof.read(block);
    for (size_t at = 0; at < block.size() && j < kN; at++) {
      // Which half bytes are skipped may be seen: it tells nothing of those that are taken.
      if (from_half_byte(kind.eta, block[at] % 16, s[j])) j++;
      if (j < kN && from_half_byte(kind.eta, block[at] / 16, s[j])) j++;
    }
  }
  OPENSSL_cleanse(block.data(), block.size());
}

void sample_mask(const MlDsa& kind, Bytes rho, uint16_t number, Poly& y) {
  const uint8_t index[2] = {static_cast<uint8_t>(number), static_cast<uint8_t>(number >> 8)};
  std::array<uint8_t, 32 * 20> bytes;
  const auto used = std::span(bytes).first(32 * kind.mask_bits());
  shake(256, {rho, index}, used);
  bit_unpack(used, kind.mask_bits(), kind.gamma1, y);
  OPENSSL_cleanse(bytes.data(), bytes.size());
}

}  // namespace rondo::modules::crypto::ml_dsa
