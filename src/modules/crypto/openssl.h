// The use of OpenSSL that node:crypto and node:tls share: owning pointers, and its errors as JavaScript sees them. OpenSSL initialises
// itself when openssl_ready() is first called, so a program that never uses it pays nothing.
#pragma once

#include "engine/core/native.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::modules {

// Safe from any thread and cheap after the first call. The system's openssl.cnf is read only when OPENSSL_CONF names one.
void openssl_ready();

template <auto kFree>
struct FreeWith {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};
template <class T, auto kFree>
using Owned = std::unique_ptr<T, FreeWith<kFree>>;

inline void free_openssl_memory(void* memory) { OPENSSL_free(memory); }
inline void free_x509_stack(STACK_OF(X509) * stack) { sk_X509_pop_free(stack, X509_free); }

using BioPtr = Owned<BIO, BIO_free_all>;
using BignumPtr = Owned<BIGNUM, BN_clear_free>;
using BnContextPtr = Owned<BN_CTX, BN_CTX_free>;
using CipherPtr = Owned<EVP_CIPHER, EVP_CIPHER_free>;
using CipherContextPtr = Owned<EVP_CIPHER_CTX, EVP_CIPHER_CTX_free>;
using DigestPtr = Owned<EVP_MD, EVP_MD_free>;
using DigestContextPtr = Owned<EVP_MD_CTX, EVP_MD_CTX_free>;
using EcGroupPtr = Owned<EC_GROUP, EC_GROUP_free>;
using EcPointPtr = Owned<EC_POINT, EC_POINT_free>;
using KdfPtr = Owned<EVP_KDF, EVP_KDF_free>;
using KdfContextPtr = Owned<EVP_KDF_CTX, EVP_KDF_CTX_free>;
using MacPtr = Owned<EVP_MAC, EVP_MAC_free>;
using MacContextPtr = Owned<EVP_MAC_CTX, EVP_MAC_CTX_free>;
using OpensslText = Owned<char, free_openssl_memory>;
using OpensslBytes = Owned<unsigned char, free_openssl_memory>;
using ParamBuilderPtr = Owned<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;
using ParamsPtr = Owned<OSSL_PARAM, OSSL_PARAM_free>;
using Pkcs12Ptr = Owned<PKCS12, PKCS12_free>;
using Pkcs8Ptr = Owned<PKCS8_PRIV_KEY_INFO, PKCS8_PRIV_KEY_INFO_free>;
using PkeyPtr = Owned<EVP_PKEY, EVP_PKEY_free>;
using PkeyContextPtr = Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using SslPtr = Owned<SSL, SSL_free>;
using SslContextPtr = Owned<SSL_CTX, SSL_CTX_free>;
using SslSessionPtr = Owned<SSL_SESSION, SSL_SESSION_free>;
using X509Ptr = Owned<X509, X509_free>;
using X509CrlPtr = Owned<X509_CRL, X509_CRL_free>;
using X509StackPtr = Owned<STACK_OF(X509), free_x509_stack>;
using X509StorePtr = Owned<X509_STORE, X509_STORE_free>;

// The thread's queue of errors, taken as a value that may cross threads.
class OpensslErrors {
 public:
  // Empties the queue.
  static OpensslErrors take();

  // The newest becomes the message: of several loaders that were tried the last one knew what it was asked for.
  void put_newest_first();

  bool empty() const { return entries_.empty(); }
  // The oldest is the message; `library`, `reason` and `code` are its; the others stand in `opensslErrorStack`. Without an error
  // of OpenSSL's the message is `otherwise`.
  JSC::JSObject* make_error(JSC::JSGlobalObject* realm, std::string_view otherwise) const;
  // ERR_GET_REASON of the oldest; 0 without one.
  int reason() const;
  bool is(int library, int reason) const;

 private:
  std::vector<unsigned long> entries_;  // oldest first
};

// ERR_OSSL_EVP_BAD_DECRYPT and the like; empty when OpenSSL has no words for it.
std::string openssl_error_code(unsigned long error);

// Throws what is on the queue into the call's realm; the empty value to return.
engine::Value raise_openssl(engine::Call& call, std::string_view otherwise = "Operation failed");

// An operation's scope: errors of earlier ones, and those nobody asked for, do not leak into the next.
class OpensslScope {
 public:
  OpensslScope() {
    openssl_ready();
    ERR_clear_error();
  }
  ~OpensslScope() { ERR_clear_error(); }
  OpensslScope(const OpensslScope&) = delete;
  OpensslScope& operator=(const OpensslScope&) = delete;
};

// A memory BIO on bytes that outlive it.
BioPtr bio_on(std::span<const uint8_t> bytes);
BioPtr new_memory_bio();
std::span<const uint8_t> bytes_in(BIO* bio);
std::string text_in(BIO* bio);

inline std::span<const uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace rondo::modules
