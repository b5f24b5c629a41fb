// DHKEM of RFC 9180, section 4.1: a secret under a public key of a curve (P-256, P-384, P-521, X25519, X448). OpenSSL has it since 3.2.
#pragma once

#include "modules/crypto/openssl.h"

namespace rondo::modules::crypto {

// False for keys that it is not defined for, and when the other side's key is none; there may be an error on OpenSSL's queue.
bool dhkem_encapsulate(EVP_PKEY* key, std::vector<uint8_t>& secret, std::vector<uint8_t>& sealed);
bool dhkem_decapsulate(EVP_PKEY* key, std::span<const uint8_t> sealed, std::vector<uint8_t>& secret);
bool is_dhkem_key(EVP_PKEY* key);

}  // namespace rondo::modules::crypto
