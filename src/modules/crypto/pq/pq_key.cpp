// See pq_key.h. DER is read by ASN1_get_object(), which never leaves the bytes it is given.
#include "modules/crypto/pq/pq_key.h"

#include "modules/crypto/wiped.h"

#include <openssl/proverr.h>
#include <openssl/rand.h>

#include <algorithm>
#include <optional>

namespace rondo::modules::crypto {

namespace {

using Bytes = std::span<const uint8_t>;
using Made = std::vector<uint8_t>;

constexpr SlhDsa kSlhDsa[] = {
    slh_dsa_128s(SlhHash::Sha2),  slh_dsa_128f(SlhHash::Sha2),  slh_dsa_192s(SlhHash::Sha2),
    slh_dsa_192f(SlhHash::Sha2),  slh_dsa_256s(SlhHash::Sha2),  slh_dsa_256f(SlhHash::Sha2),
    slh_dsa_128s(SlhHash::Shake), slh_dsa_128f(SlhHash::Shake), slh_dsa_192s(SlhHash::Shake),
    slh_dsa_192f(SlhHash::Shake), slh_dsa_256s(SlhHash::Shake), slh_dsa_256f(SlhHash::Shake),
};

// `arc` and `last` are the end of the object identifier.
constexpr PqKind kind_of(const char* name, const char* jwk_name, uint8_t arc, uint8_t last, const MlKem* kem,
                         const MlDsa* dsa = nullptr, const SlhDsa* slh = nullptr) {
  return {name, jwk_name, {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, arc, last}, kem, dsa, slh};
}
constexpr PqKind slh_kind(const char* name, const char* jwk_name, size_t index) {
  return kind_of(name, jwk_name, 3, static_cast<uint8_t>(20 + index), nullptr, nullptr, &kSlhDsa[index]);
}
constexpr PqKind kKinds[] = {
    kind_of("ml-kem-512", "ML-KEM-512", 4, 1, &kMlKem512),
    kind_of("ml-kem-768", "ML-KEM-768", 4, 2, &kMlKem768),
    kind_of("ml-kem-1024", "ML-KEM-1024", 4, 3, &kMlKem1024),
    kind_of("ml-dsa-44", "ML-DSA-44", 3, 17, nullptr, &kMlDsa44),
    kind_of("ml-dsa-65", "ML-DSA-65", 3, 18, nullptr, &kMlDsa65),
    kind_of("ml-dsa-87", "ML-DSA-87", 3, 19, nullptr, &kMlDsa87),
    slh_kind("slh-dsa-sha2-128s", "SLH-DSA-SHA2-128s", 0),
    slh_kind("slh-dsa-sha2-128f", "SLH-DSA-SHA2-128f", 1),
    slh_kind("slh-dsa-sha2-192s", "SLH-DSA-SHA2-192s", 2),
    slh_kind("slh-dsa-sha2-192f", "SLH-DSA-SHA2-192f", 3),
    slh_kind("slh-dsa-sha2-256s", "SLH-DSA-SHA2-256s", 4),
    slh_kind("slh-dsa-sha2-256f", "SLH-DSA-SHA2-256f", 5),
    slh_kind("slh-dsa-shake-128s", "SLH-DSA-SHAKE-128s", 6),
    slh_kind("slh-dsa-shake-128f", "SLH-DSA-SHAKE-128f", 7),
    slh_kind("slh-dsa-shake-192s", "SLH-DSA-SHAKE-192s", 8),
    slh_kind("slh-dsa-shake-192f", "SLH-DSA-SHAKE-192f", 9),
    slh_kind("slh-dsa-shake-256s", "SLH-DSA-SHAKE-256s", 10),
    slh_kind("slh-dsa-shake-256f", "SLH-DSA-SHAKE-256f", 11),
};

constexpr int kSeedTag = V_ASN1_CONTEXT_SPECIFIC;  // [0], as one byte

// One element after the other of a piece of DER.
class Reader {
 public:
  explicit Reader(Bytes bytes) : rest_(bytes) {}

  // The contents of the next element, if it has this tag.
  std::optional<Bytes> take(int wanted) {
    const unsigned char* at = rest_.data();
    long size = 0;
    int tag = 0, kind = 0;
    if (rest_.empty()) return std::nullopt;
    ERR_set_mark();
    const int form = ASN1_get_object(&at, &size, &tag, &kind, static_cast<long>(rest_.size()));
    ERR_pop_to_mark();
    // The highest bit is an error, the lowest says that the length is not known beforehand, which DER has not.
    if ((form & 0x81) != 0 || (kind | tag) != wanted) return std::nullopt;
    const Bytes found(at, static_cast<size_t>(size));
    rest_ = rest_.subspan(static_cast<size_t>(at - rest_.data()) + found.size());
    return found;
  }
  bool is_at_end() const { return rest_.empty(); }

