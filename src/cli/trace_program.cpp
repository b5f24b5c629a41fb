// rondo trace: runs a program with the ledger open, then writes the report: a table, lines of JSON, or a file for Perfetto.
#include "cli/commands.h"
#include "observe/trace.h"
#include "runtime/threads/worker_thread.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>

#include <unistd.h>

namespace rondo::cli {

namespace {

constexpr int kExitCannotWrite = 2;

observe::Colour colour_for(int fd) {
  if (getenv("NO_COLOR")) return observe::Colour::Off;
  return isatty(fd) ? observe::Colour::On : observe::Colour::Off;
}

// The ledgers of workers. Their threads add to them; they are read when all have ended.
class WorkerLedgers {
 public:
  explicit WorkerLedgers(Nanoseconds start) : start_(start) {}

  runtime::TaskObserver* open(uint32_t id, const std::string& name) {
    constexpr size_t kCapacity = size_t{1} << 17;
    const std::lock_guard lock(mutex_);
    auto& made = *ledgers_.emplace_back(std::make_unique<observe::Ledger>(kCapacity, start_));
    traced_.push_back({&made, id, "worker " + std::to_string(id) + " (" + name + ")"});
    return &made;
  }
  std::vector<observe::Traced> with(observe::Traced main) {
    runtime::WorkerThread::end_all();
    const std::lock_guard lock(mutex_);
    std::vector<observe::Traced> all{std::move(main)};
    all.insert(all.end(), traced_.begin(), traced_.end());
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.runtime < b.runtime; });
    return all;
  }

 private:
  const Nanoseconds start_;  // the zero of all times is the main ledger's
  std::mutex mutex_;
  std::vector<std::unique_ptr<observe::Ledger>> ledgers_;
  std::vector<observe::Traced> traced_;
};

void write_trace(const CommandLine& line, const std::vector<observe::Traced>& all, const std::string& folder,
                 FILE* file) {
  if (line.trace_json) return observe::write_json_lines(all, file ? file : stdout);
  if (file) return observe::write_chrome(all, folder, file);
  for (const auto& one : all)
    observe::write_report(*one.ledger, one.name, stderr,
                          {.colour = colour_for(STDERR_FILENO), .unfolded = line.trace_all, .folder = folder});
}

}  // namespace

int trace_program(const CommandLine& line) {
  FILE* file = nullptr;
  if (!line.trace_output.empty()) {
    // Opened first: a run must not end with its trace nowhere to go.
    file = fopen(line.trace_output.c_str(), "we");
    if (!file) {
      fprintf(stderr, "rondo trace: cannot write %s: %s\n", line.trace_output.c_str(), strerror(errno));
      return kExitCannotWrite;
    }
  }
  // The program may go elsewhere; and it may have begun nowhere.
  std::error_code nowhere;
  const std::string folder = std::filesystem::current_path(nowhere).string();
  observe::Ledger ledger;
  WorkerLedgers workers(ledger.start());
  ledger.on_starvation([&](const observe::Record& record) {
    fprintf(stderr, "rondo trace: %s\n", observe::starvation_sentence(ledger, record, folder).c_str());
  });
  return run_program(
      line, line.traced, &ledger,
      [&] {
        write_trace(line, workers.with({&ledger, 0, line.text}), folder, file);
        if (!file) return;
        bool failed = ferror(file) != 0;
        if (fclose(file) != 0 || failed)
          fprintf(stderr, "rondo trace: %s may be incomplete\n", line.trace_output.c_str());
        else
          fprintf(stderr, "rondo trace: wrote %s\n", line.trace_output.c_str());
      },
      [&](uint32_t id, const std::string& name) { return workers.open(id, name); });
}

}  // namespace rondo::cli
