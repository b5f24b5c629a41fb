// native('crypto_kdf'): keys out of passwords and secrets, and primes. Each runs at once, or on the pool when its last argument is a
// function.
#include "modules/crypto/key_parse.h"
#include "modules/crypto/pbkdf2.h"
#include "modules/crypto/work.h"

#include <argon2.h>
#include <openssl/kdf.h>
#include <openssl/proverr.h>

#include <algorithm>

namespace rondo::modules {

using namespace crypto;

namespace {

struct Derived {
  Bytes output;
  Value answer(JSC::JSGlobalObject* realm) const { return buffer_value(realm, output); }
};

struct Pbkdf2 : Derived {
  const EVP_MD* digest;
  Bytes password, salt;
  int iterations;
  bool run() {
    const std::span key(data_of(password), password.size()), grains(data_of(salt), salt.size());
    return output.empty() || derive_pbkdf2(digest, key, grains, iterations, output);
  }
};

// pbkdf2(password, salt, iterations, size, digest, callback) → Buffer; null when there is no such digest
Value pbkdf2(Call& call) {
  static constexpr runtime::Source kSource{"crypto.pbkdf2", "PBKDF2REQUEST"};
  auto work = std::make_unique<Pbkdf2>();
  work->digest = digest_named(call, call.string(4));
  if (!work->digest) return JSC::jsNull();
  work->password = copy_of(call, 0);
  work->salt = copy_of(call, 1);
  work->iterations = call.int32(2);
  work->output.resize(call.uint32(3));
  return perform(call, 5, kSource, std::move(work));
}

struct Scrypt : Derived {
  Bytes password, salt;
  uint64_t n, r, p, memory;
  bool run() {
    return output.empty() ||
           EVP_PBE_scrypt(reinterpret_cast<const char*>(data_of(password)), password.size(), data_of(salt), salt.size(),
                          n, r, p, memory, output.data(), output.size()) == 1;
  }
};

// scrypt(password, salt, N, r, p, memory, size, callback) → Buffer; null when OpenSSL refuses the cost
Value scrypt(Call& call) {
  static constexpr runtime::Source kSource{"crypto.scrypt", "SCRYPTREQUEST"};
  auto work = std::make_unique<Scrypt>();
  work->n = static_cast<uint64_t>(call.int64(2));
  work->r = static_cast<uint64_t>(call.int64(3));
  work->p = static_cast<uint64_t>(call.int64(4));
  work->memory = static_cast<uint64_t>(call.int64(5));
  OpensslScope scope;
  if (EVP_PBE_scrypt(nullptr, 0, nullptr, 0, work->n, work->r, work->p, work->memory, nullptr, 0) != 1) {
    auto errors = OpensslErrors::take();
    std::string reason = errors.is(ERR_LIB_EVP, EVP_R_MEMORY_LIMIT_EXCEEDED) ? ": memory limit exceeded" : "";
    return raise_with_code(call.realm(), JSC::ErrorType::RangeError, "ERR_CRYPTO_INVALID_SCRYPT_PARAMS"_s,
                           to_wtf("Invalid scrypt params" + reason));
  }
  work->password = copy_of(call, 0);
  work->salt = copy_of(call, 1);
  work->output.resize(call.uint32(6));
  return perform(call, 7, kSource, std::move(work));
}

struct Hkdf : Derived {
  std::string digest;
  Bytes key, salt, info;
  bool run() {
    if (output.empty()) return true;
    KdfPtr kind(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
    KdfContextPtr context(kind ? EVP_KDF_CTX_new(kind.get()) : nullptr);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest.data(), 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, const_cast<uint8_t*>(data_of(key)), key.size()),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, const_cast<uint8_t*>(data_of(info)), info.size()),
        // Without a salt there are as many zeros as the digest is long.
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, const_cast<uint8_t*>(data_of(salt)), salt.size()),
        OSSL_PARAM_construct_end()};
    return context && EVP_KDF_derive(context.get(), output.data(), output.size(), parameters) == 1;
  }
};

// hkdf(digest, key, salt, info, size, callback) → Buffer; null when there is no such digest, false when it cannot give so much
Value hkdf(Call& call) {
  static constexpr runtime::Source kSource{"crypto.hkdf", "DERIVEBITSREQUEST"};
  auto work = std::make_unique<Hkdf>();
  work->digest = call.string(0);
  const EVP_MD* digest = digest_named(call, work->digest);
  if (!digest) return JSC::jsNull();
  const uint32_t size = call.uint32(4);
  constexpr uint32_t kMostBlocks = 255;
  if (size > kMostBlocks * static_cast<uint32_t>(EVP_MD_get_size(digest))) return call.value(false);
  work->key = copy_of(call, 1);
  work->salt = copy_of(call, 2);
  work->info = copy_of(call, 3);
  if (work->salt.empty()) work->salt.assign(static_cast<size_t>(EVP_MD_get_size(digest)), 0);
  work->output.resize(size);
  return perform(call, 5, kSource, std::move(work));
}

