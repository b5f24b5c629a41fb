// native('crypto'): random bytes from the kernel, digests and HMAC from OpenSSL, for lib/node/crypto.js. A running digest is a
// native object.
#include "engine/core/buffer_class.h"
#include "engine/core/native_object.h"
#include "runtime/continuation.h"

#include "rondo/system.h"
#include "rondo/thread_pool.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <cerrno>
#include <memory>
#include <set>
#include <vector>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

std::span<uint8_t> part_of(std::span<uint8_t> bytes, double offset, double size) {
  size_t from = std::min(bytes.size(), static_cast<size_t>(offset));
  return bytes.subspan(from, std::min(bytes.size() - from, static_cast<size_t>(size)));
}

// fill(view, offset, size)
Value fill(Call& call) {
  fill_random(std::as_writable_bytes(part_of(call.bytes(0), call.number(1), call.number(2))));
  return call.undefined();
}

constexpr runtime::Source kRandom{"crypto.randomFill", "RANDOMBYTESREQUEST"};

// fillLater(view, offset, size, callback()): on the pool, into memory of its own, for the view may shrink meanwhile.
Value fill_later(Call& call) {
  auto& runtime = Runtime::from(call.realm());
  const double offset = call.number(1), size = call.number(2);
  auto made = std::make_unique<std::vector<uint8_t>>(part_of(call.bytes(0), offset, size).size());
  auto* target = made.get();
  Value view = call.at(0);
  auto then = runtime::Continuation(runtime, call.function(3), kRandom).keeping(view.asCell());
  run_on_pool(
      runtime.loop(), JobClass::Crypto, [target] { fill_random(std::as_writable_bytes(std::span(*target))); },
      [view, offset, size, made = std::move(made), then = std::move(then)]() mutable {
        if (then.is_dead()) return;
        auto out = part_of(bytes_of(view), offset, size);
        std::copy_n(made->begin(), std::min(out.size(), made->size()), out.begin());
        then(JSC::ArgList());
      });
  return call.undefined();
}

struct FreeDigest {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
  void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
  void operator()(EVP_MAC* mac) const { EVP_MAC_free(mac); }
};

// One of the two is there, until it is finished.
struct Digest {
  std::unique_ptr<EVP_MD_CTX, FreeDigest> plain;
  std::unique_ptr<EVP_MAC_CTX, FreeDigest> keyed;
  size_t length = 0;

  explicit operator bool() const { return plain || keyed; }
  void update(std::span<const uint8_t> bytes) const {
    if (plain)
      EVP_DigestUpdate(plain.get(), bytes.data(), bytes.size());
    else
      EVP_MAC_update(keyed.get(), bytes.data(), bytes.size());
  }
  std::vector<uint8_t> finish() const {
    std::vector<uint8_t> out(length);
    size_t size = length;
    if (keyed)
      EVP_MAC_final(keyed.get(), out.data(), &size, out.size());
    else if (EVP_MD_flags(EVP_MD_CTX_get0_md(plain.get())) & EVP_MD_FLAG_XOF)
      EVP_DigestFinalXOF(plain.get(), out.data(), out.size());
    else
      EVP_DigestFinal_ex(plain.get(), out.data(), nullptr);
    return out;
  }
};

constexpr int kUnknownDigest = 0;
constexpr int kBadLength = -1;

// newDigest(name, outputLength or undefined) → digest, 0 when there is no such digest, -1 when it has no such length
Value new_digest(Call& call) {
  std::unique_ptr<EVP_MD, FreeDigest> kind(EVP_MD_fetch(nullptr, call.string(0).c_str(), nullptr));
  if (!kind) return call.value(kUnknownDigest);
  Digest made;
  made.plain.reset(EVP_MD_CTX_new());
  made.length = static_cast<size_t>(EVP_MD_get_size(kind.get()));
  if (call.has(1) && call.number(1) != static_cast<double>(made.length)) {
    if (!(EVP_MD_flags(kind.get()) & EVP_MD_FLAG_XOF)) return call.value(kBadLength);
    made.length = static_cast<size_t>(call.number(1));
  }
  if (EVP_DigestInit_ex2(made.plain.get(), kind.get(), nullptr) != 1) return call.value(kUnknownDigest);
  return make_held(call.realm(), std::move(made));
}

