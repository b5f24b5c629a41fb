// See dhkem.h. Functions are named as in RFC 9180.
#include "modules/crypto/dhkem.h"

#include "modules/crypto/key_encode.h"

#include <openssl/kdf.h>

namespace rondo::modules::crypto {

namespace {

struct Kem {
  const char* curve;  // as OpenSSL names it; of Montgomery's curves null
  int type;
  uint8_t id;
  const char* digest;
  size_t secret_size;
};
constexpr Kem kKems[] = {
    {"prime256v1", EVP_PKEY_EC, 0x10, "SHA256", 32}, {"secp384r1", EVP_PKEY_EC, 0x11, "SHA384", 48},
    {"secp521r1", EVP_PKEY_EC, 0x12, "SHA512", 64},  {nullptr, EVP_PKEY_X25519, 0x20, "SHA256", 32},
    {nullptr, EVP_PKEY_X448, 0x21, "SHA512", 64},
};

const Kem* kem_of(EVP_PKEY* key) {
  const int type = EVP_PKEY_get_base_id(key);
  for (const auto& kem : kKems) {
    if (kem.type == type && (!kem.curve || curve_of(key) == kem.curve)) return &kem;
  }
  return nullptr;
}

void append(Bytes& out, std::string_view text) { out.insert(out.end(), text.begin(), text.end()); }
void append(Bytes& out, std::span<const uint8_t> bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

Bytes labeled(const Kem& kem, std::string_view label, std::span<const uint8_t> rest) {
  Bytes out;
  append(out, "HPKE-v1KEM");
  out.insert(out.end(), {0, kem.id});
  append(out, label);
  append(out, rest);
  return out;
}

// HKDF-Extract with an empty salt, or HKDF-Expand.
bool hkdf(const Kem& kem, int mode, Bytes key, Bytes info, Bytes& out) {
  KdfPtr kind(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
  KdfContextPtr context(kind ? EVP_KDF_CTX_new(kind.get()) : nullptr);
  OSSL_PARAM parameters[] = {OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
                             OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, const_cast<char*>(kem.digest), 0),
                             OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, key.data(), key.size()),
                             OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info.data(), info.size()),
                             OSSL_PARAM_construct_end()};
  const bool is_good = context && EVP_KDF_derive(context.get(), out.data(), out.size(), parameters) == 1;
  OPENSSL_cleanse(key.data(), key.size());
  return is_good;
}

bool extract_and_expand(const Kem& kem, std::span<const uint8_t> dh, std::span<const uint8_t> kem_context,
                        Bytes& secret) {
  // The hash is as long as the secret, for each of the five.
  Bytes prk(kem.secret_size);
  if (!hkdf(kem, EVP_KDF_HKDF_MODE_EXTRACT_ONLY, labeled(kem, "eae_prk", dh), {}, prk)) return false;
  Bytes info{0, static_cast<uint8_t>(kem.secret_size)};
  append(info, labeled(kem, "shared_secret", kem_context));
  secret.resize(kem.secret_size);
  return hkdf(kem, EVP_KDF_HKDF_MODE_EXPAND_ONLY, std::move(prk), std::move(info), secret);
}

Bytes serialized(EVP_PKEY* key) {
  if (EVP_PKEY_get_base_id(key) == EVP_PKEY_EC) return ec_point(key, POINT_CONVERSION_UNCOMPRESSED);
  unsigned char* found = nullptr;
  const size_t size = EVP_PKEY_get1_encoded_public_key(key, &found);
  OpensslBytes owner(found);
  return {found, found + size};
}

bool agree(EVP_PKEY* own, EVP_PKEY* other, Bytes& dh) {
  PkeyContextPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, own, nullptr));
  size_t size = 0;
  if (!context || EVP_PKEY_derive_init(context.get()) <= 0 || EVP_PKEY_derive_set_peer(context.get(), other) <= 0 ||
      EVP_PKEY_derive(context.get(), nullptr, &size) <= 0)
    return false;
  dh.resize(size);
  return EVP_PKEY_derive(context.get(), dh.data(), &size) > 0;
}

// Both sides end alike: the secret of what they agree on and of both public keys.
bool finish(const Kem& kem, EVP_PKEY* own, EVP_PKEY* other, std::span<const uint8_t> sealed, EVP_PKEY* receiver,
            Bytes& secret) {
  Bytes dh;
  Bytes kem_context(sealed.begin(), sealed.end());
  append(kem_context, serialized(receiver));
  const bool is_good = agree(own, other, dh) && extract_and_expand(kem, dh, kem_context, secret);
  OPENSSL_cleanse(dh.data(), dh.size());
  return is_good;
}

}  // namespace

bool is_dhkem_key(EVP_PKEY* key) { return kem_of(key) != nullptr; }

bool dhkem_encapsulate(EVP_PKEY* key, std::vector<uint8_t>& secret, std::vector<uint8_t>& sealed) {
  const auto* kem = kem_of(key);
  PkeyContextPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  EVP_PKEY* made = nullptr;
  if (!kem || !context || EVP_PKEY_keygen_init(context.get()) <= 0 || EVP_PKEY_keygen(context.get(), &made) <= 0)
    return false;
  PkeyPtr ephemeral(made);
  sealed = serialized(made);
  return finish(*kem, made, key, sealed, key, secret);
}

bool dhkem_decapsulate(EVP_PKEY* key, std::span<const uint8_t> sealed, std::vector<uint8_t>& secret) {
  const auto* kem = kem_of(key);
  PkeyPtr ephemeral(EVP_PKEY_new());
  // The size says the form: a short point would be read, but is none of RFC 9180.
  if (!kem || sealed.size() != serialized(key).size()) return false;
  if (kem->type == EVP_PKEY_EC) {
    if (EVP_PKEY_copy_parameters(ephemeral.get(), key) != 1 ||
        EVP_PKEY_set1_encoded_public_key(ephemeral.get(), sealed.data(), sealed.size()) != 1)
      return false;
  } else {
    ephemeral.reset(EVP_PKEY_new_raw_public_key(kem->type, nullptr, sealed.data(), sealed.size()));
    if (!ephemeral) return false;
  }
  return finish(*kem, key, ephemeral.get(), sealed, key, secret);
}

}  // namespace rondo::modules::crypto
