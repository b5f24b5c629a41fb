// native('crypto_hash'): digests and HMAC. A running one is a native object.
#include "modules/crypto/keccak.h"
#include "modules/crypto/work.h"
#include "runtime/native_class.h"

#include "text/base64.h"

#include <set>

namespace rondo::modules {

using namespace crypto;
using runtime::method;

namespace crypto {

const EVP_MD* digest_named(Call& call, const std::string& name) {
  auto& kept = runtime::Runtime::from(call.realm()).local<Fetched>().digests;
  if (auto found = kept.find(name); found != kept.end()) return found->second.get();
  openssl_ready();
  DigestPtr digest(EVP_MD_fetch(nullptr, name.c_str(), nullptr));
  if (!digest) {
    // Names that only the older table has: RSA-SHA256, and of old SHA-1 was DSS1.
    const bool is_dss1 = name == "dss1" || name == "DSS1";
    const EVP_MD* known = EVP_get_digestbyname(is_dss1 ? "sha1" : name.c_str());
    if (known) digest.reset(EVP_MD_fetch(nullptr, EVP_MD_get0_name(known), nullptr));
  }
  // A name that is none is asked for again: programs may ask for any number of them.
  return digest ? kept.emplace(name, std::move(digest)).first->second.get() : nullptr;
}

}  // namespace crypto

namespace {

// One of the two is there, until it is finished.
struct Digest {
  DigestContextPtr plain;
  MacContextPtr keyed;
  size_t length = 0;

  explicit operator bool() const { return plain || keyed; }
  bool is_xof() const { return plain && (EVP_MD_flags(EVP_MD_CTX_get0_md(plain.get())) & EVP_MD_FLAG_XOF); }
  void update(std::span<const uint8_t> bytes) const {
    if (plain)
      EVP_DigestUpdate(plain.get(), bytes.data(), bytes.size());
    else
      EVP_MAC_update(keyed.get(), bytes.data(), bytes.size());
  }
  void finish(std::span<uint8_t> out) const {
    size_t size = out.size();
    if (keyed)
      EVP_MAC_final(keyed.get(), out.data(), &size, out.size());
    else if (out.empty())
      return;
    else if (is_xof())
      EVP_DigestFinalXOF(plain.get(), out.data(), out.size());
    else
      EVP_DigestFinal_ex(plain.get(), out.data(), nullptr);
  }
};

Value publish(Call& call, Digest made);

constexpr int kUnknownDigest = 0;
constexpr int kBadLength = -1;

// The length that the caller wants, when the digest can have it.
bool choose_length(Call& call, unsigned index, const EVP_MD* kind, size_t& length) {
  if (!call.has(index) || call.number(index) == static_cast<double>(length)) return true;
  if (!(EVP_MD_flags(kind) & EVP_MD_FLAG_XOF)) return false;
  length = static_cast<size_t>(call.int64(index));
  return true;
}

// newDigest(name, outputLength or undefined) → digest, 0 when there is no such digest, -1 when it has no such length
Value new_digest(Call& call) {
  const EVP_MD* kind = digest_named(call, call.string(0));
  if (!kind) return call.value(kUnknownDigest);
  Digest made;
  made.length = static_cast<size_t>(EVP_MD_get_size(kind));
  if (!choose_length(call, 1, kind, made.length)) return call.value(kBadLength);
  made.plain.reset(EVP_MD_CTX_new());
  if (EVP_DigestInit_ex(made.plain.get(), kind, nullptr) != 1) return call.value(kUnknownDigest);
  return publish(call, std::move(made));
}

// newHmac(name, key) → digest, or 0
Value new_hmac(Call& call) {
  auto name = call.string(0);
  const EVP_MD* kind = digest_named(call, name);
  MacPtr mac(EVP_MAC_fetch(nullptr, "HMAC", nullptr));
  if (!kind || !mac) return call.value(kUnknownDigest);
  Digest made;
  made.keyed.reset(EVP_MAC_CTX_new(mac.get()));
  made.length = static_cast<size_t>(EVP_MD_get_size(kind));
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, const_cast<char*>(EVP_MD_get0_name(kind)), 0),
      OSSL_PARAM_construct_end()};
  Input key(call, 1);
  if (EVP_MAC_init(made.keyed.get(), key.data(), key.size(), parameters) != 1) return call.value(kUnknownDigest);
  return publish(call, std::move(made));
}

// update(string or bytes): false when the digest is finished.
Value update(Call& call, Digest& digest) {
  if (!digest) return call.value(false);
  digest.update(Input(call, 0).bytes());
  return call.value(true);
}

