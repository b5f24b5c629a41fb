// native('crypto'): random bytes from the kernel, and comparison in constant time. OpenSSL is woken by its secure heap alone.
#include "modules/crypto/work.h"

#include "rondo/system.h"

#include <openssl/crypto.h>

namespace rondo::modules {

using namespace crypto;

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
  auto& runtime = runtime::Runtime::from(call.realm());
  const double offset = call.number(1), size = call.number(2);
  auto made = std::make_unique<Bytes>(part_of(call.bytes(0), offset, size).size());
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

// equal(a, b): in a time that does not tell where they differ. Both have one size.
Value equal(Call& call) {
  auto a = call.bytes(0), b = call.bytes(1);
  return call.value(a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0);
}

// uuid(view, offset, version, milliseconds or undefined): the text of the sixteen random bytes there, of which nothing is left. A time takes
// the place of the first six.
Value uuid(Call& call) {
  static constexpr char kHex[] = "0123456789abcdef";
  constexpr size_t kSize = 16, kLength = 36;
  auto bytes = part_of(call.bytes(0), call.number(1), kSize);
  if (bytes.size() != kSize) return call.undefined();
  if (call.has(3)) {
    const auto time = static_cast<uint64_t>(call.int64(3));
    for (int i = 0; i < 6; i++) bytes[i] = static_cast<uint8_t>(time >> (40 - 8 * i));
  }
  bytes[6] = static_cast<uint8_t>((bytes[6] & 0x0f) | (call.uint32(2) << 4));
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  LChar* text = nullptr;
  auto made = WTF::StringImpl::createUninitialized(kLength, text);
  size_t at = 0;
  for (size_t i = 0; i < kSize; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text[at++] = '-';
    text[at++] = static_cast<LChar>(kHex[bytes[i] >> 4]);
    text[at++] = static_cast<LChar>(kHex[bytes[i] & 15]);
  }
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return JSC::jsNontrivialString(call.vm(), WTF::String(std::move(made)));
}

// startSecureHeap(bytes, least allocation): OpenSSL keeps secret numbers in locked pages; false when it could not
Value start_secure_heap(Call& call) {
  return call.value(CRYPTO_secure_malloc_init(call.uint32(0), call.uint32(1)) != 0);
}

// secureHeapUsed() → bytes, or undefined without --secure-heap
Value secure_heap_used(Call& call) {
  if (CRYPTO_secure_malloc_initialized() != 1) return call.undefined();
  return call.value(static_cast<double>(CRYPTO_secure_used()));
}

constexpr FunctionSpec kFunctions[] = {{"fill", native<fill>, 3},
                                       {"secureHeapUsed", native<secure_heap_used>, 0},
                                       {"startSecureHeap", native<start_secure_heap>, 2},
                                       {"fillLater", native<fill_later>, 4},
                                       {"equal", native<equal>, 2},
                                       {"uuid", native<uuid>, 4}};

}  // namespace

void init_crypto(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
