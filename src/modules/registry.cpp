// Every native half, by name. A module is one init function, in the file of its name, in the folder of its subject.
#include "modules/registry.h"

#include "observe/ledger_native.h"
#include "observe/watcher_native.h"

namespace rondo::modules {

// One a line, in order.
// clang-format off
#define RONDO_NATIVE_MODULES(each) \
  each(async_context)              \
  each(buffer)                     \
  each(bytes)                      \
  each(child_process)              \
  each(compile_cache)              \
  each(crypto)                     \
  each(crypto_cipher)              \
  each(crypto_dh)                  \
  each(crypto_hash)                \
  each(coverage)                   \
  each(crypto_kdf)                 \
  each(crypto_keygen)              \
  each(crypto_keys)                \
  each(crypto_mac)                 \
  each(crypto_sign)                \
  each(crypto_x509)                \
  each(dgram)                      \
  each(dns)                        \
  each(encoding)                   \
  each(explore)                    \
  each(float16)                    \
  each(fs)                         \
  each(html)                       \
  each(html_pack)                  \
  each(http)                       \
  each(http2)                      \
  each(inspector)                  \
  each(json)                       \
  each(locks)                      \
  each(messaging)                  \
  each(modules)                    \
  each(napi)                       \
  each(net)                        \
  each(os)                         \
  each(perf)                       \
  each(permission)                 \
  each(process)                    \
  each(profiler)                   \
  each(runtime)                    \
  each(serve)                      \
  each(signals)                    \
  each(sqlite)                     \
  each(stdio)                      \
  each(structured_clone)           \
  each(timers)                     \
  each(tls)                        \
  each(trace_events)               \
  each(url)                        \
  each(util)                       \
  each(vm)                         \
  each(wasi)                       \
  each(worker)                     \
  each(zlib)
// clang-format on

#define DECLARE(name) void init_##name(runtime::Runtime& runtime, JSC::JSObject* target);
RONDO_NATIVE_MODULES(DECLARE)
#undef DECLARE

std::span<const runtime::NativeModule> all() {
  static constexpr runtime::NativeModule kModules[] = {
#define ENTRY(name) {#name, init_##name},
      RONDO_NATIVE_MODULES(ENTRY)
#undef ENTRY
          {"ledger", observe::init_ledger},
      {"observe", observe::init_observe},
  };
  return kModules;
}

}  // namespace rondo::modules
