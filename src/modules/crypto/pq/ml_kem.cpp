// See ml_kem.h. Functions are named and numbered as in FIPS 203.
#include "modules/crypto/pq/ml_kem.h"

#include "modules/crypto/keccak.h"
#include "modules/crypto/wiped.h"

#include <algorithm>
#include <array>

namespace rondo::modules::crypto {

namespace {

constexpr size_t kN = 256;
constexpr uint32_t kQ = 3329;

// Coefficients are always in [0, q).
using Poly = std::array<uint16_t, kN>;
using Polys = Wiped<Poly>;
using PublicPolys = std::vector<Poly>;
using Bytes = std::span<const uint8_t>;

// 2q → q. Without a branch: the sign is the mask.
constexpr uint16_t reduce_once(uint32_t x) {
  const uint32_t less = x - kQ;
  return static_cast<uint16_t>(less + (kQ & (0 - (less >> 31))));
}
constexpr uint16_t add(uint32_t a, uint32_t b) { return reduce_once(a + b); }
constexpr uint16_t subtract(uint32_t a, uint32_t b) { return reduce_once(a + kQ - b); }

// x mod q for x < 2^31, by Barrett: the quotient found is at most one too small.
constexpr uint16_t reduce(uint32_t x) {
  constexpr uint64_t kInverse = (uint64_t{1} << 32) / kQ;
  const auto quotient = static_cast<uint32_t>((x * kInverse) >> 32);
  return reduce_once(x - quotient * kQ);
}
constexpr uint16_t multiply(uint32_t a, uint32_t b) { return reduce(a * b); }

constexpr uint32_t bit_reversed(uint32_t x) {
  uint32_t out = 0;
  for (int i = 0; i < 7; i++) out |= ((x >> i) & 1) << (6 - i);
  return out;
}
constexpr uint16_t power(uint32_t base, uint32_t exponent) {
  uint16_t out = 1;
  for (; exponent > 0; exponent--) out = multiply(out, base);
  return out;
}
constexpr uint32_t kZeta = 17;
// 17^BitRev7(i), and 17^(2·BitRev7(i)+1): appendix A.
constexpr auto kZetas = [] {
  std::array<uint16_t, 128> out{};
  for (uint32_t i = 0; i < 128; i++) out[i] = power(kZeta, bit_reversed(i));
  return out;
}();
constexpr auto kGammas = [] {
  std::array<uint16_t, 128> out{};
  for (uint32_t i = 0; i < 128; i++) out[i] = power(kZeta, 2 * bit_reversed(i) + 1);
  return out;
}();

// Algorithm 9
void ntt(Poly& f) {
  size_t i = 1;
  for (size_t len = 128; len >= 2; len /= 2) {
    for (size_t start = 0; start < kN; start += 2 * len) {
      const uint32_t zeta = kZetas[i++];
      for (size_t j = start; j < start + len; j++) {
        const uint32_t t = multiply(zeta, f[j + len]);
        f[j + len] = subtract(f[j], t);
        f[j] = add(f[j], t);
      }
    }
  }
}

// Algorithm 10
void inverse_ntt(Poly& f) {
  size_t i = 127;
  for (size_t len = 2; len <= 128; len *= 2) {
    for (size_t start = 0; start < kN; start += 2 * len) {
      const uint32_t zeta = kZetas[i--];
      for (size_t j = start; j < start + len; j++) {
        const uint32_t t = f[j];
        f[j] = add(t, f[j + len]);
        f[j + len] = multiply(zeta, subtract(f[j + len], t));
      }
    }
  }
  constexpr uint32_t kInverseOf128 = 3303;
  for (auto& x : f) x = multiply(x, kInverseOf128);
}

// Algorithms 11 and 12; the product is added to `sum`.
void add_product(Poly& sum, const Poly& f, const Poly& g) {
  for (size_t i = 0; i < 128; i++) {
    const uint32_t a0 = f[2 * i], a1 = f[2 * i + 1], b0 = g[2 * i], b1 = g[2 * i + 1];
    const uint32_t twisted = multiply(a1, b1);
    sum[2 * i] = reduce(sum[2 * i] + a0 * b0 + twisted * kGammas[i]);
    sum[2 * i + 1] = reduce(sum[2 * i + 1] + a0 * b1 + a1 * b0);
  }
}

void add_to(Poly& sum, const Poly& other) {
  for (size_t i = 0; i < kN; i++) sum[i] = add(sum[i], other[i]);
}

// Algorithm 5, ByteEncode_d
void byte_encode(size_t d, const Poly& f, std::span<uint8_t> out) {
  uint64_t bits = 0;
  size_t count = 0, at = 0;
  for (const uint16_t x : f) {
    bits |= static_cast<uint64_t>(x) << count;
    for (count += d; count >= 8; count -= 8, bits >>= 8) out[at++] = static_cast<uint8_t>(bits);
  }
}

// Algorithm 6, ByteDecode_d. For d = 12 numbers of q and above are taken modulo q.
Poly byte_decode(size_t d, Bytes bytes) {
  Poly f{};
  uint64_t bits = 0;
  size_t count = 0, at = 0;
  for (auto& x : f) {
    for (; count < d; count += 8) bits |= static_cast<uint64_t>(bytes[at++]) << count;
    const auto found = static_cast<uint32_t>(bits & ((uint64_t{1} << d) - 1));
    x = d == 12 ? reduce_once(found) : static_cast<uint16_t>(found);
    bits >>= d;
    count -= d;
  }
  return f;
}

// Formula 4.7. The division is a multiplication, as the time a division takes tells of its operands.
void compress(size_t d, Poly& f) {
  constexpr uint64_t kInverse = ((uint64_t{1} << 36) + kQ - 1) / kQ;
  for (auto& x : f) {
    const uint64_t scaled = (static_cast<uint64_t>(x) << d) + kQ / 2;
    x = static_cast<uint16_t>((scaled * kInverse >> 36) & ((uint64_t{1} << d) - 1));
  }
}

// Formula 4.8
void decompress(size_t d, Poly& f) {
  for (auto& x : f) x = static_cast<uint16_t>((2 * x * kQ + (1U << d)) >> (d + 1));
}

// Algorithm 7. Its input is public.
Poly sample_ntt(Bytes rho, uint8_t column, uint8_t row) {
  Keccak xof(128, 24);
  xof.absorb(rho);
  const uint8_t indices[2] = {column, row};
  xof.absorb(indices);
  xof.finish(kShakeDomain);
  Poly a;
  std::array<uint8_t, 168> block;
  for (size_t j = 0; j < kN;) {
    xof.read(block);
    for (size_t at = 0; at < block.size() && j < kN; at += 3) {
      const uint32_t d1 = block[at] + 256U * (block[at + 1] % 16), d2 = block[at + 1] / 16 + 16U * block[at + 2];
      if (d1 < kQ) a[j++] = static_cast<uint16_t>(d1);
      if (d2 < kQ && j < kN) a[j++] = static_cast<uint16_t>(d2);
    }
  }
  return a;
}

// Algorithm 8, of the bytes that PRF_eta (formula 4.3) gives for `seed` and `number`.
void sample_cbd(size_t eta, Bytes seed, uint8_t number, Poly& f) {
  std::array<uint8_t, 64 * 3> bytes;
  const auto used = std::span(bytes).first(64 * eta);
  shake(256, {seed, {&number, 1}}, used);
  uint32_t bits = 0;
  size_t count = 0, at = 0;
  for (auto& coefficient : f) {
    if (count < 2 * eta) {
      // Two or three bytes: a whole number of coefficients.
      for (size_t i = 0; i < eta; i++, count += 8) bits |= static_cast<uint32_t>(used[at++]) << count;
    }
    uint32_t x = 0, y = 0;
    for (size_t i = 0; i < eta; i++) {
      x += (bits >> i) & 1;
      y += (bits >> (eta + i)) & 1;
    }
    coefficient = subtract(x, y);
    bits >>= 2 * eta;
    count -= 2 * eta;
  }
  OPENSSL_cleanse(bytes.data(), bytes.size());
}

// The matrix A, row by row.
PublicPolys expand_matrix(const MlKem& kind, Bytes rho) {
  PublicPolys matrix(kind.k * kind.k);
  for (size_t i = 0; i < kind.k; i++) {
    for (size_t j = 0; j < kind.k; j++)
      matrix[i * kind.k + j] = sample_ntt(rho, static_cast<uint8_t>(j), static_cast<uint8_t>(i));
  }
  return matrix;
}

void encode_vector(size_t k, const Polys& vector, std::span<uint8_t> out) {
  for (size_t i = 0; i < k; i++) byte_encode(12, vector[i], out.subspan(384 * i, 384));
}

Polys decode_vector(size_t k, Bytes bytes) {
  Polys vector(k);
  for (size_t i = 0; i < k; i++) vector[i] = byte_decode(12, bytes.subspan(384 * i, 384));
  return vector;
}

// Algorithm 13, K-PKE.KeyGen
void pke_keygen(const MlKem& kind, Bytes d, std::span<uint8_t> ek, std::span<uint8_t> dk) {
  const size_t k = kind.k;
  Wiped<uint8_t> both(64);
  const auto number = static_cast<uint8_t>(k);
  sha3(512, {d, {&number, 1}}, both);  // G
  const Bytes rho = both.span().first(32), sigma = both.span().subspan(32);
  const PublicPolys a = expand_matrix(kind, rho);
  Polys s(k), t(k);
  for (size_t i = 0; i < k; i++) {
    sample_cbd(kind.eta1, sigma, static_cast<uint8_t>(i), s[i]);
    sample_cbd(kind.eta1, sigma, static_cast<uint8_t>(k + i), t[i]);  // e
    ntt(s[i]);
    ntt(t[i]);
  }
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j < k; j++) add_product(t[i], a[i * k + j], s[j]);
  }
  encode_vector(k, t, ek);
  std::ranges::copy(rho, ek.begin() + static_cast<ptrdiff_t>(384 * k));
  encode_vector(k, s, dk);
}

