// Keys as programs want them: PEM or DER, encrypted or not, and their numbers.
#pragma once

#include "modules/crypto/work.h"

namespace rondo::modules::crypto {

struct KeyEncoding {
  bool is_pem = true;
  std::string type;  // pkcs1, spki; pkcs8, pkcs1, sec1
  const EVP_CIPHER* cipher = nullptr;
  Bytes passphrase;
};

// A string or a Buffer; empty with OpenSSL's errors on the queue.
Value encode_key(JSC::JSGlobalObject* realm, const Key& key, bool is_public, const KeyEncoding& how);

// With zeros in front, when it is shorter.
std::vector<uint8_t> bytes_of_number(const BIGNUM* number, size_t least = 0);
// Null when the key has no such number.
BignumPtr number_in(EVP_PKEY* key, const char* name);
// "" for a key that has none, or one whose curve has no name.
std::string curve_of(EVP_PKEY* key);
size_t field_size(EVP_PKEY* key);
std::vector<uint8_t> ec_point(EVP_PKEY* key, point_conversion_form_t form);
std::vector<uint8_t> ec_scalar(EVP_PKEY* key);

}  // namespace rondo::modules::crypto
