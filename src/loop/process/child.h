// A child that was started, by its pidfd where the kernel gives one, else by its number. Process and run_process use it.
#pragma once

#include <sys/types.h>

#include "rondo/base/unique_fd.h"
#include "rondo/process.h"

namespace rondo {

struct Child {
  Child() = default;
  explicit Child(pid_t number);

  pid_t pid = 0;
  UniqueFd pidfd;  // empty: refused (a container's filter), or no descriptor was left

  // True when it has ended; then it is reaped, by us or by someone before us.
  bool reap(ExitStatus& status) const;
  // By pidfd it can never hit a later process of the same number; nor can it by number before it is reaped.
  Result<void> signal(int number) const;
};

}  // namespace rondo
