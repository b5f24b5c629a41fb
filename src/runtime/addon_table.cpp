// See addon_table.h.
#include "runtime/addon_table.h"

#include "runtime/addon_crash.h"
#include "runtime/elf_symbols.h"

#include <dlfcn.h>

namespace rondo::runtime {

AddonTable& AddonTable::get() {
  static AddonTable table;
  return table;
}

AddonTable::Loaded AddonTable::load(const char* file, int flags) {
  std::lock_guard lock(mutex_);
  noted_ = nullptr;
  Loaded loaded;
  if (const auto needed = missing_symbol(file); !needed.empty()) {
    loaded.error = std::string(file) + ": undefined symbol: " + needed;
    return loaded;
  }
  loaded.library = ::dlopen(file, flags);
  if (!loaded.library) {
    const char* message = ::dlerror();
    loaded.error = message ? message : "unknown error";
    return loaded;
  }
  watch_addon(loaded.library, file);
  if (noted_) registered_[loaded.library] = noted_;
  if (auto found = registered_.find(loaded.library); found != registered_.end()) loaded.registered = found->second;
  return loaded;
}

}  // namespace rondo::runtime
