// See ed25519.h.
#include "modules/crypto/ed25519.h"

#include <sodium/core.h>
#include <sodium/crypto_sign_ed25519.h>

#include <array>

namespace rondo::modules::crypto {

namespace {

// The seed, then the public key: what libsodium calls the secret key.
struct SecretForm {
  static constexpr size_t kHalf = crypto_sign_ed25519_SEEDBYTES;

  SecretForm() = default;
  ~SecretForm() { OPENSSL_cleanse(bytes.data(), bytes.size()); }
  SecretForm(const SecretForm&) = delete;
  SecretForm& operator=(const SecretForm&) = delete;

  // OpenSSL has computed the public half when the key was made.
  bool read(const EVP_PKEY* key) {
    size_t seed_size = kHalf, public_size = kHalf;
    return EVP_PKEY_get_raw_private_key(key, bytes.data(), &seed_size) == 1 && seed_size == kHalf &&
           EVP_PKEY_get_raw_public_key(key, bytes.data() + kHalf, &public_size) == 1 && public_size == kHalf;
  }

  std::array<uint8_t, crypto_sign_ed25519_SECRETKEYBYTES> bytes{};
};

}  // namespace

bool sign_ed25519(const Key& key, std::span<const uint8_t> data, std::vector<uint8_t>& signature) {
  if (key.kind != KeyKind::Private || EVP_PKEY_get_base_id(key.pkey.get()) != EVP_PKEY_ED25519) return false;
  static const bool kIsReady = sodium_init() >= 0;
  SecretForm secret;
  if (!kIsReady || !secret.read(key.pkey.get())) return false;
  signature.resize(crypto_sign_ed25519_BYTES);
  return crypto_sign_ed25519_detached(signature.data(), nullptr, data.data(), data.size(), secret.bytes.data()) == 0;
}

}  // namespace rondo::modules::crypto
