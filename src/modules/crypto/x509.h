// A certificate as natives hold it.
#pragma once

#include "engine/core/native_object.h"
#include "modules/crypto/openssl.h"

namespace rondo::modules::crypto {

struct Certificate {
  X509Ptr x509;
};

inline engine::Value certificate_value(JSC::JSGlobalObject* realm, X509Ptr x509) {
  return engine::make_held(realm, Certificate{std::move(x509)});
}
// Null when `value` holds none.
inline X509* certificate_in(engine::Value value) {
  auto* held = engine::held_in<Certificate>(value);
  return held ? held->x509.get() : nullptr;
}

}  // namespace rondo::modules::crypto
