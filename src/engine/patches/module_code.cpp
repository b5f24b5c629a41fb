// See module_code.h.
#include "engine/patches/module_code.h"

#include "engine/core/live_cells.h"

#include <JavaScriptCore/ModuleProgramExecutable.h>
#include <JavaScriptCore/StrongInlines.h>
#include <JavaScriptCore/UnlinkedCodeBlock.h>

namespace rondo::engine {

namespace {

template <auto Member, typename Tag>
struct Reveal {
  friend constexpr auto reveal(Tag) { return Member; }
};

// Layout: m_unlinkedCodeBlock, m_moduleEnvironmentSymbolTable
struct Unlinked {
  friend constexpr auto reveal(Unlinked);
};
struct Variables {
  friend constexpr auto reveal(Variables);
};
template struct Reveal<&JSC::GlobalExecutable::m_unlinkedCodeBlock, Unlinked>;
template struct Reveal<&JSC::ModuleProgramExecutable::m_moduleEnvironmentSymbolTable, Variables>;

struct KeptModule {
  JSC::Strong<JSC::ModuleProgramExecutable> module;
  JSC::Strong<JSC::UnlinkedCodeBlock> code;
  JSC::Strong<JSC::SymbolTable> variables;
};
using KeptModules = std::vector<KeptModule>;

void take(JSC::VM& vm, KeptModules& kept) {
  for_each_cell(vm, [&](JSC::JSCell* cell) {
    auto* module = JSC::jsDynamicCast<JSC::ModuleProgramExecutable*>(cell);
    if (!module) return;
    auto* code = (module->*reveal(Unlinked())).get();
    if (code) kept.push_back({{vm, module}, {vm, code}, {vm, module->moduleEnvironmentSymbolTable()}});
  });
}

void give_back(JSC::VM& vm, const KeptModules& kept) {
  for (const auto& [module, code, variables] : kept) {
    auto& place = module.get()->*reveal(Unlinked());
    if (place) continue;
    place.set(vm, module.get(), code.get());
    (module.get()->*reveal(Variables())).set(vm, module.get(), variables.get());
  }
}

}  // namespace

void keep_module_code(JSC::VM& vm, const std::function<void()>& deletes) {
  // An idle VM calls its functions in the order in which they were given.
  auto kept = std::make_shared<KeptModules>();
  vm.whenIdle([&vm, kept] { take(vm, *kept); });
  deletes();
  vm.whenIdle([&vm, kept] { give_back(vm, *kept); });
}

}  // namespace rondo::engine
