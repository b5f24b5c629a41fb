// Private keys by their URI: OpenSSL's STORE loaders (files, and what its configuration adds, as tokens by pkcs11:).
#pragma once

#include "modules/crypto/key_parse.h"

namespace rondo::modules::crypto {

// Null with OpenSSL's errors on the queue, or with none when a loader answered and had no private key. `properties` selects loaders; empty: all.
PkeyPtr key_from_store(const std::string& uri, const std::string& properties, Passphrase& phrase);

}  // namespace rondo::modules::crypto
