// See native_object.h.
#include "engine/core/native_object.h"

#include "engine/core/vm_state.h"

namespace rondo::engine {

// CREATE_METHOD_TABLE names this namespace unqualified.
namespace JSCastingHelpers = JSC::JSCastingHelpers;

const JSC::ClassInfo NativeCell::s_info = {"Native"_s, &Base::s_info, nullptr, nullptr,
                                           CREATE_METHOD_TABLE(NativeCell)};

template <typename Visitor>
void NativeCell::visitChildrenImpl(JSC::JSCell* cell, Visitor& visitor) {
  Base::visitChildren(cell, visitor);
  visitor.append(static_cast<NativeCell*>(cell)->kept_);
}
DEFINE_VISIT_CHILDREN(NativeCell);

JSC::Structure* NativeCell::create_structure(JSC::JSGlobalObject* realm, Value prototype) {
  return JSC::Structure::create(realm->vm(), realm, prototype, JSC::TypeInfo(JSC::ObjectType, StructureFlags), info());
}

NativeCell* NativeCell::create(JSC::VM& vm, JSC::Structure* structure, std::unique_ptr<NativeObject> object,
                               const void* kind) {
  auto* cell = new (NotNull, JSC::allocateCell<NativeCell>(vm)) NativeCell(vm, structure, std::move(object), kind);
  cell->finishCreation(vm);
  return cell;
}

NativeCell* NativeCell::create(JSC::JSGlobalObject* realm, std::unique_ptr<NativeObject> object, const void* kind) {
  auto& vm = realm->vm();
  auto& structure = VmState::of(vm).native_structure;
  if (!structure) structure.set(vm, create_structure(realm, JSC::jsNull()));
  return create(vm, structure.get(), std::move(object), kind);
}

}  // namespace rondo::engine
