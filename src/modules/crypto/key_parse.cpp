// Keys out of PEM, DER, raw bytes and the numbers of a JWK. See key_parse.h.
#include "modules/crypto/key_parse.h"

#include "modules/crypto/wiped.h"

#include <openssl/bnerr.h>

#include <algorithm>
#include <climits>

namespace rondo::modules::crypto {

int give_passphrase(char* out, int size, int, void* user) {
  auto* phrase = static_cast<Passphrase*>(user);
  phrase->was_asked = true;
  if (!phrase->is_given || phrase->bytes.size() > static_cast<size_t>(size)) return -1;
  std::copy(phrase->bytes.begin(), phrase->bytes.end(), out);
  return static_cast<int>(phrase->bytes.size());
}

namespace {

// EncryptedPrivateKeyInfo begins with an AlgorithmIdentifier, a sequence; PrivateKeyInfo with a version, a number.
bool is_encrypted_pkcs8(std::span<const uint8_t> der) {
  const unsigned char* at = der.data();
  long size = 0;
  int tag = 0, kind = 0;
  if (ASN1_get_object(&at, &size, &tag, &kind, static_cast<long>(der.size())) & 0x80) return false;
  return tag == V_ASN1_SEQUENCE && size > 0 && at < der.data() + der.size() && *at != V_ASN1_INTEGER;
}

Asymmetric private_info(PKCS8_PRIV_KEY_INFO* info) {
  unsigned char* der = nullptr;
  const int size = i2d_PKCS8_PRIV_KEY_INFO(info, &der);
  const std::span<const uint8_t> bytes(der, static_cast<size_t>(std::max(size, 0)));
  Asymmetric key = pq_kind_of_pkcs8(bytes) ? Asymmetric(pq_from_pkcs8(bytes)) : PkeyPtr(EVP_PKCS82PKEY(info));
  OPENSSL_clear_free(der, bytes.size());
  return key;
}

Asymmetric encrypted_info(std::span<const uint8_t> der, Passphrase& phrase) {
  const unsigned char* at = der.data();
  Owned<X509_SIG, X509_SIG_free> sealed(d2i_X509_SIG(nullptr, &at, static_cast<long>(der.size())));
  if (!sealed) return nullptr;
  Wiped<char> text(PEM_BUFSIZE);
  const int size = give_passphrase(text.data(), PEM_BUFSIZE, 0, &phrase);
  if (size < 0) {
    ERR_raise(ERR_LIB_PEM, PEM_R_BAD_PASSWORD_READ);
    return nullptr;
  }
  Pkcs8Ptr info(PKCS8_decrypt(sealed.get(), text.data(), size));
  return info ? private_info(info.get()) : nullptr;
}

struct PemBlock {
  std::string name;
  std::vector<uint8_t> der;
};

// The first block that holds a private key, as it stands there.
PemBlock private_block(std::span<const uint8_t> pem) {
  auto bio = bio_on(pem);
  PemBlock found;
  char *name = nullptr, *header = nullptr;
  unsigned char* data = nullptr;
  long size = 0;
  ERR_set_mark();
  while (found.name.empty() && PEM_read_bio(bio.get(), &name, &header, &data, &size) == 1) {
    if (std::string_view(name).ends_with(PEM_STRING_PKCS8INF)) found = {name, {data, data + size}};
    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_clear_free(data, static_cast<size_t>(size));
  }
  ERR_pop_to_mark();
  return found;
}

Asymmetric private_pem(std::span<const uint8_t> pem, Passphrase& phrase) {
  auto block = private_block(pem);
  if (block.name == PEM_STRING_PKCS8INF && pq_kind_of_pkcs8(block.der)) return pq_from_pkcs8(block.der);
  auto bio = bio_on(pem);
  PkeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, give_passphrase, &phrase));
  if (key || block.name != PEM_STRING_PKCS8 || !phrase.is_given) return key;
  // Only now that it is decrypted one sees whether OpenSSL failed because it does not know the kind.
  ERR_set_mark();
  auto other = encrypted_info(block.der, phrase);
  ERR_pop_to_mark();
  return other;
}

Asymmetric private_der(std::span<const uint8_t> der, const std::string& type, Passphrase& phrase) {
  const unsigned char* at = der.data();
  const auto size = static_cast<long>(der.size());
  if (type == "pkcs1") return PkeyPtr(d2i_PrivateKey(EVP_PKEY_RSA, nullptr, &at, size));
  if (type == "sec1") return PkeyPtr(d2i_PrivateKey(EVP_PKEY_EC, nullptr, &at, size));
  if (is_encrypted_pkcs8(der)) return encrypted_info(der, phrase);
  if (pq_kind_of_pkcs8(der)) return pq_from_pkcs8(der);
  auto bio = bio_on(der);
  Pkcs8Ptr info(d2i_PKCS8_PRIV_KEY_INFO_bio(bio.get(), nullptr));
  return PkeyPtr(info ? EVP_PKCS82PKEY(info.get()) : nullptr);
}

