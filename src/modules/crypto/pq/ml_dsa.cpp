// See ml_dsa.h. Functions are named and numbered as in FIPS 204.
#include "modules/crypto/pq/ml_dsa.h"

#include "modules/crypto/keccak.h"
#include "modules/crypto/pq/ml_dsa_ring.h"
#include "modules/crypto/wiped.h"

#include <algorithm>

namespace rondo::modules::crypto {

using namespace ml_dsa;

namespace {

using Polys = Wiped<Poly>;
using PublicPolys = std::vector<Poly>;
constexpr size_t kHash = 64;
constexpr int32_t kLowBound = 1 << (kD - 1);

// H of section 3.7
void hash(std::initializer_list<Bytes> pieces, std::span<uint8_t> out) { shake(256, pieces, out); }

// Algorithm 32, ExpandA, row by row
PublicPolys expand_matrix(const MlDsa& kind, Bytes rho) {
  PublicPolys matrix(kind.k * kind.l);
  for (size_t r = 0; r < kind.k; r++) {
    for (size_t s = 0; s < kind.l; s++)
      sample_ntt(rho, static_cast<uint8_t>(s), static_cast<uint8_t>(r), matrix[r * kind.l + s]);
  }
  return matrix;
}

// Row r of A·v, transformed back, in [0, q).
void row_product(const MlDsa& kind, const PublicPolys& a, size_t r, const Polys& v, Poly& out) {
  Sum sum;
  for (size_t s = 0; s < kind.l; s++) sum.add(a[r * kind.l + s], v[s]);
  sum.get(out);
  inverse_ntt(out);
  for (auto& x : out) x = positive(x);
}

// t = A·s1 + s2, rounded, with its high half packed behind rho (algorithm 22, pkEncode) and its low half in `t0`.
void make_public(const MlDsa& kind, Bytes rho, const Polys& s1, const Polys& s2, std::span<uint8_t> public_key,
                 Polys& t0) {
  const auto a = expand_matrix(kind, rho);
  Polys s1_hat(kind.l), t(1);
  for (size_t i = 0; i < kind.l; i++) ntt(s1_hat[i] = s1[i]);
  std::ranges::copy(rho, public_key.begin());
  for (size_t r = 0; r < kind.k; r++) {
    row_product(kind, a, r, s1_hat, t[0]);
    for (size_t i = 0; i < kN; i++) {
      const int32_t whole = positive(t[0][i] + s2[r][i] - kMlDsaQ);
      power2round(positive(whole), t[0][i], t0[r][i]);
    }
    bit_pack(t[0], 10, 0, public_key.subspan(32 + 320 * r, 320));
  }
}

// A private key in parts: algorithms 24 and 25.
struct PrivateParts {
  Bytes rho, key, tr;
  Polys s1, s2, t0;

  PrivateParts(const MlDsa& kind, Bytes bytes)
      : rho(bytes.first(32)),
        key(bytes.subspan(32, 32)),
        tr(bytes.subspan(64, kHash)),
        s1(kind.l),
        s2(kind.k),
        t0(kind.k) {
    size_t at = 128;
    const size_t small = 32 * kind.eta_bits(), large = 32 * kD;
    for (auto& s : s1) bit_unpack(bytes.subspan(at, small), kind.eta_bits(), kind.eta, s), at += small;
    for (auto& s : s2) bit_unpack(bytes.subspan(at, small), kind.eta_bits(), kind.eta, s), at += small;
    for (auto& t : t0) bit_unpack(bytes.subspan(at, large), kD, kLowBound, t), at += large;
  }
};

void encode_private(const MlDsa& kind, Polys& s1, Polys& s2, Polys& t0, std::span<uint8_t> out) {
  size_t at = 128;
  const size_t small = 32 * kind.eta_bits(), large = 32 * kD;
  for (auto& s : s1) bit_pack(s, kind.eta_bits(), kind.eta, out.subspan(at, small)), at += small;
  for (auto& s : s2) bit_pack(s, kind.eta_bits(), kind.eta, out.subspan(at, small)), at += small;
  for (auto& t : t0) bit_pack(t, kD, kLowBound, out.subspan(at, large)), at += large;
}

// mu, of the message that algorithms 2 and 3 put together
void represent(Bytes tr, Bytes context, Bytes message, std::span<uint8_t> mu) {
  const uint8_t head[2] = {0, static_cast<uint8_t>(context.size())};
  hash({tr, head, context, message}, mu);
}

// Algorithm 28, w1Encode, and the hash over it.
void commit(const MlDsa& kind, Bytes mu, const PublicPolys& w1, std::span<uint8_t> out) {
  const size_t bits = kind.gamma2 == (kMlDsaQ - 1) / 88 ? 6 : 4;
  std::vector<uint8_t> packed(32 * bits * kind.k);
  for (size_t i = 0; i < kind.k; i++) bit_pack(w1[i], bits, 0, std::span(packed).subspan(32 * bits * i, 32 * bits));
  hash({mu, packed}, out);
}

// The parts of algorithm 7 that stay the same from attempt to attempt.
struct Signing {
  const MlDsa& kind;
  PrivateParts parts;
  PublicPolys a;
  Wiped<uint8_t> mu{kHash}, rho{kHash};
  std::span<uint8_t> signature;
  Decompose decompose;

