// What the library's own handles ask of their loop beyond its public face. Not for use outside the library.
#pragma once

#include <cstdint>
#include <utility>

#include "rondo/detail/lingering.h"
#include "rondo/loop.h"

namespace rondo::detail {

struct LoopAccess {
  // Takes what a destroyed handle leaves behind until its operations are over; see lingering.h.
  static void linger(Loop& loop, Lingering& part) { loop.lingering_.push_back(part); }

  // Where the loop's FileWatches find what they share.
  static InotifyHub*& inotify_hub(Loop& loop) { return loop.inotify_hub_; }

  // Runs `call` as one callback of the loop: the observer sees its beginning and end.
  template <class Call>
  static void observed(Loop& loop, HandleKind kind, std::uint32_t id, Call&& call) {
    loop.observed(kind, id, std::forward<Call>(call));
  }
};

}  // namespace rondo::detail
