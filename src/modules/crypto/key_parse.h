// Keys out of what programs have: PEM and DER of every kind, raw bytes, the numbers of a JWK. Each returns null with OpenSSL's errors
// on the queue, or with none when the input is well formed but no key.
#pragma once

#include "modules/crypto/keys.h"

#include <optional>

namespace rondo::modules::crypto {

struct Passphrase {
  std::vector<uint8_t> bytes;
  bool is_given = false;
  bool was_asked = false;
};

// OpenSSL's callback; `user` is a Passphrase. Without one the answer is "none", never a question on the terminal.
int give_passphrase(char* out, int size, int is_to_write, void* user);

// `format`: "pem" or "der"; `type`, for DER: pkcs1, pkcs8, sec1, spki. A public key may also come out of a private one, or, in PEM, of
// a certificate.
Asymmetric parse_private(std::span<const uint8_t> data, const std::string& format, const std::string& type,
                         Passphrase& phrase);
Asymmetric parse_public(std::span<const uint8_t> data, const std::string& format, const std::string& type,
                        Passphrase& phrase);

// Of a certificate.
Asymmetric certified_key(const X509* certificate);

BignumPtr bignum_of(std::span<const uint8_t> bytes);
// By either of its names (P-256, prime256v1); null when unknown.
EcGroupPtr group_named(const std::string& curve);
PkeyPtr ec_from_point(const EC_GROUP* group, std::span<const uint8_t> point, const BIGNUM* scalar);
PkeyPtr ec_from_scalar(const EC_GROUP* group, std::span<const uint8_t> bytes);
PkeyPtr ec_from_numbers(const EC_GROUP* group, std::span<const uint8_t> x, std::span<const uint8_t> y,
                        std::optional<std::span<const uint8_t>> d);
// n, e and, of a private key, d, p, q, dp, dq, qi.
PkeyPtr rsa_from_numbers(std::span<const BignumPtr> numbers);

}  // namespace rondo::modules::crypto