Asymmetric public_info(const unsigned char** at, long size) {
  const std::span<const uint8_t> der(*at, static_cast<size_t>(size));
  if (pq_kind_of_spki(der)) return pq_from_spki(der);
  return PkeyPtr(d2i_PUBKEY(nullptr, at, size));
}

// One kind of PEM block that holds a public key; null with `was_found` false when there is no such block.
template <class Read>
Asymmetric public_block(std::span<const uint8_t> pem, const char* name, bool& was_found, Read read) {
  auto bio = bio_on(pem);
  unsigned char* data = nullptr;
  long size = 0;
  ERR_set_mark();
  was_found = PEM_bytes_read_bio(&data, &size, nullptr, name, bio.get(), nullptr, nullptr) == 1;
  ERR_pop_to_mark();
  if (!was_found) return nullptr;
  OpensslBytes owner(data);
  const unsigned char* at = data;
  return read(&at, size);
}

Asymmetric public_pem(std::span<const uint8_t> pem, Passphrase& phrase) {
  bool was_found = false;
  auto key = public_block(pem, "PUBLIC KEY", was_found, public_info);
  if (was_found) return key;
  key = public_block(pem, "RSA PUBLIC KEY", was_found, [](const unsigned char** at, long size) {
    return PkeyPtr(d2i_PublicKey(EVP_PKEY_RSA, nullptr, at, size));
  });
  if (was_found) return key;
  key = public_block(pem, "CERTIFICATE", was_found, [](const unsigned char** at, long size) {
    X509Ptr certificate(d2i_X509(nullptr, at, size));
    return certificate ? certified_key(certificate.get()) : nullptr;
  });
  return was_found ? std::move(key) : private_pem(pem, phrase);
}

bool is_private_der(std::span<const uint8_t> der) {
  // The first element of a private key is its version, or, when encrypted, an algorithm; of a public key in PKCS#1 the modulus.
  const unsigned char* at = der.data();
  long size = 0;
  int tag = 0, kind = 0;
  if (ASN1_get_object(&at, &size, &tag, &kind, static_cast<long>(der.size())) & 0x80) return false;
  return tag == V_ASN1_SEQUENCE && size >= 3 && der.data() + der.size() - at >= 3 && at[0] == V_ASN1_INTEGER &&
         at[1] == 1 && (at[2] == 0 || at[2] == 1);
}

Asymmetric public_der(std::span<const uint8_t> der, const std::string& type, Passphrase& phrase) {
  const unsigned char* at = der.data();
  const auto size = static_cast<long>(der.size());
  if (type == "spki") return public_info(&at, size);
  if (type == "pkcs1" && !is_private_der(der)) return PkeyPtr(d2i_PublicKey(EVP_PKEY_RSA, nullptr, &at, size));
  return private_der(der, type, phrase);
}

PkeyPtr from_data(const char* kind, int selection, OSSL_PARAM_BLD* builder) {
  ParamsPtr parameters(OSSL_PARAM_BLD_to_param(builder));
  PkeyContextPtr context(EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr));
  EVP_PKEY* made = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &made, selection, parameters.get()) != 1)
    return nullptr;
  return PkeyPtr(made);
}

}  // namespace

Asymmetric certified_key(const X509* certificate) {
  if (auto key = pq_from_certificate(certificate)) return key;
  return PkeyPtr(X509_get_pubkey(const_cast<X509*>(certificate)));
}

Asymmetric parse_private(std::span<const uint8_t> data, const std::string& format, const std::string& type,
                         Passphrase& phrase) {
  return format == "der" ? private_der(data, type, phrase) : private_pem(data, phrase);
}

Asymmetric parse_public(std::span<const uint8_t> data, const std::string& format, const std::string& type,
                        Passphrase& phrase) {
  return format == "der" ? public_der(data, type, phrase) : public_pem(data, phrase);
}

