// How the natives of node:crypto take their arguments, and where their slow work runs: at once, or on the pool's threads when the
// caller gave a callback.
#pragma once

#include "engine/core/buffer_class.h"
#include "engine/core/native_object.h"
#include "modules/crypto/keys.h"
#include "modules/crypto/openssl.h"
#include "runtime/entry/continuation.h"

#include "rondo/thread_pool.h"

#include <climits>
#include <unordered_map>

namespace rondo::modules::crypto {

using namespace engine;
using Bytes = std::vector<uint8_t>;

// Bytes lent for the time of one call: a string (as UTF-8), a view, an ArrayBuffer, or the bytes of a secret key.
class Input {
 public:
  Input(Call& call, unsigned index) : Input(call.realm(), call.at(index)) {}
  Input(JSC::JSGlobalObject* realm, Value value) {
    if (value.isString()) {
      text_ = JSC::asString(value)->value(realm);
      if (text_.is8Bit() && text_.containsOnlyASCII())
        bytes_ = {text_.span8().data(), text_.span8().size()};
      else
        bytes_ = as_bytes(utf8_ = to_utf8(realm, text_));
    } else if (auto key = key_in(value)) {
      key_ = key;
      bytes_ = key_->secret;
    } else {
      bytes_ = bytes_of(value);
    }
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // Never null: OpenSSL takes a null pointer for "none".
  const uint8_t* data() const { return bytes_.empty() ? &kNothing : bytes_.data(); }
  size_t size() const { return bytes_.size(); }
  std::span<const uint8_t> bytes() const { return {data(), size()}; }

 private:
  static constexpr uint8_t kNothing = 0;
  WTF::String text_;
  std::string utf8_;
  KeyRef key_;
  std::span<const uint8_t> bytes_;
};

// The same as a copy, for work on another thread.
inline Bytes copy_of(Call& call, unsigned index) {
  Input input(call, index);
  // OpenSSL counts many of them with an int. perform() sees the error.
  if (input.size() > INT_MAX) {
    raise_with_code(call.realm(), JSC::ErrorType::RangeError, "ERR_OUT_OF_RANGE"_s, "argument is too big"_s);
    return {};
  }
  return {input.data(), input.data() + input.size()};
}

// For OpenSSL, which takes a null pointer for "none".
inline const uint8_t* data_of(const Bytes& bytes) {
  static constexpr uint8_t kNothing = 0;
  return bytes.empty() ? &kNothing : bytes.data();
}

inline Value buffer_value(JSC::JSGlobalObject* realm, std::span<const uint8_t> bytes) {
  return make_buffer(realm, bytes);
}

// `state.run()` (any thread; false leaves errors on the thread's queue), then `state.answer(realm)` here. With a function as argument
// `callback` the first happens on the pool, and the function gets (error) or (null, answer); else the answer is returned.
template <class State>
Value perform(Call& call, unsigned callback, const runtime::Source& source, std::unique_ptr<State> state) {
  if (call.failed()) return {};
  auto* function = call.function(callback);
  if (!function) {
    OpensslScope scope;
    if (!state->run()) return raise_openssl(call);
    return state->answer(call.realm());
  }
  struct Outcome {
    std::unique_ptr<State> state;
    OpensslErrors errors;
    bool is_good = false;
  };
  auto& runtime = runtime::Runtime::from(call.realm());
  auto outcome = std::make_unique<Outcome>();
  outcome->state = std::move(state);
  auto* shared = outcome.get();
  run_on_pool(
      runtime.loop(), JobClass::Crypto,
      [shared] {
        OpensslScope scope;
        shared->is_good = shared->state->run();
        if (!shared->is_good) shared->errors = OpensslErrors::take();
      },
      [outcome = std::move(outcome), then = runtime::Continuation(runtime, function, source)]() mutable {
        if (then.is_dead()) return;
        auto* realm = then.runtime().realm();
        if (outcome->is_good)
          then.resolve(outcome->state->answer(realm));
        else
          then.reject(outcome->errors.make_error(realm, "Operation failed"));
      });
  return call.undefined();
}

// The fetched digest or cipher of a name; kept, for fetching takes locks and compares strings. Null when there is none.
struct Fetched {
  std::unordered_map<std::string, DigestPtr> digests;
  std::unordered_map<std::string, CipherPtr> ciphers;
};
const EVP_MD* digest_named(Call& call, const std::string& name);
const EVP_CIPHER* cipher_named(Call& call, const std::string& name);

}  // namespace rondo::modules::crypto
