// native('crypto'): random bytes from the kernel, digests and HMAC from OpenSSL, for lib/node/crypto.js. A running digest is held by
// number, from newDigest or newHmac until finish or drop; lib/internal/crypto/hash.js drops those the program forgets.
#include "engine/core/buffer_class.h"
#include "runtime/runtime.h"
#include "runtime/turn.h"

#include "rondo/thread_pool.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <sys/random.h>

#include <cerrno>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

void fill_random(std::span<uint8_t> bytes) {
  while (!bytes.empty()) {
    ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    RELEASE_ASSERT(got > 0);
    bytes = bytes.subspan(static_cast<size_t>(got));
  }
}

std::span<uint8_t> part_of(std::span<uint8_t> bytes, double offset, double size) {
  size_t from = std::min(bytes.size(), static_cast<size_t>(offset));
  return bytes.subspan(from, std::min(bytes.size() - from, static_cast<size_t>(size)));
}

// fill(view, offset, size)
Encoded fill(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  fill_random(part_of(call.bytes(0), call.number(1), call.number(2)));
  return call.undefined();
}

// fillLater(view, offset, size, callback()): on the pool, into memory of its own, for the view may shrink meanwhile.
Encoded fill_later(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto& runtime = Runtime::from(realm);
  struct Request {
    JSC::Strong<JSC::Unknown> view;
    JSC::Strong<JSC::JSObject> callback;
    double offset, size;
    std::vector<uint8_t> made;
  };
  auto request = std::make_unique<Request>();
  request->view.set(call.vm(), call.at(0));
  if (auto* function = call.function(3)) request->callback.set(call.vm(), function);
  request->offset = call.number(1);
  request->size = call.number(2);
  request->made.resize(part_of(call.bytes(0), request->offset, request->size).size());
  auto* raw = request.get();
  run_on_pool(
      runtime.loop(), JobClass::Crypto, [raw] { fill_random(raw->made); },
      [&runtime, request = std::move(request)] {
        auto target = part_of(bytes_of(request->view.get()), request->offset, request->size);
        std::copy_n(request->made.begin(), std::min(target.size(), request->made.size()), target.begin());
        if (!request->callback) return;
        runtime::Turn turn(runtime);
        turn.call(request->callback.get(), JSC::jsUndefined(), {});
      });
  return call.undefined();
}

struct FreeDigest {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
  void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
  void operator()(EVP_MAC* mac) const { EVP_MAC_free(mac); }
};

// One of the two is there.
struct Digest {
  std::unique_ptr<EVP_MD_CTX, FreeDigest> plain;
  std::unique_ptr<EVP_MAC_CTX, FreeDigest> keyed;
  size_t length = 0;

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

struct Digests {
  std::unordered_map<int32_t, Digest> running;
  int32_t last = 0;
  int32_t add(Digest digest) {
    running.emplace(++last, std::move(digest));
    return last;
  }
};
Digests& digests() {
  static thread_local auto* all = new Digests;
  return *all;
}
Digest* find(int32_t id) {
  auto found = digests().running.find(id);
  return found == digests().running.end() ? nullptr : &found->second;
}

constexpr int kUnknownDigest = 0;
constexpr int kBadLength = -1;

// newDigest(name, outputLength or undefined) → id, 0 when there is no such digest, -1 when it has no such length
Encoded new_digest(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
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
  return call.value(digests().add(std::move(made)));
}

// newHmac(name, key) → id, or 0
Encoded new_hmac(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
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
  return call.value(digests().add(std::move(made)));
}

// update(id, view): false when the digest is gone.
Encoded update(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* digest = find(call.int32(0));
  if (digest) digest->update(call.bytes(1));
  return call.value(digest != nullptr);
}

// copy(id, outputLength or undefined) → id
Encoded copy(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* digest = find(call.int32(0));
  if (!digest || !digest->plain) return call.value(kUnknownDigest);
  Digest made;
  made.plain.reset(EVP_MD_CTX_new());
  made.length = digest->length;
  EVP_MD_CTX_copy_ex(made.plain.get(), digest->plain.get());
  if (call.has(1) && call.number(1) != static_cast<double>(made.length)) {
    if (!(EVP_MD_flags(EVP_MD_CTX_get0_md(made.plain.get())) & EVP_MD_FLAG_XOF)) return call.value(kBadLength);
    made.length = static_cast<size_t>(call.number(1));
  }
  return call.value(digests().add(std::move(made)));
}

// finish(id) → Buffer
Encoded finish(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* digest = find(call.int32(0));
  if (!digest) return call.undefined();
  auto bytes = digest->finish();
  digests().running.erase(call.int32(0));
  return call.value(make_buffer(realm, bytes));
}

Encoded drop(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  digests().running.erase(call.int32(0));
  return call.undefined();
}

// names() → every name by which a digest is known
Encoded names(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
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
  return call.value(JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), list));
}

// equal(a, b): in a time that does not tell where they differ. Both have one size.
Encoded equal(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto a = call.bytes(0), b = call.bytes(1);
  return call.value(a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0);
}

constexpr FunctionSpec kFunctions[] = {{"fill", fill, 3},
                                       {"fillLater", fill_later, 4},
                                       {"newDigest", new_digest, 2},
                                       {"newHmac", new_hmac, 2},
                                       {"update", update, 2},
                                       {"copy", copy, 2},
                                       {"finish", finish, 1},
                                       {"drop", drop, 1},
                                       {"names", names, 0},
                                       {"equal", equal, 2}};

}  // namespace

void init_crypto(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
