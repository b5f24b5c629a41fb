// An entry of the loop's list of continuations: what goes on in the pending phase of the next iteration, in order. Linking needs no
// memory; unlinking or destroying the entry withdraws it. Not for use outside the library; Loop runs the list, coroutines enter it.
#pragma once

#include "rondo/base/list.h"

namespace rondo {
namespace [[gnu::visibility("default")]] detail {

class Ready : public ListNode {
 public:
  // From the loop, once for each time it was linked; unlinked before.
  virtual void go_on() = 0;

 protected:
  ~Ready() = default;
};

}  // namespace detail
}  // namespace rondo
