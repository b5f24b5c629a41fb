// The part of a handle that the kernel still works on when the handle is closed or gone: operations in flight
// and the buffers they point to. Closing never waits for it. A handle that dies early cancels, gives this part to
// LoopAccess::linger, and the part deletes itself when its last operation has completed; what is left
// when the loop dies is deleted by the loop, after the poller.
#pragma once

#include "rondo/base/list.h"

namespace [[gnu::visibility("default")]] rondo {

class Lingering : public ListNode {
 public:
  virtual ~Lingering() = default;
};

}  // namespace rondo
