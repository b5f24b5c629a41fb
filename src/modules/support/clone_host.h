// Structured clone as the natives of lib/ use it: with the hooks for lib/'s own objects that lib/internal/messaging/structured_clone.js has set.
#pragma once

#include "engine/clone/structured_clone.h"
#include "runtime/runtime.h"

namespace rondo::modules {

enum class CloneHook : uint8_t { Describe, NestedTransfers, Revive, CloneError, Count };

struct CloneHooks {
  JSC::Strong<JSC::JSObject> functions[static_cast<size_t>(CloneHook::Count)];
};

class LibHost final : public engine::CloneHost {
 public:
  // `receiver`: who gets what is read, if it is of another realm than the program's.
  explicit LibHost(JSC::JSGlobalObject* realm, JSC::JSObject* receiver = nullptr)
      : realm_(realm), receiver_(receiver) {}

  Description describe(JSC::JSObject* object, bool is_transfer) override;
  engine::Value nested_transfers(JSC::JSObject* object) override;
  engine::Value revive(engine::Value info, engine::Value data) override;
  void throw_clone_error(const WTF::String& message) override;

 private:
  engine::Value invoke(CloneHook hook, engine::Value first, engine::Value second = JSC::jsUndefined(),
                       engine::Value third = JSC::jsUndefined());

  JSC::JSGlobalObject* realm_;
  JSC::JSObject* receiver_;
};

// For values that may leave the process (engine/clone/wire_form.h): objects of lib/ do not.
class WireHost final : public engine::CloneHost {
 public:
  explicit WireHost(JSC::JSGlobalObject* realm) : lib_(realm) {}
  Description describe(JSC::JSObject*, bool) override {
    throw_clone_error("Objects of this class cannot leave their process."_s);
    return {JSC::jsUndefined(), JSC::jsUndefined()};
  }
  engine::Value nested_transfers(JSC::JSObject*) override { return JSC::jsUndefined(); }
  engine::Value revive(engine::Value, engine::Value) override { return JSC::jsUndefined(); }
  void throw_clone_error(const WTF::String& message) override { lib_.throw_clone_error(message); }
  bool leaves_process() const override { return true; }

 private:
  LibHost lib_;
};

}  // namespace rondo::modules
