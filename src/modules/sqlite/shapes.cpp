// See shapes.h.
#include "modules/sqlite/shapes.h"

#include "engine/core/native.h"

namespace rondo::modules::sqlite {

using namespace engine;

static JSC::Structure* with_two(JSC::VM& vm, JSC::Structure* structure, std::string_view first,
                                std::string_view second) {
  JSC::PropertyOffset offset;
  structure = JSC::Structure::addPropertyTransition(vm, structure, identifier(vm, first), 0, offset);
  return JSC::Structure::addPropertyTransition(vm, structure, identifier(vm, second), 0, offset);
}

JSC::Structure* Shapes::empty_row(JSC::JSGlobalObject* realm, size_t columns) {
  for (size_t i = 0; i < rows_.size(); i++) {
    const size_t room = kRooms[i];
    if (columns > room) continue;
    if (!rows_[i])
      rows_[i].set(realm->vm(), JSC::JSFinalObject::createStructure(realm->vm(), realm, JSC::jsNull(), room));
    return rows_[i].get();
  }
  return nullptr;
}

JSC::JSObject* Shapes::run_result(JSC::JSGlobalObject* realm, Value changes, Value last_row) {
  auto& vm = realm->vm();
  if (!run_result_) {
    constexpr unsigned kProperties = 2;
    auto* empty = JSC::JSFinalObject::createStructure(vm, realm, realm->objectPrototype(), kProperties);
    run_result_.set(vm, with_two(vm, empty, "changes", "lastInsertRowid"));
  }
  auto* object = JSC::constructEmptyObject(vm, run_result_.get());
  object->putDirectOffset(vm, 0, changes);
  object->putDirectOffset(vm, 1, last_row);
  return object;
}

JSC::JSObject* Shapes::iteration(JSC::JSGlobalObject* realm, bool is_done, Value value) {
  auto& vm = realm->vm();
  if (!iteration_) iteration_.set(vm, with_two(vm, empty_row(realm, 2), "done", "value"));
  auto* object = JSC::constructEmptyObject(vm, iteration_.get());
  object->putDirectOffset(vm, 0, JSC::jsBoolean(is_done));
  object->putDirectOffset(vm, 1, value);
  return object;
}

}  // namespace rondo::modules::sqlite
