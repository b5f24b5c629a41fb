// native('crypto_dh'): agreement on a secret: the classes DiffieHellman and ECDH, and the one-shot form on keys.
#define OPENSSL_SUPPRESS_DEPRECATED  // A half-made DH key, as the class has it, has no counterpart in the new interface.
#include "modules/crypto/dhkem.h"
#include "modules/crypto/key_encode.h"
#include "modules/crypto/key_parse.h"
#include "modules/crypto/work.h"
#include "runtime/native_class.h"

#include <openssl/dh.h>

namespace rondo::modules {

using namespace crypto;
using runtime::make_instance;
using runtime::method;

namespace {

using DhPtr = Owned<DH, DH_free>;
struct Dh {
  DhPtr dh;
};

Value raise_key(Call& call, ASCIILiteral code, ASCIILiteral message, JSC::ErrorType type = JSC::ErrorType::Error) {
  return raise_with_code(call.realm(), type, code, message);
}

struct Group {
  const char* name;
  BIGNUM* (*prime)(BIGNUM*);
};
constexpr Group kGroups[] = {{"modp1", BN_get_rfc2409_prime_768},   {"modp2", BN_get_rfc2409_prime_1024},
                             {"modp5", BN_get_rfc3526_prime_1536},  {"modp14", BN_get_rfc3526_prime_2048},
                             {"modp15", BN_get_rfc3526_prime_3072}, {"modp16", BN_get_rfc3526_prime_4096},
                             {"modp17", BN_get_rfc3526_prime_6144}, {"modp18", BN_get_rfc3526_prime_8192}};

// groupPrime(name) → Buffer, or undefined when there is no such group
Value group_prime(Call& call) {
  auto name = call.string(0);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const auto& group : kGroups) {
    if (name != group.name) continue;
    BignumPtr prime(group.prime(nullptr));
    return make_buffer(call.realm(), bytes_of_number(prime.get()));
  }
  return call.undefined();
}

// check() → the bits of verifyError
Value dh_check(Call& call, Dh& self) {
  OpensslScope scope;
  int codes = 0;
  DH_check(self.dh.get(), &codes);
  return call.value(codes);
}

// generate() → public key
Value dh_generate(Call& call, Dh& self) {
  OpensslScope scope;
  auto* dh = self.dh.get();
  if (DH_generate_key(dh) != 1) return raise_openssl(call, "Key generation failed");
  return make_buffer(call.realm(), bytes_of_number(DH_get0_pub_key(dh)));
}

// number("p" | "g" | "public" | "private") → Buffer or undefined
Value dh_number(Call& call, Dh& self) {
  auto* dh = self.dh.get();
  const auto which = call.string(0);
  const BIGNUM* number = which == "p"        ? DH_get0_p(dh)
                         : which == "g"      ? DH_get0_g(dh)
                         : which == "public" ? DH_get0_pub_key(dh)
                                             : DH_get0_priv_key(dh);
  return number ? call.value(make_buffer(call.realm(), bytes_of_number(number))) : call.undefined();
}

// set(private?, bytes)
Value dh_set(Call& call, Dh& self) {
  OpensslScope scope;
  auto* dh = self.dh.get();
  auto number = bignum_of(call.bytes(1));
  if (!number) return raise_openssl(call);
  const bool is_private = call.boolean(0);
  if (DH_set0_key(dh, is_private ? nullptr : number.get(), is_private ? number.get() : nullptr) != 1)
    return raise_openssl(call);
  number.release();
  return call.undefined();
}

// secret(public key) → Buffer
Value dh_secret(Call& call, Dh& self) {
  OpensslScope scope;
  auto* dh = self.dh.get();
  auto other = bignum_of(call.bytes(0));
  if (!other) return raise_openssl(call);
  int codes = 0;
  if (DH_check_pub_key(dh, other.get(), &codes) != 1)
    return raise_key(call, "ERR_CRYPTO_INVALID_KEYTYPE"_s, "Unspecified validation error"_s);
  if (codes & DH_CHECK_PUBKEY_TOO_SMALL)
    return raise_key(call, "ERR_CRYPTO_INVALID_KEYLEN"_s, "Supplied key is too small"_s, JSC::ErrorType::RangeError);
  if (codes & DH_CHECK_PUBKEY_TOO_LARGE)
    return raise_key(call, "ERR_CRYPTO_INVALID_KEYLEN"_s, "Supplied key is too large"_s, JSC::ErrorType::RangeError);
  if (codes) return raise_key(call, "ERR_CRYPTO_INVALID_KEYTYPE"_s, "Supplied key is invalid"_s);
  Bytes out(static_cast<size_t>(DH_size(dh)));
  if (DH_compute_key_padded(out.data(), other.get(), dh) < 0) return raise_openssl(call, "Computing the secret failed");
  return make_buffer(call.realm(), out);
}

constexpr FunctionSpec kDhMethods[] = {{"check", method<Dh, dh_check>, 0},
                                       {"generate", method<Dh, dh_generate>, 0},
                                       {"number", method<Dh, dh_number>, 1},
                                       {"set", method<Dh, dh_set>, 2},
                                       {"secret", method<Dh, dh_secret>, 1}};

// dhGenerated(bits, generator) → dh
Value dh_generated(Call& call) {
  OpensslScope scope;
  Dh made{DhPtr(DH_new())};
  if (DH_generate_parameters_ex(made.dh.get(), call.int32(0), call.int32(1), nullptr) != 1) return raise_openssl(call);
  return make_instance(runtime::Runtime::from(call.realm()), std::move(made), kDhMethods);
}

// dhFrom(prime, generator) → dh
Value dh_from(Call& call) {
  OpensslScope scope;
  Dh made{DhPtr(DH_new())};
  auto p = bignum_of(call.bytes(0)), g = bignum_of(call.bytes(1));
  if (!p || !g) return raise_openssl(call);
  const bool is_beyond = BN_num_bits(p.get()) >= 512 && BN_cmp(g.get(), p.get()) >= 0;
  if (BN_is_zero(g.get()) || BN_is_one(g.get()) || is_beyond) {
    ERR_raise(ERR_LIB_DH, DH_R_BAD_GENERATOR);
    return raise_openssl(call);
  }
  DH_set0_pqg(made.dh.get(), p.release(), nullptr, g.release());
  return make_instance(runtime::Runtime::from(call.realm()), std::move(made), kDhMethods);
}

struct Curve {
  EcGroupPtr group;
  BignumPtr scalar;
  EcPointPtr point;
};

Bytes point_bytes(const EC_GROUP* group, const EC_POINT* point, int form) {
  auto shape = static_cast<point_conversion_form_t>(form);
  Bytes bytes(EC_POINT_point2oct(group, point, shape, nullptr, 0, nullptr));
  EC_POINT_point2oct(group, point, shape, bytes.data(), bytes.size(), nullptr);
  return bytes;
}

bool set_scalar(Curve& curve, BignumPtr scalar) {
  EcPointPtr point(EC_POINT_new(curve.group.get()));
  if (EC_POINT_mul(curve.group.get(), point.get(), scalar.get(), nullptr, nullptr, nullptr) != 1) return false;
  curve.scalar = std::move(scalar);
  curve.point = std::move(point);
  return true;
}

// generate()
Value ecdh_generate(Call& call, Curve& curve) {
  OpensslScope scope;
  BignumPtr scalar(BN_secure_new());
  do {
    if (BN_priv_rand_range(scalar.get(), EC_GROUP_get0_order(curve.group.get())) != 1) return raise_openssl(call);
  } while (BN_is_zero(scalar.get()));
  if (!set_scalar(curve, std::move(scalar))) return raise_openssl(call);
  return call.undefined();
}

// publicKey(form) → Buffer or undefined
Value ecdh_public(Call& call, Curve& curve) {
  OpensslScope scope;
  if (!curve.point) return call.undefined();
  return make_buffer(call.realm(), point_bytes(curve.group.get(), curve.point.get(), call.int32(0)));
}

// privateKey() → Buffer or undefined
Value ecdh_private(Call& call, Curve& curve) {
  if (!curve.scalar) return call.undefined();
  const auto size = static_cast<size_t>(BN_num_bytes(EC_GROUP_get0_order(curve.group.get())));
  return make_buffer(call.realm(), bytes_of_number(curve.scalar.get(), size));
}

// setPrivateKey(bytes): false when the curve has no such key
Value ecdh_set_private(Call& call, Curve& curve) {
  OpensslScope scope;
  auto scalar = bignum_of(call.bytes(0));
  if (!scalar || BN_is_zero(scalar.get()) || BN_cmp(scalar.get(), EC_GROUP_get0_order(curve.group.get())) >= 0)
    return call.value(false);
  return call.value(set_scalar(curve, std::move(scalar)));
}

EcPointPtr point_from(const EC_GROUP* group, std::span<const uint8_t> bytes) {
  EcPointPtr point(EC_POINT_new(group));
  if (EC_POINT_oct2point(group, point.get(), bytes.data(), bytes.size(), nullptr) != 1) return nullptr;
  return point;
}

// setPublicKey(bytes)
Value ecdh_set_public(Call& call, Curve& curve) {
  OpensslScope scope;
  auto point = point_from(curve.group.get(), call.bytes(0));
  if (!point) return raise_key(call, "ERR_CRYPTO_OPERATION_FAILED"_s, "Failed to convert Buffer to EC_POINT"_s);
  curve.point = std::move(point);
  return call.undefined();
}

// secret(public key) → Buffer, or a number: 1 when the public key is none, 2 when the own pair is none
Value ecdh_secret(Call& call, Curve& curve) {
  OpensslScope scope;
  auto* group = curve.group.get();
  auto other = point_from(group, call.bytes(0));
  if (!other) return call.value(1);
  if (!curve.scalar || !curve.point) return call.value(2);
  EcPointPtr own(EC_POINT_new(group)), shared(EC_POINT_new(group));
  EC_POINT_mul(group, own.get(), curve.scalar.get(), nullptr, nullptr, nullptr);
  if (EC_POINT_cmp(group, own.get(), curve.point.get(), nullptr) != 0) return call.value(2);
  BignumPtr x(BN_new());
  if (EC_POINT_mul(group, shared.get(), nullptr, other.get(), curve.scalar.get(), nullptr) != 1 ||
      EC_POINT_get_affine_coordinates(group, shared.get(), x.get(), nullptr, nullptr) != 1)
    return raise_openssl(call, "Failed to compute ECDH key");
  return make_buffer(call.realm(), bytes_of_number(x.get(), (static_cast<size_t>(EC_GROUP_get_degree(group)) + 7) / 8));
}

constexpr FunctionSpec kEcdhMethods[] = {
    {"generate", method<Curve, ecdh_generate>, 0},       {"publicKey", method<Curve, ecdh_public>, 1},
    {"privateKey", method<Curve, ecdh_private>, 0},      {"setPrivateKey", method<Curve, ecdh_set_private>, 1},
    {"setPublicKey", method<Curve, ecdh_set_public>, 1}, {"secret", method<Curve, ecdh_secret>, 1}};

// ecdh(curve) → ecdh, or undefined when there is no such curve
Value ecdh(Call& call) {
  OpensslScope scope;
  Curve made;
  made.group = group_named(call.string(0));
  if (!made.group) return call.undefined();
  return make_instance(runtime::Runtime::from(call.realm()), std::move(made), kEcdhMethods);
}

// ecdhConvert(bytes, curve, form) → Buffer, or undefined when there is no such curve
Value ecdh_convert(Call& call) {
  OpensslScope scope;
  auto group = group_named(call.string(1));
  if (!group) return call.undefined();
  auto point = point_from(group.get(), call.bytes(0));
  if (!point) return raise_key(call, "ERR_CRYPTO_OPERATION_FAILED"_s, "Failed to convert Buffer to EC_POINT"_s);
  return make_buffer(call.realm(), point_bytes(group.get(), point.get(), call.int32(2)));
}

struct Agreement {
  KeyRef own, other;
  Bytes output;
  bool run() {
    PkeyContextPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, own->pkey.get(), nullptr));
    if (!context || EVP_PKEY_derive_init(context.get()) <= 0) return false;
    const int id = EVP_PKEY_get_base_id(own->pkey.get());
    if ((id == EVP_PKEY_DH || id == EVP_PKEY_DHX) && EVP_PKEY_CTX_set_dh_pad(context.get(), 1) <= 0) return false;
    size_t size = 0;
    if (EVP_PKEY_derive_set_peer(context.get(), other->pkey.get()) <= 0 ||
        EVP_PKEY_derive(context.get(), nullptr, &size) <= 0)
      return false;
    output.resize(size);
    if (EVP_PKEY_derive(context.get(), output.data(), &size) <= 0) return false;
    output.resize(size);
    return true;
  }
  Value answer(JSC::JSGlobalObject* realm) const { return buffer_value(realm, output); }
};

