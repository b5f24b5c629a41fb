// Trace events of node:trace_events: JSON objects in the format of chrome://tracing, kept for a file of the process and for a session of
// the inspector, each with the categories that it asked for. The recording of `rondo trace` is another one (ledger.h).
//
// Threads: any. One log for the process, as its workers write into the same file.
#pragma once

#include "rondo/base/clock.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::observe {

// Categories that C++ writes events of.
enum class TraceCategory : uint8_t {
  FsSync,
  FsAsync,
  FsDirSync,
  FsDirAsync,
  PoolSync,
  PoolAsync,
  Dns,
  Net,
  Environment,
  Engine,
};

struct TraceEvent {
  char phase;  // of the format: B and E, b and e with an id, X with a duration, I, C, M
  std::string_view category;  // a list: "node,node.fs,node.fs.sync"
  std::string_view name;
  Nanoseconds at;
  Nanoseconds duration = 0;
  std::optional<uint64_t> id = std::nullopt;
  std::string_view args = "{}";  // JSON
  int thread = 0;  // 0: the calling one
};

class TraceLog {
 public:
  enum class Receiver : uint8_t { File, Session };

  static TraceLog& get();

  // A relaxed load: no category costs more while it is off.
  bool wants(TraceCategory category) const {
    return (wanted_.load(std::memory_order_relaxed) >> static_cast<unsigned>(category) & 1) != 0;
  }
  bool wants(std::string_view categories) const;

  // Comma-separated. Events of the file are written to `pattern`, in which ${rotation} and ${pid} are replaced, from its first category on.
  void set_categories(Receiver receiver, std::string_view categories);
  void set_file_pattern(std::string pattern);
  // Whether the file has been opened: metadata are owed to it then.
  bool has_file() const;
  void add(const TraceEvent& event);
  void add(TraceCategory category, TraceEvent event);
  // Metadata: for every receiver, whatever its categories.
  void add_metadata(const TraceEvent& event);
  // The events of the session so far, each JSON.
  std::vector<std::string> take_session();
  // The end of the file; a later event begins the next one.
  void close_file();

 private:
  struct Set {
    std::set<std::string, std::less<>> names;
    bool has(std::string_view categories) const;
  };

  TraceLog() = default;
  void update();
  void write(const std::string& text);
  bool open_file();

  mutable std::mutex mutex_;
  std::atomic<uint32_t> wanted_ = 0;
  Set file_categories_, session_categories_;
  bool has_session_ = false;
  std::vector<std::string> session_;
  std::string pattern_ = "node_trace.${rotation}.log";
  std::string buffer_;
  int file_ = -1;
  int rotation_ = 0;
  bool is_refused_ = false;  // the file could not be opened: told once
  uint32_t in_file_ = 0;
};

std::string_view trace_category_name(TraceCategory category);

}  // namespace rondo::observe