  Polys y, z, w, work;
  PublicPolys w1, hint;

  Signing(const MlDsa& kind, Bytes private_key, std::span<uint8_t> signature)
      : kind(kind),
        parts(kind, private_key),
        a(expand_matrix(kind, parts.rho)),
        signature(signature),
        decompose(kind.gamma2),
        y(kind.l),
        z(kind.l),
        w(kind.k),
        work(2),
        w1(kind.k),
        hint(kind.k) {
    for (auto* vector : {&parts.s1, &parts.s2, &parts.t0}) {
      for (auto& poly : *vector) ntt(poly);
    }
  }

  // c·s, each coefficient of least size.
  void times(const Poly& c, const Poly& s, Poly& out) {
    multiply(c, s, out);
    inverse_ntt(out);
    for (auto& x : out) x = centred(x);
  }

  // Lines 11 to 15: the commitment, its hash at the signature's start.
  void commit_to_mask(uint16_t kappa) {
    for (size_t i = 0; i < kind.l; i++) {
      sample_mask(kind, rho, static_cast<uint16_t>(kappa + i), y[i]);
      ntt(z[i] = y[i]);
    }
    for (size_t r = 0; r < kind.k; r++) {
      row_product(kind, a, r, z, w[r]);
      for (size_t i = 0; i < kN; i++) {
        int32_t low = 0;
        decompose(w[r][i], w1[r][i], low);
      }
    }
    commit(kind, mu, w1, signature.first(kind.hash_size()));
  }

  // Lines 18 to 22: z = y + c·s1; false when it would tell of s1.
  bool make_response(const Poly& c) {
    for (size_t i = 0; i < kind.l; i++) {
      times(c, parts.s1[i], z[i]);
      for (size_t j = 0; j < kN; j++) z[i][j] += y[i][j];
      if (reaches(z[i], kind.gamma1 - kind.beta())) return false;
    }
    return true;
  }

  // Lines 20 to 28 for one row: the hint; false when it would tell of s2, or cannot be given.
  bool make_hint(const Poly& c, size_t r, size_t& ones) {
    Poly &product = work[0], &low = work[1];
    times(c, parts.s2[r], product);
    int32_t high = 0;
    for (size_t i = 0; i < kN; i++) {
      w[r][i] = positive(positive(w[r][i] - product[i]) - kMlDsaQ);
      decompose(w[r][i], w1[r][i], low[i]);
    }
    if (reaches(low, kind.gamma2 - kind.beta())) return false;
    times(c, parts.t0[r], product);
    if (reaches(product, kind.gamma2)) return false;
    for (size_t i = 0; i < kN; i++) {
      decompose(positive(positive(w[r][i] + product[i]) - kMlDsaQ), high, low[i]);
      hint[r][i] = high != w1[r][i] ? 1 : 0;
      ones += static_cast<size_t>(hint[r][i]);
    }
    return true;
  }

  bool attempt(uint16_t kappa) {
    commit_to_mask(kappa);
    Wiped<Poly> c(1);
    sample_in_ball(kind, signature.first(kind.hash_size()), c[0]);
    ntt(c[0]);
    if (!make_response(c[0])) return false;
    size_t ones = 0;
    for (size_t r = 0; r < kind.k; r++) {
      if (!make_hint(c[0], r, ones)) return false;
    }
    return ones <= kind.omega;
  }

