// A PKCS#12 bundle taken apart.
#pragma once

#include "modules/crypto/openssl.h"

#include <openssl/pkcs12.h>

namespace rondo::modules {

struct Pkcs12Parts {
  bool is_bundle = false;  // it has the form of one
  bool is_open = false;    // the passphrase fits
  PkeyPtr key;
  X509Ptr certificate;
  X509StackPtr others;

  // Errors are on OpenSSL's queue.
  Pkcs12Parts(std::span<const uint8_t> bytes, const char* passphrase) {
    auto bio = bio_on(bytes);
    Pkcs12Ptr bundle(d2i_PKCS12_bio(bio.get(), nullptr));
    is_bundle = bundle != nullptr;
    EVP_PKEY* found_key = nullptr;
    X509* found_certificate = nullptr;
    STACK_OF(X509)* found_others = nullptr;
    is_open = bundle && PKCS12_parse(bundle.get(), passphrase, &found_key, &found_certificate, &found_others) == 1;
    key.reset(found_key);
    certificate.reset(found_certificate);
    others.reset(found_others);
  }
};

}  // namespace rondo::modules
