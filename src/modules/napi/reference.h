// The object behind napi_ref: a counted reference to a value, strong while the count is above zero, weak at zero; with or without a
// finalizer that is due when the value has been collected. Wrapped objects, externals and added finalizers are references, too.
//
// Owner: the addon, which deletes it, or (Ownership::Runtime) the reference itself, which goes with its value. Either way it is
// linked in its environment, which ends what is left. Thread: the Runtime's.
#pragma once

#include "modules/napi/env.h"

#include <JavaScriptCore/Weak.h>
#include <JavaScriptCore/WeakHandleOwner.h>

namespace rondo::modules::napi {

enum class Ownership : uint8_t { Runtime, Addon };

class Reference final : public ListNode {
 public:
  Reference(napi_env env, Value value, uint32_t count, Ownership ownership, const Finalizer& finalizer, void* data);
  ~Reference();
  // Whom the collector tells of all references of one Runtime.
  static std::unique_ptr<JSC::WeakHandleOwner> make_owner();

  uint32_t ref();
  uint32_t unref();
  uint32_t count() const { return count_; }
  Value value() const;  // empty when it has been collected
  void* data() const { return data_; }
  Ownership ownership() const { return ownership_; }
  napi_env env() const { return env_; }

  void forget_finalizer() { finalizer_ = {}; }
  // The value has gone, or the environment ends: calls the addon, and deletes what is the runtime's.
  void finalize();

 private:
  class Owner;
  void become_weak();
  void on_collected();

  napi_env env_;
  JSC::Strong<JSC::Unknown> strong_;
  JSC::Weak<JSC::JSCell> weak_;
  uint32_t count_;
  Ownership ownership_;
  bool can_be_weak_;
  Finalizer finalizer_;
  void* data_;
};

inline napi_ref ref_of(Reference* reference) { return reinterpret_cast<napi_ref>(reference); }
inline Reference* reference_of(napi_ref ref) { return reinterpret_cast<Reference*>(ref); }

}  // namespace rondo::modules::napi