// copy(outputLength or undefined) → digest
Value copy(Call& call, Digest& digest) {
  if (!digest.plain) return call.value(kUnknownDigest);
  Digest made;
  made.plain.reset(EVP_MD_CTX_new());
  made.length = static_cast<size_t>(EVP_MD_get_size(EVP_MD_CTX_get0_md(digest.plain.get())));
  EVP_MD_CTX_copy_ex(made.plain.get(), digest.plain.get());
  if (!choose_length(call, 0, EVP_MD_CTX_get0_md(made.plain.get()), made.length)) return call.value(kBadLength);
  return publish(call, std::move(made));
}

Value hex_text(Call& call, std::span<const uint8_t> bytes) {
  LChar* characters = nullptr;
  auto text = WTF::String::createUninitialized(static_cast<unsigned>(bytes.size() * 2), characters);
  hex::encode(bytes, characters);
  return JSC::jsString(call.vm(), std::move(text));
}

// The bytes that `fill(span)` writes, as a Buffer, or as hexadecimal digits, which are asked for most.
template <class Fill>
Value filled(Call& call, size_t size, bool as_hex, Fill fill) {
  uint8_t few[64];
  if (as_hex && size <= sizeof(few)) {
    fill(std::span(few, size));
    return hex_text(call, {few, size});
  }
  auto* out = make_buffer_uninitialized(call.realm(), size);
  if (!out) return {};
  std::span<uint8_t> bytes(out->typedVector(), size);
  fill(bytes);
  return as_hex ? hex_text(call, bytes) : call.value(out);
}

// finish(as hex) → Buffer or string
Value finish(Call& call, Digest& digest) {
  if (!digest) return call.undefined();
  auto last = std::move(digest);
  digest = Digest();
  return filled(call, last.length, call.boolean(0), [&](std::span<uint8_t> out) { last.finish(out); });
}

constexpr FunctionSpec kMethods[] = {
    {"update", method<Digest, update>, 1}, {"copy", method<Digest, copy>, 1}, {"finish", method<Digest, finish>, 1}};

Value publish(Call& call, Digest made) {
  return runtime::make_instance(runtime::Runtime::from(call.realm()), std::move(made), kMethods);
}

// digest(name, string or bytes, outputLength or undefined, as hex) → Buffer or string, or what newDigest says
Value digest(Call& call) {
  const EVP_MD* kind = digest_named(call, call.string(0));
  if (!kind) return call.value(kUnknownDigest);
  auto length = static_cast<size_t>(EVP_MD_get_size(kind));
  if (!choose_length(call, 2, kind, length)) return call.value(kBadLength);
  Input input(call, 1);
  return filled(call, length, call.boolean(3), [&](std::span<uint8_t> out) {
    if (out.empty()) return;
    if (!(EVP_MD_flags(kind) & EVP_MD_FLAG_XOF)) {
      EVP_Digest(input.data(), input.size(), out.data(), nullptr, kind, nullptr);
      return;
    }
    DigestContextPtr context(EVP_MD_CTX_new());
    EVP_DigestInit_ex(context.get(), kind, nullptr);
    EVP_DigestUpdate(context.get(), input.data(), input.size());
    EVP_DigestFinalXOF(context.get(), out.data(), out.size());
  });
}

struct DigestWork {
  const EVP_MD* kind;
  Bytes input, output;
  bool run() {
    DigestContextPtr context(EVP_MD_CTX_new());
    if (EVP_DigestInit_ex(context.get(), kind, nullptr) != 1) return false;
    EVP_DigestUpdate(context.get(), input.data(), input.size());
    if (EVP_MD_flags(kind) & EVP_MD_FLAG_XOF)
      return output.empty() || EVP_DigestFinalXOF(context.get(), output.data(), output.size()) == 1;
    return EVP_DigestFinal_ex(context.get(), output.data(), nullptr) == 1;
  }
  Value answer(JSC::JSGlobalObject* realm) { return buffer_value(realm, output); }
};

// digestLater(name, bytes, outputLength or undefined, callback(error, Buffer))
Value digest_later(Call& call) {
  static constexpr runtime::Source kSource{"crypto.subtle.digest", "HASHREQUEST"};
  auto work = std::make_unique<DigestWork>();
  work->kind = digest_named(call, call.string(0));
  if (!work->kind) return call.value(kUnknownDigest);
  auto length = static_cast<size_t>(EVP_MD_get_size(work->kind));
  if (!choose_length(call, 2, work->kind, length)) return call.value(kBadLength);
  work->input = copy_of(call, 1);
  work->output.resize(length);
  return perform(call, 3, kSource, std::move(work));
}

