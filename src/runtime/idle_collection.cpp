// See idle_collection.h.
#include "runtime/idle_collection.h"

#include "engine/core/collect.h"
#include "runtime/embedded.h"
#include "runtime/html/html_profile.h"
#include "runtime/runtime.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace rondo::runtime {

namespace {

constexpr std::chrono::milliseconds kPause{100};  // two looks this far apart that find the same: the program is idle
constexpr size_t kStillBusy = size_t{128} << 10;  // more than this between two looks is work

// Bytecode and sources of lib/ are read when a function first runs, and lie in the program file: the kernel brings them back if they are
// asked for again. Pages of other data beside them are left alone.
void let_go_of_library() {
  uintptr_t begin = UINTPTR_MAX;
  uintptr_t end = 0;
  const auto add = [&](std::string_view piece) {
    if (piece.empty()) return;
    const auto at = reinterpret_cast<uintptr_t>(piece.data());
    begin = std::min(begin, at);
    end = std::max(end, at + piece.size());
  };
  for (const EmbeddedSource& source : embedded_sources()) {
    add(source.source);
    add(source.bytecode);
  }
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  begin = (begin + page - 1) / page * page;
  end = end / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace

IdleCollection::IdleCollection(Runtime& runtime) : runtime_(runtime), heap_(runtime.vm().heap), timer_(runtime.loop()) {
  timer_.unref();
}

void IdleCollection::arm() {
  // Virtual time would jump to our deadline, and an observer of the loop wants to see the program's work alone.
  if (runtime_.html() || runtime_.loop().observer()) return;
  is_armed_ = true;
  seen_ = engine::allocated_since_collection(heap_);
  timer_.start(kPause, [this] { look(); });
}

void IdleCollection::look() {
  is_armed_ = false;
  if (runtime_.is_stopped()) return;
  const size_t allocated = engine::allocated_since_collection(heap_);
  if (allocated < kWorthwhile) return;  // the engine has collected meanwhile
  // Less than before: the engine has collected between the looks, and what is there now has been allocated since.
  if (allocated < seen_ || allocated > seen_ + kStillBusy) return arm();
  collect();
}

void IdleCollection::collect() {
  engine::collect_when_idle(runtime_.vm());
  let_go_of_library();
}

}  // namespace rondo::runtime
