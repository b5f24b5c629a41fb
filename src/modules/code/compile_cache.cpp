// native('compile_cache'): bytecode of a program's modules for the next process to use, and the hash that tells whether a
// stored one still fits. Files and directories are lib/internal/modules/compile_cache.js's affair.
#include "runtime/runtime.h"

#include "engine/core/source.h"

#include <cstring>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

// The parameters of a CommonJS module, as cjs_loader.js compiles them: another list would be another text.
constexpr std::string_view kParameters[] = {"exports", "require", "module", "__filename", "__dirname"};

uint64_t mix(uint64_t state, uint64_t word) {
  __uint128_t product = static_cast<__uint128_t>(state ^ word) * 0x9e3779b97f4a7c15ULL;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t hash_bytes(std::span<const uint8_t> bytes) {
  uint64_t state = mix(0x2545f4914f6cdd1dULL, bytes.size());
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    uint64_t word;
    memcpy(&word, bytes.data() + at, 8);
    state = mix(state, word);
  }
  uint64_t rest = 0;
  if (at < bytes.size()) memcpy(&rest, bytes.data() + at, bytes.size() - at);
  return mix(mix(state, rest), bytes.size());
}

// hash(string | bytes) → an integer that a double holds exactly
Value hash(Call& call) {
  constexpr int kBitsTooMany = 64 - 53;
  std::string text;
  std::span<const uint8_t> bytes = bytes_of(call.at(0));
  if (call.at(0).isString()) {
    text = call.string(0);
    bytes = {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
  }
  return call.value(JSC::jsNumber(static_cast<double>(hash_bytes(bytes) >> kBitsTooMany)));
}

Value answer(const Call& call, JSC::JSGlobalObject* realm, const std::string& made) {
  if (made.empty()) return call.undefined();
  return call.value(make_uint8_array(realm, {reinterpret_cast<const uint8_t*>(made.data()), made.size()}));
}

// functionBytecode(source, filename) → bytes that native('modules').compileFunction takes, or undefined
Value bytecode_of_function(Call& call) {
  auto* realm = call.realm();
  return answer(
      call, realm,
      function_bytecode(
          call.vm(),
          {.body = call.wtf_string(0), .url = call.wtf_string(1), .origin = WTF::String(), .parameters = kParameters}));
}

// moduleBytecode(source, key) → bytes for the `bytecode` of a loaded ES module, or undefined
Value bytecode_of_module(Call& call) {
  auto* realm = call.realm();
  return answer(call, realm, module_bytecode(call.vm(), call.wtf_string(0), call.wtf_string(1)));
}

constexpr FunctionSpec kFunctions[] = {{"hash", native<hash>, 1},
                                       {"functionBytecode", native<bytecode_of_function>, 2},
                                       {"moduleBytecode", native<bytecode_of_module>, 2}};

}  // namespace

void init_compile_cache(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