struct Argon2 : Derived {
  argon2_type type;
  Bytes message, nonce, secret, associated;
  uint32_t lanes, memory, passes;
  bool run() {
    argon2_context context{};
    context.out = output.data();
    context.outlen = static_cast<uint32_t>(output.size());
    context.pwd = message.data();
    context.pwdlen = static_cast<uint32_t>(message.size());
    context.salt = nonce.data();
    context.saltlen = static_cast<uint32_t>(nonce.size());
    context.secret = secret.data();
    context.secretlen = static_cast<uint32_t>(secret.size());
    context.ad = associated.data();
    context.adlen = static_cast<uint32_t>(associated.size());
    context.t_cost = passes;
    context.m_cost = memory;
    context.lanes = lanes;
    // The result depends on the lanes alone. One after the other they stay on the thread that the pool gave.
    context.threads = 1;
    context.version = ARGON2_VERSION_13;
    const int found = argon2_ctx(&context, type);
    if (found == ARGON2_OK) return true;
    // Everything else was checked before.
    if (found == ARGON2_MEMORY_ALLOCATION_ERROR) ERR_raise(ERR_LIB_CRYPTO, ERR_R_MALLOC_FAILURE);
    ERR_raise(ERR_LIB_PROV, PROV_R_INVALID_DATA);
    return false;
  }
};

// argon2(type, message, nonce, lanes, size, memory in KiB, passes, secret, associated data, callback) → Buffer
Value argon2(Call& call) {
  static constexpr runtime::Source kSource{"crypto.argon2", "ARGON2REQUEST"};
  auto work = std::make_unique<Argon2>();
  work->type = static_cast<argon2_type>(std::clamp(call.int32(0), 0, 2));
  work->message = copy_of(call, 1);
  work->nonce = copy_of(call, 2);
  work->lanes = call.uint32(3);
  work->memory = call.uint32(5);
  work->passes = call.uint32(6);
  if (call.has(7)) work->secret = copy_of(call, 7);
  if (call.has(8)) work->associated = copy_of(call, 8);
  work->output.resize(call.uint32(4));
  return perform(call, 9, kSource, std::move(work));
}

struct NewPrime : Derived {
  int bits = 0;
  bool is_safe = false;
  BignumPtr add, rem;
  bool run() {
    BignumPtr prime(BN_secure_new());
    BnContextPtr context(BN_CTX_new());
    // As many as OpenSSL recommends for an untrusted number of this size.
    if (BN_generate_prime_ex2(prime.get(), bits, is_safe ? 1 : 0, add.get(), rem.get(), nullptr, context.get()) != 1)
      return false;
    output.resize((static_cast<size_t>(bits) + 7) / 8);
    return BN_bn2binpad(prime.get(), output.data(), static_cast<int>(output.size())) >= 0;
  }
};

// generatePrime(bits, safe, add, rem, callback) → Buffer, most significant byte first
Value generate_prime(Call& call) {
  OpensslScope scope;
  static constexpr runtime::Source kSource{"crypto.generatePrime", "RANDOMPRIMEREQUEST"};
  auto work = std::make_unique<NewPrime>();
  work->bits = call.int32(0);
  work->is_safe = call.boolean(1);
  auto out_of_range = [&](const char* words) {
    return raise_with_code(call.realm(), JSC::ErrorType::RangeError, "ERR_OUT_OF_RANGE"_s, to_wtf(words));
  };
  if (call.has(2)) work->add = bignum_of(call.bytes(2));
  if (call.has(3)) work->rem = bignum_of(call.bytes(3));
  if ((call.has(2) && !work->add) || (call.has(3) && !work->rem)) return raise_openssl(call);
  if (work->add) {
    if (BN_num_bits(work->add.get()) > work->bits) return out_of_range("invalid options.add");
    if (work->rem && BN_cmp(work->add.get(), work->rem.get()) != 1) return out_of_range("invalid options.rem");
  }
  return perform(call, 4, kSource, std::move(work));
}

struct PrimeCheck {
  BignumPtr candidate;
  int checks = 0;
  bool is_prime = false;
  bool run() {
    BnContextPtr context(BN_CTX_new());
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    // BN_check_prime, its successor, leaves the number of rounds to OpenSSL.
    const int found = BN_is_prime_ex(candidate.get(), checks, context.get(), nullptr);
#pragma clang diagnostic pop
    is_prime = found == 1;
    return found >= 0;
  }
  Value answer(JSC::JSGlobalObject*) const { return JSC::jsBoolean(is_prime); }
};

// checkPrime(candidate, checks, callback) → boolean
Value check_prime(Call& call) {
  OpensslScope scope;
  static constexpr runtime::Source kSource{"crypto.checkPrime", "CHECKPRIMEREQUEST"};
  auto work = std::make_unique<PrimeCheck>();
  work->candidate = bignum_of(call.bytes(0));
  if (!work->candidate) return raise_openssl(call);
  work->checks = call.int32(1);
  return perform(call, 2, kSource, std::move(work));
}

constexpr FunctionSpec kFunctions[] = {{"pbkdf2", native<pbkdf2>, 6},
                                       {"scrypt", native<scrypt>, 8},
                                       {"hkdf", native<hkdf>, 6},
                                       {"argon2", native<argon2>, 10},
                                       {"generatePrime", native<generate_prime>, 5},
                                       {"checkPrime", native<check_prime>, 3}};

}  // namespace

void init_crypto_kdf(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
