// ML-KEM, a key encapsulation that quantum computers do not break: FIPS 203, https://doi.org/10.6028/NIST.FIPS.203. Functions of bytes
// only: randomness comes from the caller, keys are kept and written by pq_key.h. Computations on secrets take the same time
// whatever they are. Sizes of arguments are the caller's promise. Safe on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rondo::modules::crypto {

struct MlKem {
  size_t k, eta1, eta2, du, dv;  // FIPS 203, table 2

  size_t public_size() const { return 384 * k + 32; }
  size_t private_size() const { return 768 * k + 96; }
  size_t sealed_size() const { return 32 * (du * k + dv); }
};
constexpr MlKem kMlKem512{2, 3, 2, 10, 4}, kMlKem768{3, 2, 2, 10, 4}, kMlKem1024{4, 2, 2, 11, 5};
constexpr size_t kMlKemSeed = 64, kMlKemSecret = 32, kMlKemRandom = 32;

// Algorithm 16, ML-KEM.KeyGen_internal. `seed` is d, then z.
void ml_kem_keygen(const MlKem& kind, std::span<const uint8_t, kMlKemSeed> seed, std::span<uint8_t> public_key,
                   std::span<uint8_t> private_key);
// Section 7.2, the modulus check: whether every number of the key is smaller than q.
bool ml_kem_is_public_key(const MlKem& kind, std::span<const uint8_t> public_key);
// Section 7.3, the hash check of a private key that came without its seed.
bool ml_kem_is_private_key(const MlKem& kind, std::span<const uint8_t> private_key);
// The public key that stands in a private one.
inline std::span<const uint8_t> ml_kem_public_part(const MlKem& kind, std::span<const uint8_t> private_key) {
  return private_key.subspan(384 * kind.k, kind.public_size());
}
// Algorithm 17, ML-KEM.Encaps_internal.
void ml_kem_encapsulate(const MlKem& kind, std::span<const uint8_t> public_key,
                        std::span<const uint8_t, kMlKemRandom> random, std::span<uint8_t, kMlKemSecret> secret,
                        std::span<uint8_t> sealed);
// Algorithm 18, ML-KEM.Decaps_internal. A ciphertext that was not made for the key gives a secret nobody knows.
void ml_kem_decapsulate(const MlKem& kind, std::span<const uint8_t> private_key, std::span<const uint8_t> sealed,
                        std::span<uint8_t, kMlKemSecret> secret);

}  // namespace rondo::modules::crypto
