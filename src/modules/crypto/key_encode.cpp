// See key_encode.h.
#include "modules/crypto/key_encode.h"

#include "modules/crypto/key_parse.h"

namespace rondo::modules::crypto {

namespace {

Value written(JSC::JSGlobalObject* realm, BIO* bio, bool is_pem) {
  if (is_pem) return make_string(realm->vm(), text_in(bio));
  return make_buffer(realm, bytes_in(bio));
}

bool write_public(BIO* bio, EVP_PKEY* key, const KeyEncoding& how) {
  if (how.type == "pkcs1") {
    unsigned char* der = nullptr;
    const int size = i2d_PublicKey(key, &der);
    OpensslBytes owner(der);
    if (size < 0) return false;
    if (!how.is_pem) return BIO_write(bio, der, size) == size;
    return PEM_write_bio(bio, PEM_STRING_RSA_PUBLIC, "", der, size) > 0;
  }
  return (how.is_pem ? PEM_write_bio_PUBKEY(bio, key) : i2d_PUBKEY_bio(bio, key)) == 1;
}

bool write_private(BIO* bio, EVP_PKEY* key, const KeyEncoding& how) {
  const auto* phrase = reinterpret_cast<const unsigned char*>(how.passphrase.data());
  const auto size = static_cast<int>(how.passphrase.size());
  const char* text = reinterpret_cast<const char*>(phrase);
  if (how.type == "pkcs8") {
    // A null passphrase would make OpenSSL ask for one.
    if (how.cipher && !text) text = "";
    if (how.is_pem) return PEM_write_bio_PKCS8PrivateKey(bio, key, how.cipher, text, size, nullptr, nullptr) == 1;
    return i2d_PKCS8PrivateKey_bio(bio, key, how.cipher, text, size, nullptr, nullptr) == 1;
  }
  if (how.is_pem) {
    if (how.cipher && !phrase) phrase = reinterpret_cast<const unsigned char*>("");
    return PEM_write_bio_PrivateKey_traditional(bio, key, how.cipher, phrase, size, nullptr, nullptr) == 1;
  }
  unsigned char* der = nullptr;
  const int length = i2d_PrivateKey(key, &der);
  OpensslBytes owner(der);
  return length >= 0 && BIO_write(bio, der, length) == length;
}

bool write_der(BIO* bio, std::span<const uint8_t> der, const char* pem_name, bool is_pem) {
  const auto size = static_cast<int>(der.size());
  if (!is_pem) return BIO_write(bio, der.data(), size) == size;
  return PEM_write_bio(bio, pem_name, "", der.data(), size) > 0;
}

// The same of keys that OpenSSL does not know; they have no encoding but SPKI and PKCS #8.
bool write_pq(BIO* bio, const PqKey& key, bool is_public, const KeyEncoding& how) {
  if (is_public) return write_der(bio, pq_to_spki(key), PEM_STRING_PUBLIC, how.is_pem);
  auto der = pq_to_pkcs8(key);
  bool is_good = false;
  if (!how.cipher) {
    is_good = write_der(bio, der, PEM_STRING_PKCS8INF, how.is_pem);
  } else {
    const unsigned char* at = der.data();
    Pkcs8Ptr info(d2i_PKCS8_PRIV_KEY_INFO(nullptr, &at, static_cast<long>(der.size())));
    const auto* phrase = reinterpret_cast<const char*>(data_of(how.passphrase));
    Owned<X509_SIG, X509_SIG_free> sealed(
        info ? PKCS8_encrypt(-1, how.cipher, phrase, static_cast<int>(how.passphrase.size()), nullptr, 0, 0, info.get())
             : nullptr);
    is_good = sealed && (how.is_pem ? PEM_write_bio_PKCS8(bio, sealed.get()) : i2d_PKCS8_bio(bio, sealed.get())) == 1;
  }
  OPENSSL_cleanse(der.data(), der.size());
  return is_good;
}

}  // namespace

Value encode_key(JSC::JSGlobalObject* realm, const Key& key, bool is_public, const KeyEncoding& how) {
  auto bio = new_memory_bio();
  auto* pkey = key.pkey.get();
  const bool is_good = key.pq      ? write_pq(bio.get(), *key.pq, is_public, how)
                       : is_public ? write_public(bio.get(), pkey, how)
                                   : write_private(bio.get(), pkey, how);
  return is_good ? written(realm, bio.get(), how.is_pem) : Value();
}

std::vector<uint8_t> bytes_of_number(const BIGNUM* number, size_t least) {
  std::vector<uint8_t> bytes(std::max(least, static_cast<size_t>(BN_num_bytes(number))));
  BN_bn2binpad(number, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

BignumPtr number_in(EVP_PKEY* key, const char* name) {
  BIGNUM* number = nullptr;
  EVP_PKEY_get_bn_param(key, name, &number);
  return BignumPtr(number);
}

std::string curve_of(EVP_PKEY* key) {
  char name[80];
  size_t size = 0;
  ERR_set_mark();
  const bool is_known = EVP_PKEY_get_group_name(key, name, sizeof(name), &size) == 1;
  ERR_pop_to_mark();
  return is_known ? std::string(name, size) : std::string();
}

std::vector<uint8_t> ec_point(EVP_PKEY* key, point_conversion_form_t form) {
  auto group = group_named(curve_of(key));
  auto x = number_in(key, OSSL_PKEY_PARAM_EC_PUB_X), y = number_in(key, OSSL_PKEY_PARAM_EC_PUB_Y);
  if (!group || !x || !y) return {};
  EcPointPtr point(EC_POINT_new(group.get()));
  if (EC_POINT_set_affine_coordinates(group.get(), point.get(), x.get(), y.get(), nullptr) != 1) return {};
  std::vector<uint8_t> bytes(EC_POINT_point2oct(group.get(), point.get(), form, nullptr, 0, nullptr));
  EC_POINT_point2oct(group.get(), point.get(), form, bytes.data(), bytes.size(), nullptr);
  return bytes;
}

size_t field_size(EVP_PKEY* key) {
  auto group = group_named(curve_of(key));
  return group ? (static_cast<size_t>(EC_GROUP_get_degree(group.get())) + 7) / 8 : 0;
}

std::vector<uint8_t> ec_scalar(EVP_PKEY* key) {
  auto group = group_named(curve_of(key));
  auto number = number_in(key, OSSL_PKEY_PARAM_PRIV_KEY);
  if (!group || !number) return {};
  return bytes_of_number(number.get(), static_cast<size_t>(BN_num_bytes(EC_GROUP_get0_order(group.get()))));
}

}  // namespace rondo::modules::crypto
