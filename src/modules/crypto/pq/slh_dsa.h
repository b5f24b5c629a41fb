// SLH-DSA, signatures that stand on hashes alone: FIPS 205, https://doi.org/10.6028/NIST.FIPS.205. Functions of bytes only: randomness
// comes from the caller, keys are kept and written by pq_key.h. Secrets go into hashes and nowhere else. Sizes of arguments
// are the caller's promise. Safe on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rondo::modules::crypto {

enum class SlhHash : uint8_t { Sha2, Shake };

struct SlhDsa {
  SlhHash hash;
  size_t n, h, d, a, k, m;  // FIPS 205, table 2

  size_t tree_height() const { return h / d; }  // h'
  size_t chains() const { return 2 * n + 3; }  // len, for w = 16
  size_t wots_size() const { return chains() * n; }
  size_t seed_size() const { return 3 * n; }
  size_t public_size() const { return 2 * n; }
  size_t private_size() const { return 4 * n; }
  size_t signature_size() const { return n * (1 + k * (1 + a) + h + d * chains()); }
};
constexpr SlhDsa slh_dsa_128s(SlhHash hash) { return {hash, 16, 63, 7, 12, 14, 30}; }
constexpr SlhDsa slh_dsa_128f(SlhHash hash) { return {hash, 16, 66, 22, 6, 33, 34}; }
constexpr SlhDsa slh_dsa_192s(SlhHash hash) { return {hash, 24, 63, 7, 14, 17, 39}; }
constexpr SlhDsa slh_dsa_192f(SlhHash hash) { return {hash, 24, 66, 22, 8, 33, 42}; }
constexpr SlhDsa slh_dsa_256s(SlhHash hash) { return {hash, 32, 64, 8, 14, 22, 47}; }
constexpr SlhDsa slh_dsa_256f(SlhHash hash) { return {hash, 32, 68, 17, 9, 35, 49}; }

// Algorithm 18, slh_keygen_internal. `seeds` is SK.seed, SK.prf, PK.seed; the private key is these and PK.root.
void slh_dsa_keygen(const SlhDsa& kind, std::span<const uint8_t> seeds, std::span<uint8_t> private_key);
// The public key that stands in a private one.
inline std::span<const uint8_t> slh_dsa_public_part(const SlhDsa& kind, std::span<const uint8_t> private_key) {
  return private_key.subspan(2 * kind.n);
}
// Algorithms 22 and 19; `random` has n bytes. The context has at most 255 bytes.
void slh_dsa_sign(const SlhDsa& kind, std::span<const uint8_t> private_key, std::span<const uint8_t> context,
                  std::span<const uint8_t> message, std::span<const uint8_t> random, std::span<uint8_t> signature);
// Algorithms 24 and 20. Here alone a signature may have any size.
bool slh_dsa_verify(const SlhDsa& kind, std::span<const uint8_t> public_key, std::span<const uint8_t> context,
                    std::span<const uint8_t> message, std::span<const uint8_t> signature);

}  // namespace rondo::modules::crypto
