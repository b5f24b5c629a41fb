// Structured clone of WebAssembly's objects (https://webassembly.github.io/spec/web-api/): a module is the same code in every thread,
// a shared memory the same memory.
#include "engine/clone/structured_clone.h"

#include <JavaScriptCore/JSWebAssemblyMemory.h>
#include <JavaScriptCore/JSWebAssemblyModule.h>

namespace rondo::engine {

bool add_wasm(JSC::JSObject* object, Serialized& out, CloneTag& tag, uint32_t& number) {
  if (auto* module = JSC::jsDynamicCast<JSC::JSWebAssemblyModule*>(object)) {
    tag = CloneTag::WasmModule;
    auto& modules = out.with_transferables().modules;
    number = static_cast<uint32_t>(modules.size());
    modules.emplace_back(&module->module());
    return true;
  }
  auto* memory = JSC::jsDynamicCast<JSC::JSWebAssemblyMemory*>(object);
  if (!memory || memory->memory().sharingMode() != JSC::MemorySharingMode::Shared || !memory->memory().shared())
    return false;
  tag = CloneTag::WasmMemory;
  auto& memories = out.with_transferables().memories;
  number = static_cast<uint32_t>(memories.size());
  memories.emplace_back(memory->memory().shared());
  return true;
}

JSC::JSObject* make_wasm(JSC::JSGlobalObject* realm, CloneTag tag, uint32_t number, const Serialized& in) {
  auto& vm = realm->vm();
  if (tag == CloneTag::WasmModule) {
    auto module = in.transferables->modules[number];
    return JSC::JSWebAssemblyModule::createStub(vm, realm, realm->webAssemblyModuleStructure(), WTFMove(module));
  }
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* made = JSC::JSWebAssemblyMemory::tryCreate(realm, vm, realm->webAssemblyMemoryStructure());
  RETURN_IF_EXCEPTION(scope, nullptr);
  made->adopt(
      JSC::Wasm::Memory::create(Ref{*in.transferables->memories[number]},
                                [&vm, made](JSC::Wasm::Memory::GrowSuccess, JSC::PageCount before,
                                            JSC::PageCount after) { made->growSuccessCallback(vm, before, after); }));
  return made;
}

}  // namespace rondo::engine
