// See name_scope.h.
#include "engine/core/name_scope.h"

#include <JavaScriptCore/JSLexicalEnvironment.h>

namespace rondo::engine {

NameScope::NameScope(JSC::JSGlobalObject* realm, std::span<const std::string_view> names) : vm_(realm->vm()) {
  auto* table = JSC::SymbolTable::create(vm_);
  for (auto name : names) {
    auto offset = table->takeNextScopeOffset();
    table->add(identifier(vm_, name).impl(), JSC::SymbolTableEntry(JSC::VarOffset(offset)));
  }
  auto* scope = JSC::JSLexicalEnvironment::create(vm_, realm, realm->globalScope(), table, JSC::jsUndefined());
  table->notifyCreation(vm_, scope, "the only one");
  scope_.set(vm_, scope);
}

Value NameScope::at(size_t index) { return scope_->variableAt(JSC::ScopeOffset(index)).get(); }

void NameScope::set(size_t index, Value value) {
  scope_->variableAt(JSC::ScopeOffset(index)).set(vm_, scope_.get(), value);
}

// A name without a value may get one later, and is settled by the next call then.
void NameScope::settle() {
  auto* table = scope_->symbolTable();
  const JSC::ConcurrentJSLocker locker(table->m_lock);
  for (auto it = table->begin(locker), end = table->end(locker); it != end; ++it) {
    if (scope_->variableAt(it->value.scopeOffset()).get().isUndefined()) continue;
    const auto* known = it->value.watchpointSet();
    if (known && known->state() != JSC::ClearWatchpoint) continue;
    it->value.prepareToWatch();
    if (auto* set = it->value.watchpointSet()) set->touch(vm_, "settled");
  }
}

}  // namespace rondo::engine
