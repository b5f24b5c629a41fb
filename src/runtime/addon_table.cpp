// See addon_table.h.
#include "runtime/addon_table.h"

#include "runtime/addon_crash.h"
#include "runtime/elf_check.h"

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
  if (const auto reason = why_unloadable(file); !reason.empty()) {
    loaded.error = std::string(file) + ": " + reason;
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
