// The records of this process's runtimes, on their way to a watcher: a ledger for each, read by another thread than the one that fills
// it. Records that the reader is too late for are counted, not waited for.
#pragma once

#include "observe/ledger.h"
#include "runtime/runtime.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace rondo::observe {

class RecordFeed {
 public:
  using Send = std::function<bool(char type, std::string_view bytes)>;

  bool is_on() const { return is_on_.load(std::memory_order_relaxed); }
  // On the runtime's thread.
  void open(runtime::Runtime& runtime);
  void close(runtime::Runtime& runtime);
  // The runtime's thread: readers get all records so far.
  void flush(runtime::Runtime& runtime);
  // The main runtime's thread: the program ends.
  void note_exit(int code);
  // Any thread. At first a frame 'J' that says what time the records count from, on the clock of pulses; then frames
  // 'N' [runtime u32]([number u32][length u16][text])…, then 'R' [runtime u32][lost u64][records]…
  bool send(const Send& send);

 private:
  struct Source {
    runtime::Runtime* runtime;
    uint32_t number;
    Ledger ledger;
    uint64_t read = 0;
    uint32_t named = 0;
    std::string frame = {};  // sent last
  };
  bool send_one(Source& source, const Send& send);

  std::mutex mutex_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::atomic<bool> is_on_ = false;
  Nanoseconds start_ = 0;  // of all times
  bool has_told_start_ = false;
};

}  // namespace rondo::observe
