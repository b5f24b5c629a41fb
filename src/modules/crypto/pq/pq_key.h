// Keys of ML-KEM, ML-DSA and SLH-DSA, which OpenSSL 3.0 does not know: made, checked, and read from and written to DER. A key never
// changes once it is made, so threads share it. Functions that fail leave an error on OpenSSL's queue, as OpenSSL's own do.
#pragma once

#include "modules/crypto/pq/ml_dsa.h"
#include "modules/crypto/pq/ml_kem.h"
#include "modules/crypto/openssl.h"
#include "modules/crypto/pq/slh_dsa.h"

namespace rondo::modules::crypto {

struct PqKind {
  const char* name;  // as Node's asymmetricKeyType
  const char* jwk_name;  // as "alg" of a JWK, and as the algorithm of crypto.subtle
  uint8_t oid[9];  // below 2.16.840.1.101.3.4, as in DER
  const MlKem* kem;  // one of the three
  const MlDsa* dsa;
  const SlhDsa* slh;

  // The size of the seed that a key is made of; SLH-DSA's is no form of the key by itself.
  size_t seed_size() const { return kem ? kMlKemSeed : dsa ? kMlDsaSeed : slh->seed_size(); }
  size_t public_size() const { return kem ? kem->public_size() : dsa ? dsa->public_size() : slh->public_size(); }
  size_t private_size() const { return kem ? kem->private_size() : dsa ? dsa->private_size() : slh->private_size(); }
};
// By either of its names; null when there is none.
const PqKind* pq_kind_named(std::string_view name);

struct PqKey {
  const PqKind& kind;
  std::vector<uint8_t> public_key;
  // Both empty in a public key; the seed also in a private one that came without, and in one of SLH-DSA.
  std::vector<uint8_t> seed, private_key;

  explicit PqKey(const PqKind& kind) : kind(kind), public_key(kind.public_size()) {}
  ~PqKey();
  PqKey(const PqKey&) = delete;
  PqKey& operator=(const PqKey&) = delete;

  bool is_private() const { return !private_key.empty(); }
  // The shortest form of a private key: its seed, of SLH-DSA the key itself. Empty when there is none.
  std::span<const uint8_t> raw_private() const { return kind.slh ? private_key : seed; }
  // As OpenSSL compares: by the public half.
  bool equals(const PqKey& other) const { return &kind == &other.kind && public_key == other.public_key; }
};
using PqRef = std::shared_ptr<const PqKey>;

PqRef pq_generate(const PqKind& kind);
// Null, without an error, when the bytes are none.
PqRef pq_from_raw_private(const PqKind& kind, std::span<const uint8_t> bytes);
PqRef pq_from_public(const PqKind& kind, std::span<const uint8_t> bytes);

// The kind that the algorithm's identifier of a SubjectPublicKeyInfo or PrivateKeyInfo names; null for kinds OpenSSL knows, and
// for what is neither.
const PqKind* pq_kind_of_spki(std::span<const uint8_t> der);
const PqKind* pq_kind_of_pkcs8(std::span<const uint8_t> der);
PqRef pq_from_spki(std::span<const uint8_t> der);
PqRef pq_from_pkcs8(std::span<const uint8_t> der);
// Null, without an error, when the certificate's key is of another kind.
PqRef pq_from_certificate(const X509* certificate);

std::vector<uint8_t> pq_to_spki(const PqKey& key);
// RFC 9881 and RFC 9935: the seed alone, or, without one, the expanded key alone. SLH-DSA: the key.
std::vector<uint8_t> pq_to_pkcs8(const PqKey& key);

// ML-DSA and SLH-DSA; with a key of another kind they fail.
bool pq_sign(const PqKey& key, std::span<const uint8_t> context, std::span<const uint8_t> message,
             std::vector<uint8_t>& signature);
bool pq_verify(const PqKey& key, std::span<const uint8_t> context, std::span<const uint8_t> message,
               std::span<const uint8_t> signature, bool& is_good);
// Whether a certificate was signed by this key.
bool pq_is_signed_by(X509* certificate, const PqKey& key);
// ML-KEM; with a key of another kind they fail.
bool pq_encapsulate(const PqKey& key, std::vector<uint8_t>& secret, std::vector<uint8_t>& sealed);
bool pq_decapsulate(const PqKey& key, std::span<const uint8_t> sealed, std::vector<uint8_t>& secret);

}  // namespace rondo::modules::crypto
