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
#include <fstream>
#include <mutex>
#include <sstream>

#include <sys/ioctl.h>
#include <unistd.h>

namespace rondo::cli {

namespace {

constexpr int kExitCannotWrite = 2;

observe::Colour colour_for(int fd) {
  if (getenv("NO_COLOR")) return observe::Colour::Off;
  return isatty(fd) ? observe::Colour::On : observe::Colour::Off;
}

// Of the terminal that a report goes to; what reads a pipe gets as many as a wide one has.
size_t columns_of(int fd) {
  constexpr size_t kPipe = 120, kMost = 200;
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kPipe;
  return std::min<size_t>(size.ws_col, kMost);
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
  if (file && !line.is_report_in_file) return observe::write_chrome(all, folder, file);
  const auto colour = file ? observe::Colour::Off : colour_for(STDERR_FILENO);
  for (const auto& one : all)
    observe::write_report(*one.ledger, one.name, file ? file : stderr,
                          {.colour = colour,
                           .unfolded = line.trace_all,
                           .folder = folder,
                           .columns = file ? observe::ReportStyle().columns : columns_of(STDERR_FILENO)});
}

// Child processes of a traced one are traced, too, and are told so by the environment. A child's standard streams are its parent's to read:
// its report goes to a file. 't' and 'a' (all rows): into the folder that follows, which the first process reads when it ends; 'j' (lines of
// JSON) and 'c' (for Perfetto): beside the file whose path follows.
constexpr const char* kTracedChildren = "RONDO_TRACE_CHILDREN";

class Children {
 public:
  explicit Children(const CommandLine& line) {
    if (line.is_traced_child || (line.trace_json && line.trace_output.empty())) return;
    std::error_code nowhere;
    char folder[] = "/tmp/rondo-trace-XXXXXX";
    char form = line.trace_json ? 'j' : 'c';
    std::string path = std::filesystem::absolute(line.trace_output, nowhere).string();
    if (line.trace_output.empty()) {
      if (!mkdtemp(folder)) return;
      form = line.trace_all ? 'a' : 't';
      path = folder_ = folder;
    }
    setenv(kTracedChildren, (form + path).c_str(), 1);
  }

  // The reports of those that have ended, once.
  void copy_reports(FILE* out) const {
    std::error_code gone;
    if (folder_.empty()) return;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, gone)) files.push_back(entry.path());
    std::ranges::sort(files);
    for (const auto& path : files) {
      std::ifstream file(path, std::ios::binary);
      std::ostringstream text;
      text << file.rdbuf();
      fputs(text.str().c_str(), out);
    }
    std::filesystem::remove_all(folder_, gone);
  }

 private:
  std::string folder_;
};

// "trace.json" of process 7 is "trace.7.json".
std::string path_of_child(const std::filesystem::path& path) {
  return path.parent_path() / (path.stem().string() + "." + std::to_string(getpid()) + path.extension().string());
}

}  // namespace

std::optional<CommandLine> as_traced_child(const CommandLine& line) {
  const char* told = getenv(kTracedChildren);
  if (!told || !*told || (line.action != Action::File && line.action != Action::Eval)) return std::nullopt;
  const std::string path = told + 1;
  const bool is_report = *told == 't' || *told == 'a';
  CommandLine traced = line;
  traced.traced = line.action;
  traced.action = Action::Trace;
  traced.is_traced_child = true;
  traced.trace_json = *told == 'j';
  traced.trace_all = *told == 'a';
  traced.is_report_in_file = is_report;
  traced.trace_output = is_report ? path + "/" + std::to_string(getpid()) : path_of_child(path);
  return traced;
}

int trace_program(const CommandLine& line) {
  FILE* file = nullptr;
  if (!line.trace_output.empty()) {
    // Opened first: a run must not end with its trace nowhere to go.
    file = fopen(line.trace_output.c_str(), "we");
    if (!file && line.is_traced_child) return run_program(line, line.traced);  // its parent has ended
    if (!file) {
      fprintf(stderr, "rondo trace: cannot write %s: %s\n", line.trace_output.c_str(), strerror(errno));
      return kExitCannotWrite;
    }
  }
  // The program may go elsewhere; and it may have begun nowhere.
  std::error_code nowhere;
  const std::string folder = std::filesystem::current_path(nowhere).string();
  const Children children(line);
  observe::Ledger ledger;
  WorkerLedgers workers(ledger.start());
  ledger.on_starvation([&](const observe::Record& record) {
    fprintf(stderr, "rondo trace: %s\n", observe::starvation_sentence(ledger, record, folder).c_str());
  });
  return run_program(
      line, line.traced, &ledger,
      [&] {
        const std::string name =
            line.is_traced_child ? line.text + " (process " + std::to_string(getpid()) + ")" : line.text;
        write_trace(line, workers.with({&ledger, 0, name}), folder, file);
        if (!file) return children.copy_reports(stderr);
        if (line.is_traced_child) {
          fclose(file);
          return;
        }
        bool failed = ferror(file) != 0;
        if (fclose(file) != 0 || failed)
          fprintf(stderr, "rondo trace: %s may be incomplete\n", line.trace_output.c_str());
        else
          fprintf(stderr, "rondo trace: wrote %s\n", line.trace_output.c_str());
      },
      [&](uint32_t id, const std::string& name) { return workers.open(id, name); });
}

}  // namespace rondo::cli
