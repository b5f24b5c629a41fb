// See openssl.h.
#include "modules/crypto/openssl.h"

#include <algorithm>
#include <cctype>
#include <climits>
#include <cstdlib>
#include <mutex>

namespace rondo::modules {

using namespace engine;

namespace {

// The part of an error's code that names its library. Providers' errors have none, as in Node.
const char* library_prefix(unsigned long error) {
  switch (ERR_GET_LIB(error)) {
#define NAME(name)     \
  case ERR_LIB_##name: \
    return #name "_";
    NAME(SYS)
    NAME(BN)
    NAME(RSA)
    NAME(DH)
    NAME(EVP)
    NAME(BUF)
    NAME(OBJ)
    NAME(PEM)
    NAME(DSA)
    NAME(X509)
    NAME(ASN1)
    NAME(CONF)
    NAME(CRYPTO)
    NAME(EC)
    NAME(SSL)
    NAME(BIO)
    NAME(PKCS7)
    NAME(X509V3)
    NAME(PKCS12)
    NAME(RAND)
    NAME(DSO)
    NAME(ENGINE)
    NAME(OCSP)
    NAME(UI)
    NAME(COMP)
    NAME(ECDSA)
    NAME(ECDH)
    NAME(OSSL_STORE)
    NAME(FIPS)
    NAME(CMS)
    NAME(TS)
    NAME(CT)
    NAME(ASYNC)
    NAME(KDF)
    NAME(SM2)
    NAME(USER)
#undef NAME
    default:
      return "";
  }
}

std::string text_of(unsigned long error) {
  char text[256];
  ERR_error_string_n(error, text, sizeof(text));
  return text;
}

}  // namespace

void openssl_ready() {
  static std::once_flag once;
  std::call_once(once, [] {
    const uint64_t config = getenv("OPENSSL_CONF") ? OPENSSL_INIT_LOAD_CONFIG : OPENSSL_INIT_NO_LOAD_CONFIG;
    OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CRYPTO_STRINGS | OPENSSL_INIT_NO_ATEXIT | config, nullptr);
  });
}

std::string openssl_error_code(unsigned long error) {
  const char* reason = ERR_reason_error_string(error);
  if (!reason) return {};
  std::string prefix = library_prefix(error);
  std::string code = "ERR_" + std::string(prefix == "SSL_" ? "" : "OSSL_") + prefix + reason;
  std::transform(code.begin(), code.end(), code.begin(),
                 [](unsigned char c) { return c == ' ' ? '_' : static_cast<char>(std::toupper(c)); });
  return code;
}

OpensslErrors OpensslErrors::take() {
  OpensslErrors taken;
  while (unsigned long error = ERR_get_error()) taken.entries_.push_back(error);
  return taken;
}

void OpensslErrors::put_newest_first() {
  if (!empty()) std::rotate(entries_.begin(), entries_.end() - 1, entries_.end());
}

int OpensslErrors::reason() const { return empty() ? 0 : ERR_GET_REASON(entries_.front()); }

bool OpensslErrors::is(int library, int reason) const {
  return !empty() && ERR_GET_LIB(entries_.front()) == library && ERR_GET_REASON(entries_.front()) == reason;
}

namespace {

// As a program would set it: a setter on a prototype sees it.
void set(JSC::JSGlobalObject* realm, JSC::JSObject* object, const char* name, Value value) {
  JSC::PutPropertySlot slot(object, true);
  object->methodTable()->put(object, realm, identifier(realm->vm(), name), value, slot);
}

}  // namespace

JSC::JSObject* OpensslErrors::make_error(JSC::JSGlobalObject* realm, std::string_view otherwise) const {
  auto& vm = realm->vm();
  const unsigned long first = empty() ? 0 : entries_.front();
  auto* error = JSC::createError(realm, to_wtf(first ? text_of(first) : std::string(otherwise)));
  if (!first) return error;
  auto scope = DECLARE_CATCH_SCOPE(vm);
  if (entries_.size() > 1) {
    JSC::MarkedArgumentBuffer others;
    for (size_t i = entries_.size() - 1; i > 0; i--) others.append(make_string(vm, text_of(entries_[i])));
    set(realm, error, "opensslErrorStack", make_array(realm, others));
  }
  const char *library = ERR_lib_error_string(first), *reason = ERR_reason_error_string(first);
  const auto code = openssl_error_code(first);
  if (library && !scope.exception()) set(realm, error, "library", make_string(vm, library));
  if (reason && !scope.exception()) set(realm, error, "reason", make_string(vm, reason));
  if (!code.empty() && !scope.exception()) set(realm, error, "code", make_string(vm, code));
  auto* thrown = scope.exception();
  if (!thrown) return error;
  // A setter threw: then that is the error.
  Value value = thrown->value();
  scope.clearException();
  return value.isObject() ? JSC::asObject(value) : error;
}

Value raise_openssl(Call& call, std::string_view otherwise) {
  return call.raise(OpensslErrors::take().make_error(call.realm(), otherwise));
}

BioPtr bio_on(std::span<const uint8_t> bytes) {
  // It counts with an int, and takes a negative number for "until the first zero". No key or certificate is so long.
  if (bytes.size() > INT_MAX) bytes = {};
  return BioPtr(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
}

BioPtr new_memory_bio() { return BioPtr(BIO_new(BIO_s_mem())); }

std::span<const uint8_t> bytes_in(BIO* bio) {
  char* start = nullptr;
  const long size = BIO_get_mem_data(bio, &start);
  return {reinterpret_cast<const uint8_t*>(start), static_cast<size_t>(std::max(0L, size))};
}

std::string text_in(BIO* bio) {
  auto bytes = bytes_in(bio);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace rondo::modules
