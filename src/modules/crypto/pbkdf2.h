// PBKDF2 with HMAC over the hashes that programs use for it. OpenSSL 3.0's own copies a context of its general interface twice for each iteration;
// here the two states that every iteration starts from are plain structures. Others go through OpenSSL.
//
// Thread: any.
#pragma once

#include <openssl/evp.h>

#include <cstdint>
#include <span>

namespace rondo::modules::crypto {

// False when OpenSSL refuses.
bool derive_pbkdf2(const EVP_MD* digest, std::span<const uint8_t> password, std::span<const uint8_t> salt,
                   int iterations, std::span<uint8_t> output);

}  // namespace rondo::modules::crypto
