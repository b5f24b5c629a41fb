// Signals as events of a loop. Any number of handles, in any number of loops and threads, may watch the
// same signal: each gets a call for each delivery the process sees (the kernel merges equal signals that
// are still undelivered). The process's handler is installed with the first watcher of a number; when the
// last one goes, the disposition found then is put back. SIGKILL and SIGSTOP cannot be watched.
//
// Do not watch a signal that another part of the process has taken for itself (garbage collectors stop
// threads with one): it would lose it. Rules of owner and thread: handle.h.
#pragma once

#include <atomic>

#include "rondo/async.h"
#include "rondo/base/result.h"
#include "rondo/handle.h"

namespace [[gnu::visibility("default")]] rondo {

class Signal final : public Handle {
 public:
  enum class Repeat : std::uint8_t { Always, Once };

  explicit Signal(Loop& loop);
  ~Signal() override;

  // Calls `callback` with the signal's number, in poll. Once: stops before the first call. Starting an
  // active handle moves it to the new number. EINVAL for what cannot be watched.
  [[nodiscard]] Result<void> start(int number, Function<void(int)> callback, Repeat repeat = Repeat::Always);
  // Deliveries not yet told are dropped.
  void stop();

  int number() const { return number_; }  // 0 while inactive

 private:
  friend struct SignalTable;
  void begin_close() override;
  void deliver();

  Async wake_;
  Callback<void(int)> on_signal_;
  std::atomic<std::uint32_t> caught_{0};  // written by the handler
  int number_ = 0;
  Repeat repeat_ = Repeat::Always;
  Signal* next_ = nullptr;      // watchers of the same number, in the table
  Signal* previous_ = nullptr;
};

}  // namespace rondo