  // Algorithm 26, sigEncode, with algorithm 20, HintBitPack
  void encode() {
    const size_t bits = kind.mask_bits();
    auto rest = signature.subspan(kind.hash_size());
    for (size_t i = 0; i < kind.l; i++, rest = rest.subspan(32 * bits)) bit_pack(z[i], bits, kind.gamma1, rest);
    std::ranges::fill(rest, 0);
    size_t index = 0;
    for (size_t r = 0; r < kind.k; r++) {
      for (size_t j = 0; j < kN; j++) {
        if (hint[r][j] != 0) rest[index++] = static_cast<uint8_t>(j);
      }
      rest[kind.omega + r] = static_cast<uint8_t>(index);
    }
  }
};

// Algorithm 21, HintBitUnpack: each hint has one encoding only.
bool unpack_hint(const MlDsa& kind, Bytes y, PublicPolys& hint) {
  size_t index = 0;
  for (size_t r = 0; r < kind.k; r++) {
    const size_t end = y[kind.omega + r], first = index;
    if (end < index || end > kind.omega) return false;
    for (; index < end; index++) {
      if (index > first && y[index - 1] >= y[index]) return false;
      hint[r][y[index]] = 1;
    }
  }
  for (; index < kind.omega; index++) {
    if (y[index] != 0) return false;
  }
  return true;
}

// Algorithm 40, UseHint
int32_t use_hint(const Decompose& decompose, int32_t hint, int32_t r) {
  int32_t high = 0, low = 0;
  decompose(r, high, low);
  if (hint == 0) return high;
  const int32_t m = decompose.steps();
  return low > 0 ? (high + 1) % m : (high + m - 1) % m;
}

}  // namespace

void ml_dsa_keygen(const MlDsa& kind, std::span<const uint8_t, kMlDsaSeed> seed, std::span<uint8_t> public_key,
                   std::span<uint8_t> private_key) {
  Wiped<uint8_t> seeds(128);
  const uint8_t sizes[2] = {static_cast<uint8_t>(kind.k), static_cast<uint8_t>(kind.l)};
  hash({seed, sizes}, seeds);
  const Bytes rho = seeds.span().first(32), secret = seeds.span().subspan(32, 64), key = seeds.span().subspan(96);
  Polys s1(kind.l), s2(kind.k), t0(kind.k);
  // Algorithm 33, ExpandS
  uint16_t number = 0;
  for (auto& s : s1) sample_bounded(kind, secret, number++, s);
  for (auto& s : s2) sample_bounded(kind, secret, number++, s);
  make_public(kind, rho, s1, s2, public_key, t0);
  std::ranges::copy(rho, private_key.begin());
  std::ranges::copy(key, private_key.begin() + 32);
  hash({public_key}, private_key.subspan(64, kHash));
  encode_private(kind, s1, s2, t0, private_key);
}

bool ml_dsa_public_part(const MlDsa& kind, std::span<const uint8_t> private_key, std::span<uint8_t> public_key) {
  PrivateParts parts(kind, private_key);
  for (auto* vector : {&parts.s1, &parts.s2}) {
    for (auto& poly : *vector) {
      if (reaches(poly, kind.eta + 1)) return false;
    }
  }
  Polys t0(kind.k);
  make_public(kind, parts.rho, parts.s1, parts.s2, public_key, t0);
  std::array<uint8_t, kHash> tr;
  hash({public_key}, tr);
  return std::ranges::equal(tr, parts.tr) && std::ranges::equal(t0, parts.t0);
}

void ml_dsa_sign(const MlDsa& kind, std::span<const uint8_t> private_key, std::span<const uint8_t> context,
                 std::span<const uint8_t> message, std::span<const uint8_t, kMlDsaRandom> random,
                 std::span<uint8_t> signature) {
  Signing signing(kind, private_key, signature);
  represent(signing.parts.tr, context, message, signing.mu);
  hash({signing.parts.key, random, signing.mu}, signing.rho);
  // Some four attempts on average; appendix C allows to give up after 814, which never happens.
  uint16_t kappa = 0;
  while (!signing.attempt(kappa)) kappa = static_cast<uint16_t>(kappa + kind.l);
  signing.encode();
}

bool ml_dsa_verify(const MlDsa& kind, std::span<const uint8_t> public_key, std::span<const uint8_t> context,
                   std::span<const uint8_t> message, std::span<const uint8_t> signature) {
  if (signature.size() != kind.signature_size()) return false;
  const size_t bits = kind.mask_bits();
  const Bytes commitment = signature.first(kind.hash_size());
  Polys z(kind.l);
  auto rest = signature.subspan(kind.hash_size());
  for (auto& poly : z) {
    bit_unpack(rest, bits, kind.gamma1, poly);
    if (reaches(poly, kind.gamma1 - kind.beta())) return false;
    ntt(poly);
    rest = rest.subspan(32 * bits);
  }
  PublicPolys hint(kind.k), w1(kind.k);
  if (!unpack_hint(kind, rest, hint)) return false;
  std::array<uint8_t, kHash> tr, mu, again;
  hash({public_key}, tr);
  represent(tr, context, message, mu);
  Poly c, t;
  sample_in_ball(kind, commitment, c);
  ntt(c);
  const auto a = expand_matrix(kind, public_key.first(32));
  const Decompose decompose(kind.gamma2);
  for (size_t r = 0; r < kind.k; r++) {
    bit_unpack(public_key.subspan(32 + 320 * r, 320), 10, 0, t);
    for (auto& x : t) x <<= kD;
    ntt(t);
    Sum sum;
    for (size_t s = 0; s < kind.l; s++) sum.add(a[r * kind.l + s], z[s]);
    sum.subtract(c, t);
    sum.get(t);
    inverse_ntt(t);
    for (size_t i = 0; i < kN; i++) w1[r][i] = use_hint(decompose, hint[r][i], positive(t[i]));
  }
  const auto found = std::span(again).first(kind.hash_size());
  commit(kind, mu, w1, found);
  return std::ranges::equal(found, commitment);
}

}  // namespace rondo::modules::crypto