// Algorithm 14, K-PKE.Encrypt
void pke_encrypt(const MlKem& kind, Bytes ek, Bytes m, Bytes r, std::span<uint8_t> c) {
  const size_t k = kind.k;
  const Polys t = decode_vector(k, ek);
  const PublicPolys a = expand_matrix(kind, ek.subspan(384 * k, 32));
  Polys y(k), work(3);
  Poly &sum = work[0], &noise = work[1], &mu = work[2];
  for (size_t i = 0; i < k; i++) {
    sample_cbd(kind.eta1, r, static_cast<uint8_t>(i), y[i]);
    ntt(y[i]);
  }
  for (size_t i = 0; i < k; i++) {
    sum = {};
    for (size_t j = 0; j < k; j++) add_product(sum, a[j * k + i], y[j]);
    inverse_ntt(sum);
    sample_cbd(kind.eta2, r, static_cast<uint8_t>(k + i), noise);  // e1
    add_to(sum, noise);
    compress(kind.du, sum);
    byte_encode(kind.du, sum, c.subspan(32 * kind.du * i, 32 * kind.du));
  }
  sum = {};
  for (size_t i = 0; i < k; i++) add_product(sum, t[i], y[i]);
  inverse_ntt(sum);
  sample_cbd(kind.eta2, r, static_cast<uint8_t>(2 * k), noise);  // e2
  mu = byte_decode(1, m);
  decompress(1, mu);
  add_to(sum, noise);
  add_to(sum, mu);
  compress(kind.dv, sum);
  byte_encode(kind.dv, sum, c.subspan(32 * kind.du * k, 32 * kind.dv));
}

