// A key as natives hold it: bytes, a key of OpenSSL, or one of a kind that OpenSSL does not know. It never changes, so threads may
// share it.
#pragma once

#include "engine/core/native_object.h"
#include "modules/crypto/openssl.h"
#include "modules/crypto/pq/pq_key.h"

namespace rondo::modules::crypto {

enum class KeyKind : uint8_t { Secret, Public, Private };

// Half a pair of keys, or both halves: one of the two.
struct Asymmetric {
  PkeyPtr pkey;
  PqRef pq;

  Asymmetric() = default;
  Asymmetric(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  Asymmetric(PkeyPtr pkey) : pkey(std::move(pkey)) {}  // NOLINT(google-explicit-constructor)
  Asymmetric(PqRef pq) : pq(std::move(pq)) {}  // NOLINT(google-explicit-constructor)
  explicit operator bool() const { return pkey || pq; }
};

struct Key {
  KeyKind kind = KeyKind::Secret;
  std::vector<uint8_t> secret;
  PkeyPtr pkey;
  PqRef pq;

  bool is_asymmetric() const { return pkey || pq; }

  Key() = default;
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;
  ~Key() { OPENSSL_cleanse(secret.data(), secret.size()); }
};
using KeyRef = std::shared_ptr<const Key>;

// An object of JavaScript with the methods of keys (keys.cpp).
engine::Value key_value(JSC::JSGlobalObject* realm, KeyRef key);
// Null when `value` holds no key.
inline KeyRef key_in(engine::Value value) {
  auto* held = engine::held_in<KeyRef>(value);
  return held ? *held : nullptr;
}
inline KeyRef make_key(KeyKind kind, Asymmetric material) {
  auto key = std::make_shared<Key>();
  key->kind = kind;
  key->pkey = std::move(material.pkey);
  key->pq = std::move(material.pq);
  return key;
}
inline KeyRef make_secret(std::vector<uint8_t> bytes) {
  auto key = std::make_shared<Key>();
  key->secret = std::move(bytes);
  return key;
}

}  // namespace rondo::modules::crypto
