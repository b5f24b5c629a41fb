// Work of the library on a runtime's thread in which no other JavaScript may be run between two steps: a file of lib/ or a native half
// that is being loaded, which others would see half made, and the answer to another thread's question. Interruptions ask here first.
#pragma once

#include "runtime/runtime.h"

#include <functional>
#include <utility>
#include <vector>

namespace rondo::runtime {

// Of one runtime: runtime.local<Uninterrupted>(). Thread: the runtime's.
class Uninterrupted {
 public:
  class Scope {
   public:
    explicit Scope(Runtime& runtime) : work_(runtime.local<Uninterrupted>()) { work_.depth_++; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
      if (--work_.depth_ > 0 || work_.waiting_.empty()) return;
      for (auto& function : std::exchange(work_.waiting_, {})) function();
    }

   private:
    Uninterrupted& work_;
  };

  bool is_running() const { return depth_ > 0; }
  // Called at the end of the outermost scope. It may be called in the midst of JavaScript, and calls none.
  void afterwards(std::function<void()> function) { waiting_.push_back(std::move(function)); }

 private:
  unsigned depth_ = 0;
  std::vector<std::function<void()>> waiting_;
};

}  // namespace rondo::runtime