// Algorithm 15, K-PKE.Decrypt
void pke_decrypt(const MlKem& kind, Bytes dk, Bytes c, std::span<uint8_t> m) {
  const size_t k = kind.k;
  const Polys s = decode_vector(k, dk);
  Polys work(2);
  Poly &product = work[0], &w = work[1];
  for (size_t i = 0; i < k; i++) {
    Poly u = byte_decode(kind.du, c.subspan(32 * kind.du * i, 32 * kind.du));
    decompress(kind.du, u);
    ntt(u);
    add_product(product, s[i], u);
  }
  inverse_ntt(product);
  w = byte_decode(kind.dv, c.subspan(32 * kind.du * k, 32 * kind.dv));
  decompress(kind.dv, w);
  for (size_t i = 0; i < kN; i++) w[i] = subtract(w[i], product[i]);
  compress(1, w);
  byte_encode(1, w, m);
}

}  // namespace

void ml_kem_keygen(const MlKem& kind, std::span<const uint8_t, kMlKemSeed> seed, std::span<uint8_t> public_key,
                   std::span<uint8_t> private_key) {
  const size_t own = 384 * kind.k, whole = own + kind.public_size();
  pke_keygen(kind, seed.first<32>(), public_key, private_key.first(own));
  std::ranges::copy(public_key, private_key.begin() + static_cast<ptrdiff_t>(own));
  sha3(256, {public_key}, private_key.subspan(whole, 32));  // H
  std::ranges::copy(seed.last<32>(), private_key.begin() + static_cast<ptrdiff_t>(whole) + 32);
}

