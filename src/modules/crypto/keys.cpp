// native('crypto_keys'): making, asking and writing keys. Used by lib/internal/crypto/keys.js.
#include "modules/crypto/key_encode.h"
#include "modules/crypto/key_parse.h"
#include "modules/crypto/key_store.h"
#include "modules/support/permission_check.h"
#include "runtime/native_class.h"

namespace rondo::modules {

using namespace crypto;
using runtime::method;

namespace {

// secret(bytes) → key
Value secret(Call& call) {
  auto bytes = copy_of(call, 0);
  return call.failed() ? Value() : key_value(call.realm(), make_secret(std::move(bytes)));
}

// bytes() of a secret key → Buffer
Value bytes(Call& call, KeyRef& key) { return call.value(make_buffer(call.realm(), key->secret)); }

Value raise_unreadable(Call& call, const Passphrase& phrase, const char* words) {
  auto errors = OpensslErrors::take();
  if (phrase.was_asked && !phrase.is_given && errors.is(ERR_LIB_PEM, PEM_R_BAD_PASSWORD_READ))
    return raise_with_code(call.realm(), JSC::ErrorType::TypeError, "ERR_MISSING_PASSPHRASE"_s,
                           "Passphrase required for encrypted key"_s);
  return call.raise(errors.make_error(call.realm(), words));
}

// parse(private?, data, format, type, passphrase or undefined) → key
Value parse(Call& call) {
  OpensslScope scope;
  const bool is_private = call.boolean(0);
  Input data(call, 1);
  Passphrase phrase;
  phrase.is_given = call.has(4);
  if (phrase.is_given) phrase.bytes = copy_of(call, 4);
  if (call.failed()) return {};
  auto read = is_private ? parse_private : parse_public;
  auto key = read(data.bytes(), call.string(2), call.string(3), phrase);
  if (!key)
    return raise_unreadable(call, phrase, is_private ? "Failed to read private key" : "Failed to read asymmetric key");
  return key_value(call.realm(), make_key(is_private ? KeyKind::Private : KeyKind::Public, std::move(key)));
}

// stored(URI, properties, passphrase or undefined) → private key. The URI may hold a PIN: no refusal tells it.
Value stored(Call& call) {
  if (auto* refusal = refused(runtime::Runtime::from(call.realm()), Scope::OpenSslStore)) return call.raise(refusal);
  OpensslScope scope;
  Passphrase phrase;
  phrase.is_given = call.has(2);
  if (phrase.is_given) phrase.bytes = copy_of(call, 2);
  const auto uri = call.string(0), properties = call.string(1);
  if (call.failed()) return {};
  if (auto key = key_from_store(uri, properties, phrase))
    return key_value(call.realm(), make_key(KeyKind::Private, std::move(key)));
  if (phrase.was_asked && !phrase.is_given)
    return raise_with_code(call.realm(), JSC::ErrorType::TypeError, "ERR_MISSING_PASSPHRASE"_s,
                           "Passphrase required for encrypted key"_s);
  auto errors = OpensslErrors::take();
  if (errors.empty())
    return raise_with_code(call.realm(), JSC::ErrorType::Error, "ERR_CRYPTO_OPERATION_FAILED"_s,
                           "No private key found through the OpenSSL STORE loader"_s);
  errors.put_newest_first();
  return call.raise(errors.make_error(call.realm(), "Failed to load private key through an OpenSSL STORE loader"));
}

// toPublic() of a private key → key
Value to_public(Call& call, KeyRef& key) {
  if (key->pq) return key_value(call.realm(), make_key(KeyKind::Public, key->pq));
  if (!key->pkey) return call.undefined();
  EVP_PKEY_up_ref(key->pkey.get());
  return key_value(call.realm(), make_key(KeyKind::Public, PkeyPtr(key->pkey.get())));
}

struct TypeName {
  int id;
  const char* name;
};
constexpr TypeName kTypeNames[] = {{EVP_PKEY_RSA, "rsa"},         {EVP_PKEY_RSA_PSS, "rsa-pss"},
                                   {EVP_PKEY_DSA, "dsa"},         {EVP_PKEY_DH, "dh"},
                                   {EVP_PKEY_DHX, "dh"},          {EVP_PKEY_EC, "ec"},
                                   {EVP_PKEY_ED25519, "ed25519"}, {EVP_PKEY_ED448, "ed448"},
                                   {EVP_PKEY_X25519, "x25519"},   {EVP_PKEY_X448, "x448"}};

// type() → "rsa" and the like; undefined for a kind Node does not know
Value type(Call& call, KeyRef& key) {
  if (key->pq) return call.text(key->pq->kind.name);
  if (!key->pkey) return call.undefined();
  const int id = EVP_PKEY_get_base_id(key->pkey.get());
  for (const auto& entry : kTypeNames) {
    if (entry.id == id) return call.text(entry.name);
  }
  return call.undefined();
}

Value lower_name(Call& call, int nid) {
  std::string name = OBJ_nid2ln(nid);
  return call.text(name);
}

// Restrictions of an RSA-PSS key on its signatures; a key without restrictions says nothing.
void put_pss(Call& call, JSC::JSObject* made, EVP_PKEY* key) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  // The new interface leaves out what is a default, and so cannot tell a key restricted to the defaults from one without restrictions.
  const RSA* rsa = EVP_PKEY_get0_RSA(key);
  const RSA_PSS_PARAMS* pss = rsa ? RSA_get0_pss_params(rsa) : nullptr;
#pragma clang diagnostic pop
  if (!pss) return;
  constexpr int kDefaultSalt = 20;
  int hash = NID_sha1, mask = NID_sha1;
  int64_t salt = kDefaultSalt;
  if (pss->hashAlgorithm) hash = OBJ_obj2nid(pss->hashAlgorithm->algorithm);
  if (pss->maskGenAlgorithm) {
    const ASN1_OBJECT* algorithm = nullptr;
    const void* value = nullptr;
    int value_type = 0;
    X509_ALGOR_get0(&algorithm, &value_type, &value, pss->maskGenAlgorithm);
    if (value_type == V_ASN1_SEQUENCE) {
      const auto* text = static_cast<const ASN1_STRING*>(value);
      const unsigned char* at = ASN1_STRING_get0_data(text);
      Owned<X509_ALGOR, X509_ALGOR_free> inner(d2i_X509_ALGOR(nullptr, &at, ASN1_STRING_length(text)));
      if (inner) mask = OBJ_obj2nid(inner->algorithm);
    }
  }
  if (pss->saltLength) ASN1_INTEGER_get_int64(&salt, pss->saltLength);
  auto* realm = call.realm();
  put(realm, made, "hashAlgorithm", lower_name(call, hash));
  put(realm, made, "mgf1HashAlgorithm", lower_name(call, mask));
  put(realm, made, "saltLength", call.value(static_cast<double>(salt)));
}

// details() → object; publicExponent is a Buffer
Value details(Call& call, KeyRef& key) {
  OpensslScope scope;
  auto* realm = call.realm();
  auto* made = make_object(realm);
  if (!key->pkey) return call.value(made);
  auto* pkey = key->pkey.get();
  switch (EVP_PKEY_get_base_id(pkey)) {
    case EVP_PKEY_RSA:
    case EVP_PKEY_RSA_PSS:
      put(realm, made, "modulusLength", call.value(EVP_PKEY_get_bits(pkey)));
      if (auto e = number_in(pkey, OSSL_PKEY_PARAM_RSA_E))
        put(realm, made, "publicExponent", make_buffer(realm, bytes_of_number(e.get())));
      if (EVP_PKEY_get_base_id(pkey) == EVP_PKEY_RSA_PSS) put_pss(call, made, pkey);
      break;
    case EVP_PKEY_DSA:
      put(realm, made, "modulusLength", call.value(EVP_PKEY_get_bits(pkey)));
      if (auto q = number_in(pkey, OSSL_PKEY_PARAM_FFC_Q))
        put(realm, made, "divisorLength", call.value(BN_num_bits(q.get())));
      break;
    case EVP_PKEY_EC:
      if (auto curve = curve_of(pkey); !curve.empty()) put(realm, made, "namedCurve", call.text(curve));
      break;
    default:
      break;
  }
  return call.value(made);
}

// equals(key)
Value equals(Call& call, KeyRef& a) {
  OpensslScope scope;
  auto b = key_in(call.at(0));
  if (!b || a->kind != b->kind) return call.value(false);
  if (a->kind == KeyKind::Secret)
    return call.value(a->secret.size() == b->secret.size() &&
                      CRYPTO_memcmp(a->secret.data(), b->secret.data(), a->secret.size()) == 0);
  if (a->pq || b->pq) return call.value(a->pq && b->pq && a->pq->equals(*b->pq));
  return call.value(EVP_PKEY_eq(a->pkey.get(), b->pkey.get()) == 1);
}

// encode(public?, format, type, cipher or undefined, passphrase) → string or Buffer
Value encode(Call& call, KeyRef& key) {
  OpensslScope scope;
  if (!key->is_asymmetric()) return call.undefined();
  KeyEncoding how;
  how.is_pem = call.string(1) == "pem";
  how.type = call.string(2);
  if (call.has(3)) {
    how.cipher = cipher_named(call, call.string(3));
    if (!how.cipher)
      return raise_with_code(call.realm(), JSC::ErrorType::Error, "ERR_CRYPTO_UNKNOWN_CIPHER"_s, "Unknown cipher"_s);
    how.passphrase = copy_of(call, 4);
    if (call.failed()) return {};
  }
  Value made = encode_key(call.realm(), *key, call.boolean(0), how);
  return made ? made : raise_openssl(call, "Failed to encode key");
}

void put_number(Call& call, JSC::JSObject* made, const char* name, EVP_PKEY* key, const char* parameter,
                size_t least = 0) {
  auto number = number_in(key, parameter);
  if (number) put(call.realm(), made, name, make_buffer(call.realm(), bytes_of_number(number.get(), least)));
}

// numbers() → the numbers of a JWK, as Buffers, under its names
Value numbers(Call& call, KeyRef& key) {
  OpensslScope scope;
  auto* made = make_object(call.realm());
  if (!key->pkey) return call.value(made);
  auto* pkey = key->pkey.get();
  const bool is_private = key->kind == KeyKind::Private;
  if (EVP_PKEY_get_base_id(pkey) == EVP_PKEY_EC) {
    const size_t field = field_size(pkey);
    put_number(call, made, "x", pkey, OSSL_PKEY_PARAM_EC_PUB_X, field);
    put_number(call, made, "y", pkey, OSSL_PKEY_PARAM_EC_PUB_Y, field);
    if (is_private) put(call.realm(), made, "d", make_buffer(call.realm(), ec_scalar(pkey)));
    return call.value(made);
  }
  put_number(call, made, "n", pkey, OSSL_PKEY_PARAM_RSA_N);
  put_number(call, made, "e", pkey, OSSL_PKEY_PARAM_RSA_E);
  if (!is_private) return call.value(made);
  put_number(call, made, "d", pkey, OSSL_PKEY_PARAM_RSA_D);
  put_number(call, made, "p", pkey, OSSL_PKEY_PARAM_RSA_FACTOR1);
  put_number(call, made, "q", pkey, OSSL_PKEY_PARAM_RSA_FACTOR2);
  put_number(call, made, "dp", pkey, OSSL_PKEY_PARAM_RSA_EXPONENT1);
  put_number(call, made, "dq", pkey, OSSL_PKEY_PARAM_RSA_EXPONENT2);
  put_number(call, made, "qi", pkey, OSSL_PKEY_PARAM_RSA_COEFFICIENT1);
  return call.value(made);
}

// A key, or undefined when the bytes are none.
Value key_or_none(Call& call, bool is_private, Asymmetric key) {
  if (!key) return call.undefined();
  return key_value(call.realm(), make_key(is_private ? KeyKind::Private : KeyKind::Public, std::move(key)));
}

// rsa(n, e[, d, p, q, dp, dq, qi]) → key or undefined
Value rsa(Call& call) {
  OpensslScope scope;
  std::vector<BignumPtr> parts;
  for (unsigned i = 0; i < call.count(); i++) parts.push_back(bignum_of(call.bytes(i)));
  return key_or_none(call, parts.size() > 2, rsa_from_numbers(parts));
}

// ec(curve, x, y, d or undefined) → key or undefined
Value ec(Call& call) {
  OpensslScope scope;
  auto group = group_named(call.string(0));
  if (!group) return call.undefined();
  std::optional<std::span<const uint8_t>> d;
  if (call.has(3)) d = call.bytes(3);
  return key_or_none(call, d.has_value(), ec_from_numbers(group.get(), call.bytes(1), call.bytes(2), d));
}

int raw_type(const std::string& name) {
  for (const auto& entry : kTypeNames) {
    if (name == entry.name) return entry.id;
  }
  return EVP_PKEY_NONE;
}

// fromRaw(private?, type, bytes, curve or undefined) → key or undefined; of kinds that have one the private bytes are the seed
Value from_raw(Call& call) {
  OpensslScope scope;
  const bool is_private = call.boolean(0);
  const auto kind = call.string(1);
  Input input(call, 2);
  if (kind == "ec") {
    auto group = group_named(call.string(3));
    if (!group) return call.undefined();
    auto key =
        is_private ? ec_from_scalar(group.get(), input.bytes()) : ec_from_point(group.get(), input.bytes(), nullptr);
    return key_or_none(call, is_private, std::move(key));
  }
  if (const auto* pq = pq_kind_named(kind))
    return key_or_none(call, is_private,
                       is_private ? pq_from_raw_private(*pq, input.bytes()) : pq_from_public(*pq, input.bytes()));
  auto make = is_private ? EVP_PKEY_new_raw_private_key : EVP_PKEY_new_raw_public_key;
  return key_or_none(call, is_private, PkeyPtr(make(raw_type(kind), nullptr, input.data(), input.size())));
}

// toRaw(private?, compressed?) → Buffer or undefined
Value to_raw(Call& call, KeyRef& key) {
  OpensslScope scope;
  if (key->pq) {
    const std::span<const uint8_t> bytes = call.boolean(0) ? key->pq->raw_private() : key->pq->public_key;
    return bytes.empty() ? call.undefined() : Value(make_buffer(call.realm(), bytes));
  }
  if (!key->pkey) return call.undefined();
  auto* pkey = key->pkey.get();
  if (EVP_PKEY_get_base_id(pkey) == EVP_PKEY_EC) {
    auto form = call.boolean(1) ? POINT_CONVERSION_COMPRESSED : POINT_CONVERSION_UNCOMPRESSED;
    return make_buffer(call.realm(), call.boolean(0) ? ec_scalar(pkey) : ec_point(pkey, form));
  }
  auto get = call.boolean(0) ? EVP_PKEY_get_raw_private_key : EVP_PKEY_get_raw_public_key;
  size_t size = 0;
  if (get(pkey, nullptr, &size) != 1) return call.undefined();
  Bytes out(size);
  if (get(pkey, out.data(), &size) != 1) return call.undefined();
  return make_buffer(call.realm(), out);
}

constexpr FunctionSpec kMethods[] = {{"bytes", method<KeyRef, bytes>},      {"toPublic", method<KeyRef, to_public>},
                                     {"type", method<KeyRef, type>},        {"details", method<KeyRef, details>},
                                     {"equals", method<KeyRef, equals>, 1}, {"encode", method<KeyRef, encode>, 5},
                                     {"numbers", method<KeyRef, numbers>},  {"toRaw", method<KeyRef, to_raw>, 2}};

constexpr FunctionSpec kFunctions[] = {{"secret", native<secret>, 1}, {"parse", native<parse>, 5},
                                       {"stored", native<stored>, 3}, {"rsa", native<rsa>, 8},
                                       {"ec", native<ec>, 4},         {"fromRaw", native<from_raw>, 4}};

}  // namespace

Value crypto::key_value(JSC::JSGlobalObject* realm, KeyRef key) {
  return runtime::make_instance(runtime::Runtime::from(realm), std::move(key), kMethods);
}

void init_crypto_keys(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
