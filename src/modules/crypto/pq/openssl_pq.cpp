// ML-KEM, ML-DSA and SLH-DSA by OpenSSL 3.5 or newer: the functions of ml_kem.h, ml_dsa.h and slh_dsa.h, compiled in place of the project's
// own arithmetic where OpenSSL has the algorithms (cmake/runtime.cmake). A key is handed over as bytes for each operation, as those headers
// have it; pq_key.h needs to know nothing of it.
#include "modules/crypto/openssl.h"
#include "modules/crypto/pq/ml_dsa.h"
#include "modules/crypto/pq/ml_kem.h"
#include "modules/crypto/pq/slh_dsa.h"

#include "rondo/base/fatal.h"

namespace rondo::modules::crypto {

namespace {

using Bytes = std::span<const uint8_t>;
using SignaturePtr = Owned<EVP_SIGNATURE, EVP_SIGNATURE_free>;

// Operations with arguments of the right size fail for want of memory alone; an answer that was not computed must not be given.
void demand(bool is_done) {
  if (!is_done) [[unlikely]]
    fatal("OpenSSL: a post-quantum operation failed", 0);
}

// A wrong key or signature is an answer here, and leaves nothing on OpenSSL's queue.
class QuietErrors {
 public:
  QuietErrors() { ERR_set_mark(); }
  ~QuietErrors() { ERR_pop_to_mark(); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;
};

std::string name_of(const MlKem& kind) { return "ML-KEM-" + std::to_string(256 * kind.k); }
std::string name_of(const MlDsa& kind) { return "ML-DSA-" + std::to_string(10 * kind.k + kind.l); }
std::string name_of(const SlhDsa& kind) {
  constexpr size_t kMostSmallLayers =
      8;  // the parameter sets with small signatures have fewer layers than the fast ones
  return (kind.hash == SlhHash::Sha2 ? "SLH-DSA-SHA2-" : "SLH-DSA-SHAKE-") + std::to_string(8 * kind.n) +
         (kind.d <= kMostSmallLayers ? "s" : "f");
}

// OpenSSL reads them only, and refuses a null pointer also where there are none.
OSSL_PARAM octets(const char* name, Bytes bytes) {
  static constexpr uint8_t kNone = 0;
  const uint8_t* data = bytes.empty() ? &kNone : bytes.data();
  return OSSL_PARAM_construct_octet_string(name, const_cast<uint8_t*>(data), bytes.size());
}

// Null when the bytes are no key.
PkeyPtr key_of(const std::string& name, int selection, OSSL_PARAM part) {
  OSSL_PARAM parts[] = {part, OSSL_PARAM_construct_end()};
  PkeyContextPtr context(EVP_PKEY_CTX_new_from_name(nullptr, name.c_str(), nullptr));
  EVP_PKEY* key = nullptr;
  demand(context && EVP_PKEY_fromdata_init(context.get()) == 1);
  return EVP_PKEY_fromdata(context.get(), &key, selection, parts) == 1 ? PkeyPtr(key) : nullptr;
}
template <class Kind>
PkeyPtr public_key_of(const Kind& kind, Bytes bytes) {
  return key_of(name_of(kind), EVP_PKEY_PUBLIC_KEY, octets(OSSL_PKEY_PARAM_PUB_KEY, bytes));
}
template <class Kind>
PkeyPtr private_key_of(const Kind& kind, Bytes bytes) {
  return key_of(name_of(kind), EVP_PKEY_KEYPAIR, octets(OSSL_PKEY_PARAM_PRIV_KEY, bytes));
}

void read(const PkeyPtr& key, const char* part, std::span<uint8_t> out) {
  size_t size = 0;
  demand(key && EVP_PKEY_get_octet_string_param(key.get(), part, out.data(), out.size(), &size) == 1 &&
         size == out.size());
}

PkeyContextPtr operation_with(const PkeyPtr& key) {
  PkeyContextPtr context(key ? EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr) : nullptr);
  demand(context != nullptr);
  return context;
}

template <class Kind>
SignaturePtr algorithm_of(const Kind& kind) {
  SignaturePtr algorithm(EVP_SIGNATURE_fetch(nullptr, name_of(kind).c_str(), nullptr));
  demand(algorithm != nullptr);
  return algorithm;
}

template <class Kind>
void sign(const Kind& kind, Bytes private_key, Bytes context, Bytes message, Bytes random,
          std::span<uint8_t> signature) {
  const auto operation = operation_with(private_key_of(kind, private_key));
  const OSSL_PARAM settings[] = {octets(OSSL_SIGNATURE_PARAM_CONTEXT_STRING, context),
                                 octets(OSSL_SIGNATURE_PARAM_TEST_ENTROPY, random), OSSL_PARAM_construct_end()};
  size_t size = signature.size();
  demand(EVP_PKEY_sign_message_init(operation.get(), algorithm_of(kind).get(), settings) == 1 &&
         EVP_PKEY_sign(operation.get(), signature.data(), &size, message.data(), message.size()) == 1 &&
         size == signature.size());
}

template <class Kind>
bool verify(const Kind& kind, Bytes public_key, Bytes context, Bytes message, Bytes signature) {
  const QuietErrors quiet;
  const auto key = public_key_of(kind, public_key);
  if (!key) return false;
  const auto operation = operation_with(key);
  const OSSL_PARAM settings[] = {octets(OSSL_SIGNATURE_PARAM_CONTEXT_STRING, context), OSSL_PARAM_construct_end()};
  demand(EVP_PKEY_verify_message_init(operation.get(), algorithm_of(kind).get(), settings) == 1);
  return EVP_PKEY_verify(operation.get(), signature.data(), signature.size(), message.data(), message.size()) == 1;
}

}  // namespace

void ml_kem_keygen(const MlKem& kind, std::span<const uint8_t, kMlKemSeed> seed, std::span<uint8_t> public_key,
                   std::span<uint8_t> private_key) {
  const auto key = key_of(name_of(kind), EVP_PKEY_KEYPAIR, octets(OSSL_PKEY_PARAM_ML_KEM_SEED, seed));
  read(key, OSSL_PKEY_PARAM_PUB_KEY, public_key);
  read(key, OSSL_PKEY_PARAM_PRIV_KEY, private_key);
}

bool ml_kem_is_public_key(const MlKem& kind, std::span<const uint8_t> public_key) {
  const QuietErrors quiet;
  return public_key_of(kind, public_key) != nullptr;
}

bool ml_kem_is_private_key(const MlKem& kind, std::span<const uint8_t> private_key) {
  const QuietErrors quiet;
  return private_key_of(kind, private_key) != nullptr;
}

void ml_kem_encapsulate(const MlKem& kind, std::span<const uint8_t> public_key,
                        std::span<const uint8_t, kMlKemRandom> random, std::span<uint8_t, kMlKemSecret> secret,
                        std::span<uint8_t> sealed) {
  const auto operation = operation_with(public_key_of(kind, public_key));
  const OSSL_PARAM settings[] = {octets(OSSL_KEM_PARAM_IKME, random), OSSL_PARAM_construct_end()};
  size_t sealed_size = sealed.size(), secret_size = secret.size();
  demand(EVP_PKEY_encapsulate_init(operation.get(), settings) == 1 &&
         EVP_PKEY_encapsulate(operation.get(), sealed.data(), &sealed_size, secret.data(), &secret_size) == 1);
}

void ml_kem_decapsulate(const MlKem& kind, std::span<const uint8_t> private_key, std::span<const uint8_t> sealed,
                        std::span<uint8_t, kMlKemSecret> secret) {
  const auto operation = operation_with(private_key_of(kind, private_key));
  size_t size = secret.size();
  demand(EVP_PKEY_decapsulate_init(operation.get(), nullptr) == 1 &&
         EVP_PKEY_decapsulate(operation.get(), secret.data(), &size, sealed.data(), sealed.size()) == 1);
}

void ml_dsa_keygen(const MlDsa& kind, std::span<const uint8_t, kMlDsaSeed> seed, std::span<uint8_t> public_key,
                   std::span<uint8_t> private_key) {
  const auto key = key_of(name_of(kind), EVP_PKEY_KEYPAIR, octets(OSSL_PKEY_PARAM_ML_DSA_SEED, seed));
  read(key, OSSL_PKEY_PARAM_PUB_KEY, public_key);
  read(key, OSSL_PKEY_PARAM_PRIV_KEY, private_key);
}

bool ml_dsa_public_part(const MlDsa& kind, std::span<const uint8_t> private_key, std::span<uint8_t> public_key) {
  const QuietErrors quiet;
  const auto key = private_key_of(kind, private_key);
  if (!key) return false;
  read(key, OSSL_PKEY_PARAM_PUB_KEY, public_key);
  return true;
}

void ml_dsa_sign(const MlDsa& kind, std::span<const uint8_t> private_key, std::span<const uint8_t> context,
                 std::span<const uint8_t> message, std::span<const uint8_t, kMlDsaRandom> random,
                 std::span<uint8_t> signature) {
  sign(kind, private_key, context, message, random, signature);
}

bool ml_dsa_verify(const MlDsa& kind, std::span<const uint8_t> public_key, std::span<const uint8_t> context,
                   std::span<const uint8_t> message, std::span<const uint8_t> signature) {
  return verify(kind, public_key, context, message, signature);
}

void slh_dsa_keygen(const SlhDsa& kind, std::span<const uint8_t> seeds, std::span<uint8_t> private_key) {
  PkeyContextPtr context(EVP_PKEY_CTX_new_from_name(nullptr, name_of(kind).c_str(), nullptr));
  const OSSL_PARAM settings[] = {octets(OSSL_PKEY_PARAM_SLH_DSA_SEED, seeds), OSSL_PARAM_construct_end()};
  EVP_PKEY* key = nullptr;
  demand(context && EVP_PKEY_keygen_init(context.get()) == 1 && EVP_PKEY_CTX_set_params(context.get(), settings) == 1 &&
         EVP_PKEY_keygen(context.get(), &key) == 1);
  read(PkeyPtr(key), OSSL_PKEY_PARAM_PRIV_KEY, private_key);
}

void slh_dsa_sign(const SlhDsa& kind, std::span<const uint8_t> private_key, std::span<const uint8_t> context,
                  std::span<const uint8_t> message, std::span<const uint8_t> random, std::span<uint8_t> signature) {
  sign(kind, private_key, context, message, random, signature);
}

bool slh_dsa_verify(const SlhDsa& kind, std::span<const uint8_t> public_key, std::span<const uint8_t> context,
                    std::span<const uint8_t> message, std::span<const uint8_t> signature) {
  return verify(kind, public_key, context, message, signature);
}

}  // namespace rondo::modules::crypto
