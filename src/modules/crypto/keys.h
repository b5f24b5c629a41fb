// A key as natives hold it: bytes, or a key of OpenSSL. It never changes, so threads may share it.
#pragma once

#include "engine/core/native_object.h"
#include "modules/crypto/openssl.h"

namespace rondo::modules::crypto {

enum class KeyKind : uint8_t { Secret, Public, Private };

struct Key {
  KeyKind kind = KeyKind::Secret;
  std::vector<uint8_t> secret;
  PkeyPtr pkey;

  Key() = default;
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;
  ~Key() { OPENSSL_cleanse(secret.data(), secret.size()); }
};
using KeyRef = std::shared_ptr<const Key>;

inline engine::Value key_value(JSC::JSGlobalObject* realm, KeyRef key) {
  return engine::make_held(realm, std::move(key));
}
// Null when `value` holds no key.
inline KeyRef key_in(engine::Value value) {
  auto* held = engine::held_in<KeyRef>(value);
  return held ? *held : nullptr;
}
inline KeyRef make_key(KeyKind kind, PkeyPtr pkey) {
  auto key = std::make_shared<Key>();
  key->kind = kind;
  key->pkey = std::move(pkey);
  return key;
}
inline KeyRef make_secret(std::vector<uint8_t> bytes) {
  auto key = std::make_shared<Key>();
  key->secret = std::move(bytes);
  return key;
}

}  // namespace rondo::modules::crypto