BignumPtr bignum_of(std::span<const uint8_t> bytes) {
  if (bytes.size() > INT_MAX) {
    ERR_raise(ERR_LIB_BN, BN_R_BIGNUM_TOO_LONG);
    return nullptr;
  }
  return BignumPtr(BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
}

EcGroupPtr group_named(const std::string& curve) {
  int nid = EC_curve_nist2nid(curve.c_str());
  if (nid == NID_undef) nid = OBJ_sn2nid(curve.c_str());
  return EcGroupPtr(nid == NID_undef ? nullptr : EC_GROUP_new_by_curve_name(nid));
}

PkeyPtr ec_from_point(const EC_GROUP* group, std::span<const uint8_t> point, const BIGNUM* scalar) {
  // OpenSSL is given the uncompressed form of any point: a key remembers the form and would write it out.
  EcPointPtr checked(EC_POINT_new(group));
  if (EC_POINT_oct2point(group, checked.get(), point.data(), point.size(), nullptr) != 1) return nullptr;
  const size_t size = EC_POINT_point2oct(group, checked.get(), POINT_CONVERSION_UNCOMPRESSED, nullptr, 0, nullptr);
  std::vector<uint8_t> whole(size);
  EC_POINT_point2oct(group, checked.get(), POINT_CONVERSION_UNCOMPRESSED, whole.data(), size, nullptr);
  ParamBuilderPtr builder(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, OBJ_nid2sn(EC_GROUP_get_curve_name(group)),
                                  0);
  OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, whole.data(), whole.size());
  if (scalar) OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, scalar);
  return from_data("EC", scalar ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, builder.get());
}

PkeyPtr ec_from_scalar(const EC_GROUP* group, std::span<const uint8_t> bytes) {
  if (bytes.size() != static_cast<size_t>(BN_num_bytes(EC_GROUP_get0_order(group)))) return nullptr;
  BignumPtr scalar = bignum_of(bytes);
  if (!scalar || BN_is_zero(scalar.get()) || BN_cmp(scalar.get(), EC_GROUP_get0_order(group)) >= 0) return nullptr;
  EcPointPtr point(EC_POINT_new(group));
  if (EC_POINT_mul(group, point.get(), scalar.get(), nullptr, nullptr, nullptr) != 1) return nullptr;
  std::vector<uint8_t> whole(
      EC_POINT_point2oct(group, point.get(), POINT_CONVERSION_UNCOMPRESSED, nullptr, 0, nullptr));
  EC_POINT_point2oct(group, point.get(), POINT_CONVERSION_UNCOMPRESSED, whole.data(), whole.size(), nullptr);
  return ec_from_point(group, whole, scalar.get());
}

PkeyPtr ec_from_numbers(const EC_GROUP* group, std::span<const uint8_t> x, std::span<const uint8_t> y,
                        std::optional<std::span<const uint8_t>> d) {
  const size_t field = (static_cast<size_t>(EC_GROUP_get_degree(group)) + 7) / 8;
  if (x.size() > field || y.size() > field) return nullptr;
  std::vector<uint8_t> point(1 + 2 * field);
  point[0] = POINT_CONVERSION_UNCOMPRESSED;
  std::copy(x.begin(), x.end(), point.begin() + 1 + static_cast<ptrdiff_t>(field - x.size()));
  std::copy(y.begin(), y.end(), point.end() - static_cast<ptrdiff_t>(y.size()));
  auto key = ec_from_point(group, point, nullptr);
  if (!d || !key) return key;
  const auto size = static_cast<size_t>(BN_num_bytes(EC_GROUP_get0_order(group)));
  if (d->size() > size) return nullptr;
  Wiped<uint8_t> scalar(size);
  std::ranges::copy(*d, scalar.end() - static_cast<ptrdiff_t>(d->size()));
  auto pair = ec_from_scalar(group, scalar);
  return pair && EVP_PKEY_eq(pair.get(), key.get()) == 1 ? std::move(pair) : nullptr;
}

PkeyPtr rsa_from_numbers(std::span<const BignumPtr> numbers) {
  static constexpr const char* kNames[] = {OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
                                           OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
                                           OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                           OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
  ParamBuilderPtr builder(OSSL_PARAM_BLD_new());
  for (size_t i = 0; i < numbers.size(); i++) {
    if (!numbers[i]) return nullptr;
    OSSL_PARAM_BLD_push_BN(builder.get(), kNames[i], numbers[i].get());
  }
  if (numbers.size() > 4) {
    BignumPtr product(BN_new());
    BnContextPtr context(BN_CTX_new());
    BN_mul(product.get(), numbers[3].get(), numbers[4].get(), context.get());
    if (BN_cmp(product.get(), numbers[0].get()) != 0) return nullptr;
  }
  return from_data("RSA", numbers.size() > 2 ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, builder.get());
}

}  // namespace rondo::modules::crypto
