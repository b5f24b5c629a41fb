// native('crypto_keygen'): new pairs of keys. Used by lib/internal/crypto/keygen.js, which has checked every option.
#include "modules/crypto/key_parse.h"
#include "modules/crypto/work.h"

#include <openssl/dh.h>
#include <openssl/dsa.h>
#include <openssl/rand.h>

namespace rondo::modules {

using namespace crypto;

namespace {

struct Pair {
  std::string kind;
  int first = 0;   // bits of the modulus or prime
  int second = 0;  // public exponent, divisor's bits, generator
  int salt = -1;
  std::string name;        // digest, curve, or group
  std::string other_name;  // digest of the mask, or how the curve is written
  Bytes prime;
  Asymmetric made;

  PkeyContextPtr context_of(const char* type) const {
    return PkeyContextPtr(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  }

  bool set_rsa(EVP_PKEY_CTX* context) const {
    BignumPtr exponent(BN_new());
    BN_set_word(exponent.get(), static_cast<unsigned>(second));
    if (EVP_PKEY_CTX_set_rsa_keygen_bits(context, first) != 1) return false;
    if (EVP_PKEY_CTX_set1_rsa_keygen_pubexp(context, exponent.get()) != 1) return false;
    if (kind != "rsa-pss") return true;
    if (!name.empty() && EVP_PKEY_CTX_set_rsa_pss_keygen_md_name(context, name.c_str(), nullptr) != 1) return false;
    // Without a word of its own the mask has the digest of the signature.
    const auto& mask = other_name.empty() ? name : other_name;
    if (!mask.empty() && EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md_name(context, mask.c_str()) != 1) return false;
    int length = salt;
    if (length < 0 && !name.empty()) {
      DigestPtr digest(EVP_MD_fetch(nullptr, name.c_str(), nullptr));
      length = EVP_MD_get_size(digest.get());
    }
    return length < 0 || EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen(context, length) == 1;
  }

  PkeyPtr parameters() const {
    EVP_PKEY* found = nullptr;
    if (kind == "dsa") {
      auto context = context_of("DSA");
      if (EVP_PKEY_paramgen_init(context.get()) != 1 || EVP_PKEY_CTX_set_dsa_paramgen_bits(context.get(), first) != 1)
        return nullptr;
      if (second > 0 && EVP_PKEY_CTX_set_dsa_paramgen_q_bits(context.get(), second) != 1) return nullptr;
      EVP_PKEY_paramgen(context.get(), &found);
      return PkeyPtr(found);
    }
    auto context = context_of("DH");
    if (prime.empty()) {
      if (EVP_PKEY_paramgen_init(context.get()) != 1 ||
          EVP_PKEY_CTX_set_dh_paramgen_prime_len(context.get(), first) != 1 ||
          EVP_PKEY_CTX_set_dh_paramgen_generator(context.get(), second) != 1)
        return nullptr;
      EVP_PKEY_paramgen(context.get(), &found);
      return PkeyPtr(found);
    }
    auto p = bignum_of(prime);
    BignumPtr g(BN_new());
    BN_set_word(g.get(), static_cast<unsigned>(second));
    ParamBuilderPtr builder(OSSL_PARAM_BLD_new());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_FFC_P, p.get());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_FFC_G, g.get());
    ParamsPtr list(OSSL_PARAM_BLD_to_param(builder.get()));
    if (EVP_PKEY_fromdata_init(context.get()) == 1)
      EVP_PKEY_fromdata(context.get(), &found, EVP_PKEY_KEY_PARAMETERS, list.get());
    return PkeyPtr(found);
  }

  bool run() {
    if (const auto* pq = pq_kind_named(kind)) {
      made = pq_generate(*pq);
      return static_cast<bool>(made);
    }
    PkeyContextPtr context;
    if (kind == "dsa" || (kind == "dh" && name.empty())) {
      auto base = parameters();
      if (!base) return false;
      context.reset(EVP_PKEY_CTX_new_from_pkey(nullptr, base.get(), nullptr));
      if (!context || EVP_PKEY_keygen_init(context.get()) != 1) return false;
    } else {
      context = context_of(kind == "rsa" ? "RSA" : kind == "rsa-pss" ? "RSA-PSS" : kind.c_str());
      if (!context || EVP_PKEY_keygen_init(context.get()) != 1) return false;
      if (kind.starts_with("rsa") && !set_rsa(context.get())) return false;
      if (kind == "ec" &&
          (EVP_PKEY_CTX_set_group_name(context.get(), name.c_str()) != 1 ||
           EVP_PKEY_CTX_set_ec_param_enc(
               context.get(), other_name == "explicit" ? OPENSSL_EC_EXPLICIT_CURVE : OPENSSL_EC_NAMED_CURVE) != 1))
        return false;
      if (kind == "dh" && EVP_PKEY_CTX_set_group_name(context.get(), name.c_str()) != 1) return false;
    }
    EVP_PKEY* key = nullptr;
    if (EVP_PKEY_keygen(context.get(), &key) != 1) return false;
    made.pkey.reset(key);
    return true;
  }

  // [public key, private key]
  Value answer(JSC::JSGlobalObject* realm) {
    if (made.pkey) EVP_PKEY_up_ref(made.pkey.get());
    Asymmetric other(PkeyPtr(made.pkey.get()));
    other.pq = made.pq;
    JSC::MarkedArgumentBuffer both;
    both.append(key_value(realm, make_key(KeyKind::Public, std::move(other))));
    both.append(key_value(realm, make_key(KeyKind::Private, std::move(made))));
    return make_array(realm, both);
  }
};

// pair(kind, first, second, name, other name, salt, prime, callback) → [public, private]
Value pair(Call& call) {
  static constexpr runtime::Source kSource{"crypto.generateKeyPair", "KEYPAIRGENREQUEST"};
  auto work = std::make_unique<Pair>();
  work->kind = call.string(0);
  work->first = call.int32(1);
  work->second = call.int32(2);
  work->name = call.string(3);
  work->other_name = call.string(4);
  work->salt = call.int32(5, -1);
  if (call.has(6)) work->prime = copy_of(call, 6);
  return perform(call, 7, kSource, std::move(work));
}

struct NewSecret {
  Bytes bytes;
  bool run() { return bytes.empty() || RAND_priv_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1; }
  Value answer(JSC::JSGlobalObject* realm) { return key_value(realm, make_secret(std::move(bytes))); }
};

// secret(bytes, callback) → key
Value secret(Call& call) {
  static constexpr runtime::Source kSource{"crypto.generateKey", "KEYGENREQUEST"};
  auto work = std::make_unique<NewSecret>();
  work->bytes.resize(call.uint32(0));
  return perform(call, 1, kSource, std::move(work));
}

// isCurve(name)
Value is_curve(Call& call) {
  OpensslScope scope;
  return call.value(group_named(call.string(0)) != nullptr);
}

// curves() → the names OpenSSL has for its curves
Value curves(Call& call) {
  openssl_ready();
  std::vector<EC_builtin_curve> found(EC_get_builtin_curves(nullptr, 0));
  EC_get_builtin_curves(found.data(), found.size());
  std::vector<std::string> names;
  for (const auto& curve : found) names.emplace_back(OBJ_nid2sn(curve.nid));
  return call.value(make_array(call.realm(), names));
}

constexpr FunctionSpec kFunctions[] = {{"pair", native<pair>, 8},
                                       {"secret", native<secret>, 2},
                                       {"isCurve", native<is_curve>, 1},
                                       {"curves", native<curves>, 0}};

}  // namespace

void init_crypto_keygen(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
