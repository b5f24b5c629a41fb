// Structures of the objects that node:sqlite makes by the thousand, one set for each Runtime, so that rows of the same columns look
// alike to the compilers.
#pragma once

#include "runtime/runtime.h"

#include <array>

namespace rondo::modules::sqlite {

class Shapes {
 public:
  static Shapes& of(runtime::Runtime& runtime) { return runtime.local<Shapes>(); }

  // An object without a prototype and with room for so many columns; null when there is no such structure.
  JSC::Structure* empty_row(JSC::JSGlobalObject* realm, size_t columns);

  JSC::JSObject* run_result(JSC::JSGlobalObject* realm, engine::Value changes, engine::Value last_row);
  JSC::JSObject* iteration(JSC::JSGlobalObject* realm, bool is_done, engine::Value value);

  // Given by lib/node/sqlite.js.
  JSC::Strong<JSC::Structure> statement;
  JSC::Strong<JSC::Structure> iterator;

 private:
  static constexpr std::array<uint8_t, 9> kRooms = {2, 4, 6, 8, 12, 16, 24, 32, 64};
  std::array<JSC::Strong<JSC::Structure>, kRooms.size()> rows_;
  JSC::Strong<JSC::Structure> run_result_;
  JSC::Strong<JSC::Structure> iteration_;
};

}  // namespace rondo::modules::sqlite
