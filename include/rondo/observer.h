// The loop's account of itself. A Loop holds one Observer pointer, null by default: every hook is
// then one predictable branch. All calls come from the loop's thread, in the middle of its work,
// except pool_job_*, which also come from pool threads. An observer must not call into the loop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rondo/base/clock.h"
#include "rondo/kinds.h"

namespace rondo {

enum class JobClass : std::uint8_t;

class Observer {
 public:
  virtual ~Observer() = default;

  virtual void iteration_begin(std::uint64_t /*number*/) {}
  virtual void phase_begin(Phase) {}
  virtual void phase_end(Phase) {}

  // `timeout` in nanoseconds; kNever when the loop sleeps until something happens.
  virtual void wait_begin(Nanoseconds /*timeout*/) {}
  virtual void wait_end(std::size_t /*ready*/) {}
  // The poll phase left completions for the next iteration because its budget was used up.
  virtual void poll_budget_spent(std::size_t /*callbacks*/) {}

  virtual void callback_begin(HandleKind, std::uint32_t /*id*/) {}
  virtual void callback_end(HandleKind, std::uint32_t /*id*/) {}

  // A handle became active, became inactive, began to close.
  virtual void handle_start(HandleKind, std::uint32_t /*id*/) {}
  virtual void handle_stop(HandleKind, std::uint32_t /*id*/) {}
  virtual void handle_close(HandleKind, std::uint32_t /*id*/) {}

  virtual void pool_job_queued(std::uint32_t /*id*/, JobClass) {}
  virtual void pool_job_begin(std::uint32_t /*id*/, JobClass, int /*thread*/) {}
  virtual void pool_job_end(std::uint32_t /*id*/, JobClass, int /*thread*/) {}
};

}  // namespace rondo