struct MacWork {
  std::string mac, digest, custom;
  Bytes key, input, output;
  bool run() {
    MacPtr kind(EVP_MAC_fetch(nullptr, mac.c_str(), nullptr));
    MacContextPtr context(kind ? EVP_MAC_CTX_new(kind.get()) : nullptr);
    size_t size = output.size();
    OSSL_PARAM parameters[3];
    auto* next = parameters;
    if (!digest.empty()) *next++ = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0);
    if (digest.empty())
      *next++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, custom.data(), custom.size());
    if (digest.empty()) *next++ = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size);
    *next = OSSL_PARAM_construct_end();
    return context && EVP_MAC_init(context.get(), data_of(key), key.size(), parameters) == 1 &&
           EVP_MAC_update(context.get(), input.data(), input.size()) == 1 &&
           EVP_MAC_final(context.get(), output.data(), &size, output.size()) == 1;
  }
  Value answer(JSC::JSGlobalObject* realm) { return buffer_value(realm, output); }
};

// hmacLater(digest, key, bytes, callback(error, Buffer))
Value hmac_later(Call& call) {
  static constexpr runtime::Source kSource{"crypto.subtle.sign", "SIGNREQUEST"};
  auto work = std::make_unique<MacWork>();
  work->mac = "HMAC";
  work->digest = call.string(0);
  const EVP_MD* kind = digest_named(call, work->digest);
  if (!kind) return call.value(kUnknownDigest);
  work->output.resize(static_cast<size_t>(EVP_MD_get_size(kind)));
  work->key = copy_of(call, 1);
  work->input = copy_of(call, 2);
  return perform(call, 3, kSource, std::move(work));
}

// kmacLater("KMAC-128" or "KMAC-256", key, bytes, customization, output bytes, callback(error, Buffer))
Value kmac_later(Call& call) {
  static constexpr runtime::Source kSource{"crypto.subtle.sign", "SIGNREQUEST"};
  auto work = std::make_unique<MacWork>();
  work->mac = call.string(0);
  work->key = copy_of(call, 1);
  work->input = copy_of(call, 2);
  auto custom = copy_of(call, 3);
  work->custom.assign(custom.begin(), custom.end());
  work->output.resize(static_cast<size_t>(call.int64(4)));
  return perform(call, 5, kSource, std::move(work));
}

struct Sponge {
  std::string kind;
  int strength = 128;
  uint8_t domain = 0;
  Bytes name, customization, input, output;
  bool run() {
    if (kind == "cSHAKE")
      cshake(strength, name, customization, input, output);
    else if (kind == "TurboSHAKE")
      turboshake(strength, domain, input, output);
    else
      kangaroo_twelve(strength, customization, input, output);
    return true;
  }
  Value answer(JSC::JSGlobalObject* realm) { return buffer_value(realm, output); }
};

// keccakLater("cSHAKE" | "TurboSHAKE" | "KT", strength, domain, function name, customization, bytes, size, callback(error, Buffer))
Value keccak_later(Call& call) {
  static constexpr runtime::Source kSource{"crypto.subtle.digest", "HASHREQUEST"};
  auto work = std::make_unique<Sponge>();
  work->kind = call.string(0);
  work->strength = call.int32(1) == 256 ? 256 : 128;
  work->domain = static_cast<uint8_t>(call.int32(2));
  work->name = copy_of(call, 3);
  work->customization = copy_of(call, 4);
  work->input = copy_of(call, 5);
  work->output.resize(call.uint32(6));
  return perform(call, 7, kSource, std::move(work));
}

// names() → every name by which a digest is known
Value names(Call& call) {
  openssl_ready();
  std::set<std::string> found;
  EVP_MD_do_all_sorted(
      [](const EVP_MD* digest, const char* from, const char*, void* into) {
        const char* name = from ? from : EVP_MD_get0_name(digest);
        const EVP_MD* known = EVP_get_digestbyname(name);
        DigestPtr usable(EVP_MD_fetch(nullptr, known ? EVP_MD_get0_name(known) : name, nullptr));
        if (usable) static_cast<std::set<std::string>*>(into)->insert(name);
      },
      &found);
  std::vector<std::string> list(found.begin(), found.end());
  return call.value(make_array(call.realm(), list));
}

constexpr FunctionSpec kFunctions[] = {{"newDigest", native<new_digest>, 2},
                                       {"newHmac", native<new_hmac>, 2},
                                       {"digest", native<digest>, 4},
                                       {"names", native<names>, 0},
                                       {"digestLater", native<digest_later>, 4},
                                       {"hmacLater", native<hmac_later>, 4},
                                       {"kmacLater", native<kmac_later>, 6},
                                       {"keccakLater", native<keccak_later>, 8}};

}  // namespace

void init_crypto_hash(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