 private:
  Bytes rest_;
};

// The kind that an AlgorithmIdentifier names. It has no parameters.
const PqKind* take_kind(Reader& reader) {
  const auto algorithm = reader.take(V_ASN1_SEQUENCE);
  if (!algorithm) return nullptr;
  Reader inside(*algorithm);
  const auto oid = inside.take(V_ASN1_OBJECT);
  if (!oid || !inside.is_at_end()) return nullptr;
  for (const auto& kind : kKinds) {
    if (std::ranges::equal(*oid, kind.oid)) return &kind;
  }
  return nullptr;
}

Made element(uint8_t tag, std::initializer_list<Bytes> contents) {
  size_t size = 0;
  for (auto part : contents) size += part.size();
  Made out{tag};
  if (size < 0x80) {
    out.push_back(static_cast<uint8_t>(size));
  } else if (size < 0x100) {
    out.insert(out.end(), {0x81, static_cast<uint8_t>(size)});
  } else {
    out.insert(out.end(), {0x82, static_cast<uint8_t>(size >> 8), static_cast<uint8_t>(size)});
  }
  for (auto part : contents) out.insert(out.end(), part.begin(), part.end());
  return out;
}
constexpr uint8_t kSequence = 0x30;

Made identifier(const PqKind& kind) { return element(kSequence, {element(V_ASN1_OBJECT, {kind.oid})}); }

void raise_wrong_use() { ERR_raise(ERR_LIB_EVP, EVP_R_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE); }

PqRef from_seed(const PqKind& kind, Bytes seed) {
  auto key = std::make_shared<PqKey>(kind);
  key->private_key.resize(kind.private_size());
  if (kind.slh) {
    slh_dsa_keygen(*kind.slh, seed, key->private_key);
    std::ranges::copy(slh_dsa_public_part(*kind.slh, key->private_key), key->public_key.begin());
    return key;
  }
  key->seed.assign(seed.begin(), seed.end());
  if (kind.kem)
    ml_kem_keygen(*kind.kem, seed.first<kMlKemSeed>(), key->public_key, key->private_key);
  else
    ml_dsa_keygen(*kind.dsa, seed.first<kMlDsaSeed>(), key->public_key, key->private_key);
  return key;
}

// A pair is one only when what is sealed with the one half is opened with the other.
bool is_pair(const MlKem& kind, Bytes public_key, Bytes private_key) {
  Wiped<uint8_t> random(kMlKemRandom), secret(kMlKemSecret), again(kMlKemSecret);
  Made sealed(kind.sealed_size());
  if (RAND_priv_bytes(random.data(), static_cast<int>(random.size())) != 1) return false;
  ml_kem_encapsulate(kind, public_key, random.span().first<kMlKemRandom>(), secret.span().first<kMlKemSecret>(),
                     sealed);
  ml_kem_decapsulate(kind, private_key, sealed, again.span().first<kMlKemSecret>());
  return CRYPTO_memcmp(secret.data(), again.data(), kMlKemSecret) == 0;
}

// A private key that came without its seed, which nothing but its own parts can vouch for.
PqRef from_expanded(const PqKind& kind, Bytes bytes) {
  auto key = std::make_shared<PqKey>(kind);
  key->private_key.assign(bytes.begin(), bytes.end());
  bool is_good = false;
  if (kind.kem) {
    const auto inner = ml_kem_public_part(*kind.kem, bytes);
    std::ranges::copy(inner, key->public_key.begin());
    is_good = ml_kem_is_public_key(*kind.kem, inner) && ml_kem_is_private_key(*kind.kem, bytes) &&
              is_pair(*kind.kem, inner, bytes);
  } else {
    is_good = ml_dsa_public_part(*kind.dsa, bytes, key->public_key);
  }
  if (is_good) return key;
  ERR_raise(ERR_LIB_PROV, PROV_R_INVALID_KEY);
  return nullptr;
}

PqRef from_both(const PqKind& kind, Bytes seed, Bytes expanded) {
  auto key = from_seed(kind, seed);
  if (CRYPTO_memcmp(key->private_key.data(), expanded.data(), expanded.size()) == 0) return key;
  ERR_raise(ERR_LIB_PROV, PROV_R_INVALID_KEY);
  return nullptr;
}

// The forms of RFC 9881 and RFC 9935; and, as OpenSSL reads them, a seed or a key without any frame.
PqRef from_private_bytes(const PqKind& kind, Bytes bytes) {
  const size_t seed_size = kind.seed_size(), size = kind.private_size();
  if (auto key = pq_from_raw_private(kind, bytes)) return key;
  if (!kind.slh && bytes.size() == size) return from_expanded(kind, bytes);
  Reader reader(bytes);
  if (kind.slh) {
    // It has no other form.
  } else if (auto seed = reader.take(kSeedTag)) {
    if (reader.is_at_end() && seed->size() == seed_size) return from_seed(kind, *seed);
  } else if (auto expanded = reader.take(V_ASN1_OCTET_STRING)) {
    if (reader.is_at_end() && expanded->size() == size) return from_expanded(kind, *expanded);
  } else if (auto both = reader.take(V_ASN1_SEQUENCE)) {
    Reader inside(*both);
    const auto first = inside.take(V_ASN1_OCTET_STRING);
    const auto second = first ? inside.take(V_ASN1_OCTET_STRING) : std::nullopt;
    if (second && inside.is_at_end() && reader.is_at_end() && first->size() == seed_size && second->size() == size)
      return from_both(kind, *first, *second);
  }
  ERR_raise(ERR_LIB_OSSL_DECODER, ERR_R_UNSUPPORTED);
  return nullptr;
}

}  // namespace

PqKey::~PqKey() {
  OPENSSL_cleanse(seed.data(), seed.size());
  OPENSSL_cleanse(private_key.data(), private_key.size());
}

const PqKind* pq_kind_named(std::string_view name) {
  for (const auto& kind : kKinds) {
    if (name == kind.name || name == kind.jwk_name) return &kind;
  }
  return nullptr;
}

PqRef pq_generate(const PqKind& kind) {
  Wiped<uint8_t> seed(kind.seed_size());
  if (RAND_priv_bytes(seed.data(), static_cast<int>(seed.size())) != 1) return nullptr;
  return from_seed(kind, seed);
}

PqRef pq_from_raw_private(const PqKind& kind, std::span<const uint8_t> bytes) {
  if (!kind.slh) return bytes.size() == kind.seed_size() ? from_seed(kind, bytes) : nullptr;
  if (bytes.size() != kind.private_size()) return nullptr;
  // That its root is the root of its trees is not looked at, as OpenSSL does not: it costs as much as a new key.
  auto key = std::make_shared<PqKey>(kind);
  key->private_key.assign(bytes.begin(), bytes.end());
  std::ranges::copy(slh_dsa_public_part(*kind.slh, bytes), key->public_key.begin());
  return key;
}

PqRef pq_from_public(const PqKind& kind, std::span<const uint8_t> bytes) {
  if (bytes.size() != kind.public_size()) return nullptr;
  if (kind.kem && !ml_kem_is_public_key(*kind.kem, bytes)) return nullptr;
  auto key = std::make_shared<PqKey>(kind);
  std::ranges::copy(bytes, key->public_key.begin());
  return key;
}

const PqKind* pq_kind_of_spki(std::span<const uint8_t> der) {
  const auto whole = Reader(der).take(V_ASN1_SEQUENCE);
  if (!whole) return nullptr;
  Reader inside(*whole);
  return take_kind(inside);
}

const PqKind* pq_kind_of_pkcs8(std::span<const uint8_t> der) {
  const auto whole = Reader(der).take(V_ASN1_SEQUENCE);
  if (!whole) return nullptr;
  Reader inside(*whole);
  return inside.take(V_ASN1_INTEGER) ? take_kind(inside) : nullptr;
}

PqRef pq_from_spki(std::span<const uint8_t> der) {
  if (const auto whole = Reader(der).take(V_ASN1_SEQUENCE)) {
    Reader inside(*whole);
    const auto* kind = take_kind(inside);
    const auto bits = kind ? inside.take(V_ASN1_BIT_STRING) : std::nullopt;
    // The first byte counts the bits of the last one that are not used.
    if (bits && inside.is_at_end() && !bits->empty() && bits->front() == 0) {
      if (auto key = pq_from_public(*kind, bits->subspan(1))) return key;
    }
  }
  ERR_raise(ERR_LIB_EVP, EVP_R_DECODE_ERROR);
  return nullptr;
}

PqRef pq_from_pkcs8(std::span<const uint8_t> der) {
  if (const auto whole = Reader(der).take(V_ASN1_SEQUENCE)) {
    Reader inside(*whole);
    const auto version = inside.take(V_ASN1_INTEGER);
    const auto* kind = version ? take_kind(inside) : nullptr;
    // Attributes may follow.
    if (const auto bytes = kind ? inside.take(V_ASN1_OCTET_STRING) : std::nullopt)
      return from_private_bytes(*kind, *bytes);
  }
  ERR_raise(ERR_LIB_OSSL_DECODER, ERR_R_UNSUPPORTED);
  return nullptr;
}

PqRef pq_from_certificate(const X509* certificate) {
  unsigned char* der = nullptr;
  const int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
  OpensslBytes owner(der);
  if (size <= 0) return nullptr;
  const Bytes bytes(der, static_cast<size_t>(size));
  return pq_kind_of_spki(bytes) ? pq_from_spki(bytes) : nullptr;
}

std::vector<uint8_t> pq_to_spki(const PqKey& key) {
  constexpr uint8_t kNoUnusedBits[1] = {0};
  return element(kSequence, {identifier(key.kind), element(V_ASN1_BIT_STRING, {kNoUnusedBits, key.public_key})});
}

std::vector<uint8_t> pq_to_pkcs8(const PqKey& key) {
  constexpr uint8_t kVersion[1] = {0};
  auto inner = key.kind.slh       ? key.private_key
               : key.seed.empty() ? element(V_ASN1_OCTET_STRING, {key.private_key})
                                  : element(kSeedTag, {key.seed});
  auto outer = element(V_ASN1_OCTET_STRING, {inner});
  auto made = element(kSequence, {element(V_ASN1_INTEGER, {kVersion}), identifier(key.kind), outer});
  OPENSSL_cleanse(inner.data(), inner.size());
  OPENSSL_cleanse(outer.data(), outer.size());
  return made;
}

bool pq_sign(const PqKey& key, std::span<const uint8_t> context, std::span<const uint8_t> message,
             std::vector<uint8_t>& signature) {
  const auto& kind = key.kind;
  if (kind.kem || !key.is_private()) return raise_wrong_use(), false;
  Wiped<uint8_t> random(kind.dsa ? kMlDsaRandom : kind.slh->n);
  if (RAND_priv_bytes(random.data(), static_cast<int>(random.size())) != 1) return false;
  signature.resize(kind.dsa ? kind.dsa->signature_size() : kind.slh->signature_size());
  if (kind.dsa)
    ml_dsa_sign(*kind.dsa, key.private_key, context, message, random.span().first<kMlDsaRandom>(), signature);
  else
    slh_dsa_sign(*kind.slh, key.private_key, context, message, random, signature);
  return true;
}

bool pq_verify(const PqKey& key, std::span<const uint8_t> context, std::span<const uint8_t> message,
               std::span<const uint8_t> signature, bool& is_good) {
  const auto& kind = key.kind;
  if (kind.kem) return raise_wrong_use(), false;
  is_good = kind.dsa ? ml_dsa_verify(*kind.dsa, key.public_key, context, message, signature)
                     : slh_dsa_verify(*kind.slh, key.public_key, context, message, signature);
  return true;
}

bool pq_is_signed_by(X509* certificate, const PqKey& key) {
  const ASN1_BIT_STRING* signature = nullptr;
  const X509_ALGOR* algorithm = nullptr;
  X509_get0_signature(&signature, &algorithm, certificate);
  const ASN1_OBJECT* named = nullptr;
  if (algorithm) X509_ALGOR_get0(&named, nullptr, nullptr, algorithm);
  if (!named || !signature || !std::ranges::equal(Bytes(OBJ_get0_data(named), OBJ_length(named)), key.kind.oid))
    return false;
  unsigned char* der = nullptr;
  const int size = i2d_re_X509_tbs(certificate, &der);
  OpensslBytes owner(der);
  bool is_good = false;
  const Bytes given(ASN1_STRING_get0_data(signature), static_cast<size_t>(ASN1_STRING_length(signature)));
  return size > 0 && pq_verify(key, {}, {der, static_cast<size_t>(size)}, given, is_good) && is_good;
}

bool pq_encapsulate(const PqKey& key, std::vector<uint8_t>& secret, std::vector<uint8_t>& sealed) {
  if (!key.kind.kem) return raise_wrong_use(), false;
  Wiped<uint8_t> random(kMlKemRandom);
  if (RAND_priv_bytes(random.data(), static_cast<int>(random.size())) != 1) return false;
  secret.resize(kMlKemSecret);
  sealed.resize(key.kind.kem->sealed_size());
  ml_kem_encapsulate(*key.kind.kem, key.public_key, random.span().first<kMlKemRandom>(),
                     std::span(secret).first<kMlKemSecret>(), sealed);
  return true;
}

bool pq_decapsulate(const PqKey& key, std::span<const uint8_t> sealed, std::vector<uint8_t>& secret) {
  if (!key.kind.kem || !key.is_private()) return raise_wrong_use(), false;
  if (sealed.size() != key.kind.kem->sealed_size()) {
    ERR_raise(ERR_LIB_PROV, PROV_R_BAD_LENGTH);
    return false;
  }
  secret.resize(kMlKemSecret);
  ml_kem_decapsulate(*key.kind.kem, key.private_key, sealed, std::span(secret).first<kMlKemSecret>());
  return true;
}

}  // namespace rondo::modules::crypto