// agree(private key, public key, callback) → Buffer
Value agree(Call& call) {
  static constexpr runtime::Source kSource{"crypto.diffieHellman", "DERIVEBITSREQUEST"};
  auto work = std::make_unique<Agreement>();
  work->own = key_in(call.at(0));
  work->other = key_in(call.at(1));
  if (!work->own || !work->own->pkey || !work->other || !work->other->pkey) return call.undefined();
  return perform(call, 2, kSource, std::move(work));
}

// A secret under a public key: ML-KEM, DHKEM, and OpenSSL 3.0's RSASVE; of other kinds it says that it does not know them.
struct Encapsulation {
  KeyRef key;
  bool opens = false;
  Bytes secret, sealed;
  bool run() {
    if (key->pq) return opens ? pq_decapsulate(*key->pq, sealed, secret) : pq_encapsulate(*key->pq, secret, sealed);
    auto* pkey = key->pkey.get();
    if (is_dhkem_key(pkey))
      return opens ? dhkem_decapsulate(pkey, sealed, secret) : dhkem_encapsulate(pkey, secret, sealed);
    PkeyContextPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, pkey, nullptr));
    auto init = opens ? EVP_PKEY_decapsulate_init : EVP_PKEY_encapsulate_init;
    if (!context || init(context.get(), nullptr) <= 0) return false;
    if (EVP_PKEY_get_base_id(pkey) == EVP_PKEY_RSA && EVP_PKEY_CTX_set_kem_op(context.get(), "RSASVE") <= 0)
      return false;
    size_t sealed_size = 0, size = 0;
    if (opens) {
      if (EVP_PKEY_decapsulate(context.get(), nullptr, &size, data_of(sealed), sealed.size()) <= 0) return false;
      secret.resize(size);
      return EVP_PKEY_decapsulate(context.get(), secret.data(), &size, data_of(sealed), sealed.size()) > 0;
    }
    if (EVP_PKEY_encapsulate(context.get(), nullptr, &sealed_size, nullptr, &size) <= 0) return false;
    sealed.resize(sealed_size);
    secret.resize(size);
    return EVP_PKEY_encapsulate(context.get(), sealed.data(), &sealed_size, secret.data(), &size) > 0;
  }
  Value answer(JSC::JSGlobalObject* realm) const {
    if (opens) return buffer_value(realm, secret);
    JSC::MarkedArgumentBuffer both;
    both.append(buffer_value(realm, secret));
    both.append(buffer_value(realm, sealed));
    return make_array(realm, both);
  }
};

