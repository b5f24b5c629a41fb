// See native_object.h.
#include "engine/core/native_object.h"

#include "engine/core/vm_state.h"

namespace rondo::engine {

// CREATE_METHOD_TABLE names this namespace unqualified.
namespace JSCastingHelpers = JSC::JSCastingHelpers;

const JSC::ClassInfo NativeCell::s_info = {"Native"_s, &Base::s_info, nullptr, nullptr,
                                           CREATE_METHOD_TABLE(NativeCell)};

NativeCell* NativeCell::create(JSC::JSGlobalObject* realm, std::unique_ptr<NativeObject> object, const void* kind) {
  auto& vm = realm->vm();
  auto& structure = VmState::of(vm).native_structure;
  if (!structure) {
    structure.set(
        vm, JSC::Structure::create(vm, realm, JSC::jsNull(), JSC::TypeInfo(JSC::ObjectType, StructureFlags), info()));
  }
  auto* cell =
      new (NotNull, JSC::allocateCell<NativeCell>(vm)) NativeCell(vm, structure.get(), std::move(object), kind);
  cell->finishCreation(vm);
  return cell;
}

}  // namespace rondo::engine