bool ml_kem_is_public_key(const MlKem& kind, std::span<const uint8_t> public_key) {
  for (size_t at = 0; at < 384 * kind.k; at += 3) {
    const uint32_t first = public_key[at] + 256U * (public_key[at + 1] % 16);
    const uint32_t second = public_key[at + 1] / 16 + 16U * public_key[at + 2];
    if (first >= kQ || second >= kQ) return false;
  }
  return true;
}

bool ml_kem_is_private_key(const MlKem& kind, std::span<const uint8_t> private_key) {
  std::array<uint8_t, 32> hash;
  sha3(256, {ml_kem_public_part(kind, private_key)}, hash);
  return std::ranges::equal(hash, private_key.subspan(384 * kind.k + kind.public_size(), 32));
}

void ml_kem_encapsulate(const MlKem& kind, std::span<const uint8_t> public_key,
                        std::span<const uint8_t, kMlKemRandom> random, std::span<uint8_t, kMlKemSecret> secret,
                        std::span<uint8_t> sealed) {
  std::array<uint8_t, 32> hash;
  sha3(256, {public_key}, hash);  // H
  Wiped<uint8_t> both(64);
  sha3(512, {random, hash}, both);  // G: K, then r
  std::copy_n(both.begin(), kMlKemSecret, secret.begin());
  pke_encrypt(kind, public_key, random, both.span().subspan(kMlKemSecret), sealed);
}

void ml_kem_decapsulate(const MlKem& kind, std::span<const uint8_t> private_key, std::span<const uint8_t> sealed,
                        std::span<uint8_t, kMlKemSecret> secret) {
  const size_t own = 384 * kind.k, whole = own + kind.public_size();
  const Bytes ek = private_key.subspan(own, kind.public_size()), hash = private_key.subspan(whole, 32),
              z = private_key.subspan(whole + 32, 32);
  Wiped<uint8_t> m(32), both(64), rejected(kMlKemSecret), again(kind.sealed_size());
  pke_decrypt(kind, private_key.first(own), sealed, m);
  sha3(512, {m, hash}, both);          // G: K', then r'
  shake(256, {z, sealed}, rejected);   // J
  pke_encrypt(kind, ek, m, both.span().subspan(kMlKemSecret), again);
  uint32_t difference = 0;
  for (size_t i = 0; i < sealed.size(); i++) difference |= static_cast<uint32_t>(sealed[i] ^ again[i]);
  // 0xff when they differ, else 0: nobody may learn which of the two it was.
  const auto mask = static_cast<uint8_t>((0 - difference) >> 24);
  for (size_t i = 0; i < kMlKemSecret; i++)
    secret[i] = static_cast<uint8_t>(both[i] ^ (mask & (both[i] ^ rejected[i])));
}

}  // namespace rondo::modules::crypto
