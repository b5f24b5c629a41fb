// native('crypto'): random bytes from the kernel, and comparison in constant time. Nothing here wakes OpenSSL.
#include "modules/crypto/work.h"

#include "rondo/system.h"

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

constexpr FunctionSpec kFunctions[] = {
    {"fill", native<fill>, 3}, {"fillLater", native<fill_later>, 4}, {"equal", native<equal>, 2}};

}  // namespace

void init_crypto(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