// newHmac(name, key) → digest, or 0
Value new_hmac(Call& call) {
  auto name = call.string(0);
  std::unique_ptr<EVP_MD, FreeDigest> kind(EVP_MD_fetch(nullptr, name.c_str(), nullptr));
  std::unique_ptr<EVP_MAC, FreeDigest> mac(EVP_MAC_fetch(nullptr, "HMAC", nullptr));
  if (!kind || !mac) return call.value(kUnknownDigest);
  Digest made;
  made.keyed.reset(EVP_MAC_CTX_new(mac.get()));
  made.length = static_cast<size_t>(EVP_MD_get_size(kind.get()));
  OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.data(), 0),
                             OSSL_PARAM_construct_end()};
  auto key = call.bytes(1);
  static constexpr uint8_t kEmpty[1] = {};
  auto* start = key.empty() ? kEmpty : key.data();
  if (EVP_MAC_init(made.keyed.get(), start, key.size(), parameters) != 1) return call.value(kUnknownDigest);
  return make_held(call.realm(), std::move(made));
}

// update(digest, view): false when the digest is finished.
Value update(Call& call) {
  auto* digest = held_in<Digest>(call.at(0));
  if (!digest || !*digest) return call.value(false);
  digest->update(call.bytes(1));
  return call.value(true);
}

// copy(digest, outputLength or undefined) → digest
Value copy(Call& call) {
  auto* digest = held_in<Digest>(call.at(0));
  if (!digest || !digest->plain) return call.value(kUnknownDigest);
  Digest made;
  made.plain.reset(EVP_MD_CTX_new());
  made.length = digest->length;
  EVP_MD_CTX_copy_ex(made.plain.get(), digest->plain.get());
  if (call.has(1) && call.number(1) != static_cast<double>(made.length)) {
    if (!(EVP_MD_flags(EVP_MD_CTX_get0_md(made.plain.get())) & EVP_MD_FLAG_XOF)) return call.value(kBadLength);
    made.length = static_cast<size_t>(call.number(1));
  }
  return make_held(call.realm(), std::move(made));
}

// finish(digest) → Buffer
Value finish(Call& call) {
  auto* realm = call.realm();
  auto* digest = held_in<Digest>(call.at(0));
  if (!digest || !*digest) return call.undefined();
  auto bytes = digest->finish();
  *digest = Digest();
  return call.value(make_buffer(realm, bytes));
}

// names() → every name by which a digest is known
Value names(Call& call) {
  auto* realm = call.realm();
  std::set<std::string> found;
  EVP_MD_do_all_sorted(
      [](const EVP_MD* digest, const char* from, const char*, void* into) {
        const char* name = from ? from : EVP_MD_get0_name(digest);
        std::unique_ptr<EVP_MD, FreeDigest> usable(EVP_MD_fetch(nullptr, name, nullptr));
        if (usable) static_cast<std::set<std::string>*>(into)->insert(name);
      },
      &found);
  JSC::MarkedArgumentBuffer list;
  for (const auto& name : found) list.append(make_string(call.vm(), name));
  return call.value(make_array(realm, list));
}

// equal(a, b): in a time that does not tell where they differ. Both have one size.
Value equal(Call& call) {
  auto a = call.bytes(0), b = call.bytes(1);
  return call.value(a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0);
}

constexpr FunctionSpec kFunctions[] = {
    {"fill", native<fill>, 3},        {"fillLater", native<fill_later>, 4}, {"newDigest", native<new_digest>, 2},
    {"newHmac", native<new_hmac>, 2}, {"update", native<update>, 2},        {"copy", native<copy>, 2},
    {"finish", native<finish>, 1},    {"names", native<names>, 0},          {"equal", native<equal>, 2}};

}  // namespace

void init_crypto(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
