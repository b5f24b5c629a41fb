// ML-DSA, signatures that quantum computers do not forge: FIPS 204, https://doi.org/10.6028/NIST.FIPS.204. Functions of bytes only:
// randomness comes from the caller, keys are kept and written by pq_key.h. Computations on secrets take the same time whatever
// they are, but for the number of attempts at a signature, which the Standard allows to be seen. Sizes of arguments are the
// caller's promise. Safe on any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rondo::modules::crypto {

struct MlDsa {
  size_t k, l;
  int32_t eta, tau;
  size_t lambda;
  int32_t gamma1, gamma2;
  size_t omega;  // FIPS 204, table 1

  int32_t beta() const { return tau * eta; }
  size_t eta_bits() const { return eta == 2 ? 3 : 4; }
  size_t mask_bits() const { return static_cast<size_t>(std::countr_zero(static_cast<uint32_t>(gamma1))) + 1; }
  size_t hash_size() const { return lambda / 4; }

  size_t public_size() const { return 32 + 320 * k; }
  size_t private_size() const { return 128 + 32 * ((k + l) * eta_bits() + 13 * k); }
  size_t signature_size() const { return hash_size() + 32 * l * mask_bits() + omega + k; }
};
constexpr int32_t kMlDsaQ = 8380417;
constexpr MlDsa kMlDsa44{4, 4, 2, 39, 128, 1 << 17, (kMlDsaQ - 1) / 88, 80},
    kMlDsa65{6, 5, 4, 49, 192, 1 << 19, (kMlDsaQ - 1) / 32, 55},
    kMlDsa87{8, 7, 2, 60, 256, 1 << 19, (kMlDsaQ - 1) / 32, 75};
constexpr size_t kMlDsaSeed = 32, kMlDsaRandom = 32, kMlDsaMostContext = 255;

// Algorithm 6, ML-DSA.KeyGen_internal
void ml_dsa_keygen(const MlDsa& kind, std::span<const uint8_t, kMlDsaSeed> seed, std::span<uint8_t> public_key,
                   std::span<uint8_t> private_key);
// The public key of a private one that came without its seed; false when the private key contradicts itself.
bool ml_dsa_public_part(const MlDsa& kind, std::span<const uint8_t> private_key, std::span<uint8_t> public_key);
// Algorithms 2 and 7; zeros as `random` give the deterministic variant. The context has at most 255 bytes.
void ml_dsa_sign(const MlDsa& kind, std::span<const uint8_t> private_key, std::span<const uint8_t> context,
                 std::span<const uint8_t> message, std::span<const uint8_t, kMlDsaRandom> random,
                 std::span<uint8_t> signature);
// Algorithms 3 and 8. Here alone a signature may have any size.
bool ml_dsa_verify(const MlDsa& kind, std::span<const uint8_t> public_key, std::span<const uint8_t> context,
                   std::span<const uint8_t> message, std::span<const uint8_t> signature);

}  // namespace rondo::modules::crypto
