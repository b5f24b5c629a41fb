// native('crypto_sign'): signatures, of data that comes in pieces and of data that is there as a whole; and encryption with
// asymmetric keys.
#include "modules/crypto/ed25519.h"
#include "modules/crypto/key_encode.h"
#include "modules/crypto/work.h"
#include "runtime/native_class.h"

#include <openssl/proverr.h>

#include <climits>

namespace rondo::modules {

using namespace crypto;
using runtime::method;

namespace {

constexpr int kNoSalt = INT_MIN;

// How one signature is made, from four arguments: padding, salt length (each undefined for the key's default), P1363 encoding.
struct Manner {
  int padding = 0;
  int salt = kNoSalt;
  bool is_p1363 = false;

  static Manner from(Call& call, unsigned index) {
    return {call.has(index) ? call.int32(index) : 0, call.has(index + 1) ? call.int32(index + 1) : kNoSalt,
            call.boolean(index + 2)};
  }
  bool apply(EVP_PKEY* key, EVP_PKEY_CTX* context) const {
    const int id = EVP_PKEY_get_base_id(key);
    if (id != EVP_PKEY_RSA && id != EVP_PKEY_RSA_PSS) return true;
    int chosen = padding;
    if (chosen == 0) chosen = id == EVP_PKEY_RSA_PSS ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING;
    if (EVP_PKEY_CTX_set_rsa_padding(context, chosen) <= 0) return false;
    return chosen != RSA_PKCS1_PSS_PADDING || salt == kNoSalt || EVP_PKEY_CTX_set_rsa_pss_saltlen(context, salt) > 0;
  }
};

// The size of each of the two numbers of a DSA or ECDSA signature; 0 for other kinds.
size_t number_size(EVP_PKEY* key) {
  const int id = EVP_PKEY_get_base_id(key);
  if (id == EVP_PKEY_EC) return (static_cast<size_t>(EVP_PKEY_get_bits(key)) + 7) / 8;
  if (id != EVP_PKEY_DSA) return 0;
  auto q = number_in(key, OSSL_PKEY_PARAM_FFC_Q);
  return q ? static_cast<size_t>(BN_num_bytes(q.get())) : 0;
}

using SignaturePtr = Owned<ECDSA_SIG, ECDSA_SIG_free>;  // a DSA signature has the same shape

Bytes to_p1363(const Bytes& der, size_t size) {
  const unsigned char* at = der.data();
  SignaturePtr parsed(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  if (!parsed) return der;
  Bytes out(2 * size);
  BN_bn2binpad(ECDSA_SIG_get0_r(parsed.get()), out.data(), static_cast<int>(size));
  BN_bn2binpad(ECDSA_SIG_get0_s(parsed.get()), out.data() + size, static_cast<int>(size));
  return out;
}

// Empty when it is none.
Bytes from_p1363(const Bytes& both, size_t size) {
  if (both.size() != 2 * size) return {};
  SignaturePtr made(ECDSA_SIG_new());
  auto* r = BN_bin2bn(both.data(), static_cast<int>(size), nullptr);
  auto* s = BN_bin2bn(both.data() + size, static_cast<int>(size), nullptr);
  ECDSA_SIG_set0(made.get(), r, s);
  unsigned char* der = nullptr;
  const int length = i2d_ECDSA_SIG(made.get(), &der);
  OpensslBytes owner(der);
  return length < 0 ? Bytes() : Bytes(der, der + length);
}

struct Running {
  DigestContextPtr context;
};

extern const std::span<const FunctionSpec> kMethods;

// start(digest) → running, or false when there is no such digest
Value start(Call& call) {
  OpensslScope scope;
  const EVP_MD* digest = digest_named(call, call.string(0));
  if (!digest) return call.value(false);
  Running made{DigestContextPtr(EVP_MD_CTX_new())};
  if (EVP_DigestInit_ex(made.context.get(), digest, nullptr) != 1) return raise_openssl(call);
  return runtime::make_instance(runtime::Runtime::from(call.realm()), std::move(made), kMethods);
}

// update(bytes or string): false when it is finished
Value update(Call& call, Running& running) {
  if (!running.context) return call.value(false);
  Input input(call, 0);
  return call.value(EVP_DigestUpdate(running.context.get(), input.data(), input.size()) == 1);
}

bool is_without_digest(EVP_PKEY* key) {
  const int id = EVP_PKEY_get_base_id(key);
  return id == EVP_PKEY_ED25519 || id == EVP_PKEY_ED448;
}

// The digest's bytes; the running one is over.
Bytes end_of(Running& running, const EVP_MD*& digest) {
  digest = EVP_MD_CTX_get0_md(running.context.get());
  Bytes bytes(EVP_MAX_MD_SIZE);
  unsigned size = 0;
  EVP_DigestFinal_ex(running.context.get(), bytes.data(), &size);
  bytes.resize(size);
  return bytes;
}

// The first arguments of sign and verify: key, padding, salt, p1363?. Raises when one of them is missing or does not fit.
struct Ending {
  Running& running;
  KeyRef key;
  Manner manner;

  Ending(Call& call, Running& running) : running(running), key(key_in(call.at(0))), manner(Manner::from(call, 1)) {
    if (!running.context || !key || !key->is_asymmetric()) {
      raise_with_code(call.realm(), JSC::ErrorType::Error, "ERR_CRYPTO_INVALID_STATE"_s, "Not initialised"_s);
    } else if (key->pq && key->pq->kind.kem) {
      ERR_raise(ERR_LIB_EVP, EVP_R_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE);
      raise_openssl(call);
    } else if (key->pq || is_without_digest(key->pkey.get())) {
      raise_with_code(call.realm(), JSC::ErrorType::Error, "ERR_CRYPTO_UNSUPPORTED_OPERATION"_s,
                      "Unsupported crypto operation"_s);
    }
  }
  // Ends the running digest; `init` is EVP_PKEY_sign_init or its sister. None when OpenSSL refuses the manner.
  PkeyContextPtr context(int (*init)(EVP_PKEY_CTX*), Bytes& hashed) {
    Running last{std::move(running.context)};
    const EVP_MD* digest = nullptr;
    hashed = end_of(last, digest);
    PkeyContextPtr made(EVP_PKEY_CTX_new_from_pkey(nullptr, key->pkey.get(), nullptr));
    const bool is_ready = made && init(made.get()) > 0 && manner.apply(key->pkey.get(), made.get()) &&
                          EVP_PKEY_CTX_set_signature_md(made.get(), digest) > 0;
    return is_ready ? std::move(made) : nullptr;
  }
  size_t number() const { return manner.is_p1363 ? number_size(key->pkey.get()) : 0; }
};

// sign(private key, padding, salt, p1363?) → Buffer
Value sign(Call& call, Running& running) {
  OpensslScope scope;
  Ending ending(call, running);
  if (call.failed()) return {};
  Bytes hashed;
  auto context = ending.context(EVP_PKEY_sign_init, hashed);
  size_t size = 0;
  if (!context || EVP_PKEY_sign(context.get(), nullptr, &size, hashed.data(), hashed.size()) <= 0)
    return raise_openssl(call, "Signing failed");
  Bytes out(size);
  if (EVP_PKEY_sign(context.get(), out.data(), &size, hashed.data(), hashed.size()) <= 0)
    return raise_openssl(call, "Signing failed");
  out.resize(size);
  const size_t number = ending.number();
  return make_buffer(call.realm(), number ? to_p1363(out, number) : out);
}

// verify(public key, padding, salt, p1363?, signature) → boolean
Value verify(Call& call, Running& running) {
  OpensslScope scope;
  Ending ending(call, running);
  if (call.failed()) return {};
  auto signature = copy_of(call, 4);
  if (call.failed()) return {};
  if (size_t number = ending.number()) signature = from_p1363(signature, number);
  Bytes hashed;
  auto context = ending.context(EVP_PKEY_verify_init, hashed);
  if (!context) return raise_openssl(call, "Verification failed");
  return call.value(
      EVP_PKEY_verify(context.get(), data_of(signature), signature.size(), hashed.data(), hashed.size()) == 1);
}

struct Once {
  bool is_signing = false;
  KeyRef key;
  Manner manner;
  const EVP_MD* digest = nullptr;
  Bytes data, signature, context;
  bool is_verified = false;

  bool run_pq() {
    if (!key->pq->kind.kem && digest) {
      ERR_raise(ERR_LIB_PROV, PROV_R_INVALID_DIGEST);
      return false;
    }
    return is_signing ? pq_sign(*key->pq, context, data, signature)
                      : pq_verify(*key->pq, context, data, signature, is_verified);
  }

  bool run() {
    if (key->pq) return run_pq();
    auto* pkey = key->pkey.get();
    if (is_signing && !digest && sign_ed25519(*key, {data_of(data), data.size()}, signature)) return true;
    DigestContextPtr context(EVP_MD_CTX_new());
    EVP_PKEY_CTX* inner = nullptr;
    auto init = is_signing ? EVP_DigestSignInit : EVP_DigestVerifyInit;
    if (init(context.get(), &inner, digest, nullptr, pkey) != 1 || !manner.apply(pkey, inner)) return false;
    const size_t number = manner.is_p1363 ? number_size(pkey) : 0;
    if (!is_signing) {
      if (number) signature = from_p1363(signature, number);
      is_verified =
          EVP_DigestVerify(context.get(), data_of(signature), signature.size(), data_of(data), data.size()) == 1;
      return true;
    }
    size_t size = 0;
    if (EVP_DigestSign(context.get(), nullptr, &size, data_of(data), data.size()) != 1) return false;
    signature.resize(size);
    if (EVP_DigestSign(context.get(), signature.data(), &size, data_of(data), data.size()) != 1) return false;
    signature.resize(size);
    if (number) signature = to_p1363(signature, number);
    return true;
  }
  Value answer(JSC::JSGlobalObject* realm) const {
    return is_signing ? buffer_value(realm, signature) : Value(JSC::jsBoolean(is_verified));
  }
};

// once(signing?, key, data, digest or undefined, padding, salt, p1363?, signature, callback, context) → Buffer or boolean;
// null without such a digest
Value once(Call& call) {
  static constexpr runtime::Source kSign{"crypto.sign", "SIGNREQUEST"};
  static constexpr runtime::Source kVerify{"crypto.verify", "VERIFYREQUEST"};
  auto work = std::make_unique<Once>();
  work->is_signing = call.boolean(0);
  work->key = key_in(call.at(1));
  if (!work->key || !work->key->is_asymmetric()) return call.undefined();
  if (call.has(3)) {
    work->digest = digest_named(call, call.string(3));
    if (!work->digest) return JSC::jsNull();
  }
  work->data = copy_of(call, 2);
  work->manner = Manner::from(call, 4);
  if (call.has(7)) work->signature = copy_of(call, 7);
  if (call.has(9)) work->context = copy_of(call, 9);
  if (work->context.size() > kMlDsaMostContext)
    return raise_with_code(call.realm(), JSC::ErrorType::RangeError, "ERR_OUT_OF_RANGE"_s,
                           "context string must be at most 255 bytes"_s);
  return perform(call, 8, call.boolean(0) ? kSign : kVerify, std::move(work));
}

enum class RsaUse : uint8_t { PublicEncrypt, PrivateDecrypt, PrivateEncrypt, PublicDecrypt };

struct Rsa {
  RsaUse use;
  KeyRef key;
  int padding = RSA_PKCS1_OAEP_PADDING;
  std::string digest;
  Bytes label, data, output;
  bool refuses_padding = false;

  bool prepare(EVP_PKEY_CTX* context) {
    static constexpr int (*kInit[])(EVP_PKEY_CTX*) = {EVP_PKEY_encrypt_init, EVP_PKEY_decrypt_init, EVP_PKEY_sign_init,
                                                      EVP_PKEY_verify_recover_init};
    if (kInit[static_cast<int>(use)](context) <= 0 || EVP_PKEY_CTX_set_rsa_padding(context, padding) <= 0) return false;
    // Without it the time of an answer tells who may decrypt what.
    if (use == RsaUse::PrivateDecrypt && padding == RSA_PKCS1_PADDING &&
        EVP_PKEY_CTX_ctrl_str(context, "rsa_pkcs1_implicit_rejection", "1") <= 0) {
      refuses_padding = true;
      return false;
    }
    if (!digest.empty() && EVP_PKEY_CTX_set_rsa_oaep_md_name(context, digest.c_str(), nullptr) <= 0) return false;
    if (label.empty()) return true;
    auto* owned = static_cast<uint8_t*>(OPENSSL_memdup(label.data(), label.size()));
    if (EVP_PKEY_CTX_set0_rsa_oaep_label(context, owned, static_cast<int>(label.size())) > 0) return true;
    OPENSSL_free(owned);
    return false;
  }
  bool run() {
    static constexpr int (*kDo[])(EVP_PKEY_CTX*, unsigned char*, size_t*, const unsigned char*, size_t) = {
        EVP_PKEY_encrypt, EVP_PKEY_decrypt, EVP_PKEY_sign, EVP_PKEY_verify_recover};
    if (key->pq) {
      ERR_raise(ERR_LIB_EVP, EVP_R_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE);
      return false;
    }
    PkeyContextPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, key->pkey.get(), nullptr));
    if (!context || !prepare(context.get())) return false;
    auto act = kDo[static_cast<int>(use)];
    size_t size = 0;
    if (act(context.get(), nullptr, &size, data_of(data), data.size()) <= 0) return false;
    output.resize(size);
    uint8_t none = 0;
    if (act(context.get(), size ? output.data() : &none, &size, data_of(data), data.size()) <= 0) return false;
    output.resize(size);
    return true;
  }
  Value answer(JSC::JSGlobalObject* realm) const { return buffer_value(realm, output); }
};

// rsa(use, key, data, padding, digest or undefined, label or undefined, callback) → Buffer; null when the padding is refused
Value rsa(Call& call) {
  static constexpr runtime::Source kSource{"crypto.subtle.encrypt", "CIPHERREQUEST"};
  auto work = std::make_unique<Rsa>();
  work->use = static_cast<RsaUse>(std::clamp(call.int32(0), 0, 3));
  work->key = key_in(call.at(1));
  if (!work->key || !work->key->is_asymmetric()) return call.undefined();
  work->data = copy_of(call, 2);
  work->padding = call.int32(3);
  work->digest = call.string(4);
  if (call.has(5)) work->label = copy_of(call, 5);
  if (call.failed()) return {};
  if (!call.function(6)) {
    OpensslScope scope;
    if (work->run()) return work->answer(call.realm());
    return work->refuses_padding ? Value(JSC::jsNull()) : raise_openssl(call);
  }
  return perform(call, 6, kSource, std::move(work));
}

// checkDigest(name): throws when there is none
Value check_digest(Call& call) {
  if (digest_named(call, call.string(0))) return call.undefined();
  OpensslScope scope;
  ERR_raise(ERR_LIB_EVP, EVP_R_INVALID_DIGEST);
  return raise_openssl(call);
}

constexpr FunctionSpec kRunningMethods[] = {
    {"update", method<Running, update>, 1}, {"sign", method<Running, sign>, 4}, {"verify", method<Running, verify>, 5}};
const std::span<const FunctionSpec> kMethods = kRunningMethods;

constexpr FunctionSpec kFunctions[] = {{"checkDigest", native<check_digest>, 1},
                                       {"start", native<start>, 1},
                                       {"once", native<once>, 10},
                                       {"rsa", native<rsa>, 7}};

}  // namespace

void init_crypto_sign(runtime::Runtime& runtime, JSC::JSObject* target) {
  static constexpr engine::NumberSpec kNumbers[] = {
      {"kPublicEncrypt", RsaUse::PublicEncrypt},   {"kPrivateDecrypt", RsaUse::PrivateDecrypt},
      {"kPrivateEncrypt", RsaUse::PrivateEncrypt}, {"kPublicDecrypt", RsaUse::PublicDecrypt},
      {"kPkcs1Padding", RSA_PKCS1_PADDING},        {"kOaepPadding", RSA_PKCS1_OAEP_PADDING},
      {"kPssPadding", RSA_PKCS1_PSS_PADDING},      {"kAutoSalt", RSA_PSS_SALTLEN_AUTO}};
  put_functions(runtime.realm(), target, kFunctions);
  put_numbers(runtime.realm(), target, kNumbers);
}

}  // namespace rondo::modules
