// Keys out of PEM, DER, raw bytes and the numbers of a JWK. See key_parse.h.
#include "modules/crypto/key_parse.h"

#include <openssl/bnerr.h>

#include <climits>

namespace rondo::modules::crypto {

namespace {

// Without a passphrase the answer is "none", never a question on the terminal.
int give_passphrase(char* out, int size, int, void* user) {
  auto* phrase = static_cast<Passphrase*>(user);
  phrase->was_asked = true;
  if (!phrase->is_given || phrase->bytes.size() > static_cast<size_t>(size)) return -1;
  std::copy(phrase->bytes.begin(), phrase->bytes.end(), out);
  return static_cast<int>(phrase->bytes.size());
}

// EncryptedPrivateKeyInfo begins with an AlgorithmIdentifier, a sequence; PrivateKeyInfo with a version, a number.
bool is_encrypted_pkcs8(std::span<const uint8_t> der) {
  const unsigned char* at = der.data();
  long size = 0;
  int tag = 0, kind = 0;
  if (ASN1_get_object(&at, &size, &tag, &kind, static_cast<long>(der.size())) & 0x80) return false;
  return tag == V_ASN1_SEQUENCE && size > 0 && at < der.data() + der.size() && *at != V_ASN1_INTEGER;
}

PkeyPtr private_pem(std::span<const uint8_t> pem, Passphrase& phrase) {
  auto bio = bio_on(pem);
  return PkeyPtr(PEM_read_bio_PrivateKey(bio.get(), nullptr, give_passphrase, &phrase));
}

PkeyPtr private_der(std::span<const uint8_t> der, const std::string& type, Passphrase& phrase) {
  const unsigned char* at = der.data();
  const auto size = static_cast<long>(der.size());
  if (type == "pkcs1") return PkeyPtr(d2i_PrivateKey(EVP_PKEY_RSA, nullptr, &at, size));
  if (type == "sec1") return PkeyPtr(d2i_PrivateKey(EVP_PKEY_EC, nullptr, &at, size));
  auto bio = bio_on(der);
  if (is_encrypted_pkcs8(der)) return PkeyPtr(d2i_PKCS8PrivateKey_bio(bio.get(), nullptr, give_passphrase, &phrase));
  Pkcs8Ptr info(d2i_PKCS8_PRIV_KEY_INFO_bio(bio.get(), nullptr));
  return PkeyPtr(info ? EVP_PKCS82PKEY(info.get()) : nullptr);
}

// One kind of PEM block that holds a public key; null with `was_found` false when there is no such block.
template <class Read>
PkeyPtr public_block(std::span<const uint8_t> pem, const char* name, bool& was_found, Read read) {
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

PkeyPtr public_pem(std::span<const uint8_t> pem, Passphrase& phrase) {
  bool was_found = false;
  auto key = public_block(pem, "PUBLIC KEY", was_found,
                          [](const unsigned char** at, long size) { return PkeyPtr(d2i_PUBKEY(nullptr, at, size)); });
  if (was_found) return key;
  key = public_block(pem, "RSA PUBLIC KEY", was_found, [](const unsigned char** at, long size) {
    return PkeyPtr(d2i_PublicKey(EVP_PKEY_RSA, nullptr, at, size));
  });
  if (was_found) return key;
  key = public_block(pem, "CERTIFICATE", was_found, [](const unsigned char** at, long size) {
    X509Ptr certificate(d2i_X509(nullptr, at, size));
    return PkeyPtr(certificate ? X509_get_pubkey(certificate.get()) : nullptr);
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

PkeyPtr public_der(std::span<const uint8_t> der, const std::string& type, Passphrase& phrase) {
  const unsigned char* at = der.data();
  const auto size = static_cast<long>(der.size());
  if (type == "spki") return PkeyPtr(d2i_PUBKEY(nullptr, &at, size));
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

PkeyPtr parse_private(std::span<const uint8_t> data, const std::string& format, const std::string& type,
                      Passphrase& phrase) {
  return format == "der" ? private_der(data, type, phrase) : private_pem(data, phrase);
}

PkeyPtr parse_public(std::span<const uint8_t> data, const std::string& format, const std::string& type,
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
  // Whatever form it came in, OpenSSL is told of the long one: a key remembers the form and would write it out.
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
  auto scalar = d ? bignum_of(*d) : nullptr;
  if (d && !scalar) return nullptr;
  return ec_from_point(group, point, scalar.get());
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
  return from_data("RSA", numbers.size() > 2 ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, builder.get());
}

}  // namespace rondo::modules::crypto