// encapsulate(public key, callback) → [secret, sealed]
Value encapsulate(Call& call) {
  static constexpr runtime::Source kSource{"crypto.encapsulate", "KEMENCAPSULATEREQUEST"};
  auto work = std::make_unique<Encapsulation>();
  work->key = key_in(call.at(0));
  if (!work->key || !work->key->is_asymmetric()) return call.undefined();
  return perform(call, 1, kSource, std::move(work));
}

// decapsulate(private key, sealed, callback) → secret
Value decapsulate(Call& call) {
  static constexpr runtime::Source kSource{"crypto.decapsulate", "KEMDECAPSULATEREQUEST"};
  auto work = std::make_unique<Encapsulation>();
  work->key = key_in(call.at(0));
  if (!work->key || !work->key->is_asymmetric()) return call.undefined();
  work->opens = true;
  work->sealed = copy_of(call, 1);
  return perform(call, 2, kSource, std::move(work));
}

constexpr FunctionSpec kFunctions[] = {
    {"dhGenerated", native<dh_generated>, 2}, {"dhFrom", native<dh_from>, 2},
    {"groupPrime", native<group_prime>, 1},   {"ecdh", native<ecdh>, 1},
    {"ecdhConvert", native<ecdh_convert>, 3}, {"agree", native<agree>, 3},
    {"encapsulate", native<encapsulate>, 2},  {"decapsulate", native<decapsulate>, 3},
};

}  // namespace

void init_crypto_dh(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
