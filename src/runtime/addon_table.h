// The shared objects of native addons that this process has loaded. An addon may register itself by a call while it is being loaded,
// which happens once in a process, however many runtimes load it: the table remembers who registered what.
//
// Thread: any.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <unordered_map>

namespace rondo::runtime {

class AddonTable {
 public:
  static AddonTable& get();

  struct Loaded {
    void* library = nullptr;  // null: `error` says why
    const void* registered = nullptr;  // what the addon gave to note_registration()
    std::string error;
  };
  Loaded load(const char* file, int flags);

  // Called by an addon's constructors, so by the thread inside load().
  void note_registration(const void* module) { noted_ = module; }

  // The result of uv_default_loop(): the main runtime's, once that has loaded an addon.
  void* main_uv_loop() const { return main_uv_loop_; }
  void set_main_uv_loop(void* loop) { main_uv_loop_ = loop; }

 private:
  AddonTable() = default;

  std::mutex mutex_;
  const void* noted_ = nullptr;
  std::atomic<void*> main_uv_loop_ = nullptr;
  std::unordered_map<void*, const void*> registered_;  // by library
};

}  // namespace rondo::runtime
