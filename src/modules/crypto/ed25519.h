// Signatures with Ed25519, made by libsodium: its arithmetic takes two fifths of the time of OpenSSL 3.0's. The scheme is deterministic, so
// the bytes are the same. Verifying is not here: which malformed signatures and keys are refused is OpenSSL's rule, and Node's.
#pragma once

#include "modules/crypto/keys.h"

#include <vector>

namespace rondo::modules::crypto {

// Any thread may call it. False when `key` is no private key of this kind, or libsodium does not work here: OpenSSL is then to sign,
// or to say what is wrong.
bool sign_ed25519(const Key& key, std::span<const uint8_t> data, std::vector<uint8_t>& signature);

}  // namespace rondo::modules::crypto
