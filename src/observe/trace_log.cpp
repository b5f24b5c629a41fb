// See trace_log.h.
#include "observe/trace_log.h"

#include "observe/trace.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace rondo::observe {

namespace {

constexpr uint32_t kMostInFile = 1 << 19;  // as Node's
constexpr size_t kMostBuffered = 1 << 16;
constexpr int64_t kNsPerUs = 1000;

constexpr std::array<std::string_view, 10> kNames = {
    "node,node.fs,node.fs.sync",
    "node,node.fs,node.fs.async",
    "node,node.fs_dir,node.fs_dir.sync",
    "node,node.fs_dir,node.fs_dir.async",
    "node,node.threadpoolwork,node.threadpoolwork.sync",
    "node,node.threadpoolwork,node.threadpoolwork.async",
    "node,node.dns,node.dns.native",
    "node,node.net,node.net.native",
    "node,node.environment",
    "v8",
};

template <class Each>
void split(std::string_view list, Each each) {
  while (!list.empty()) {
    const auto comma = list.find(',');
    const auto name = list.substr(0, comma);
    if (!name.empty()) each(name);
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
}

int64_t processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000 + time.tv_nsec / kNsPerUs;
}

std::string json_of(const TraceEvent& event) {
  const auto id = event.id ? fmt::format(R"("id":"{:#x}",)", *event.id) : std::string();
  const int64_t used = event.thread ? 0 : processor_time();
  return fmt::format(
      R"({{"pid":{},"tid":{},"ts":{},"tts":{},"ph":"{}","cat":{},"name":{},"dur":{},"tdur":{},{}"args":{}}})", getpid(),
      event.thread ? event.thread : gettid(), event.at / kNsPerUs, used, event.phase, json_string(event.category),
      json_string(event.name), event.duration / kNsPerUs, event.duration / kNsPerUs, id, event.args);
}

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string_view trace_category_name(TraceCategory category) { return kNames[static_cast<size_t>(category)]; }

TraceLog& TraceLog::get() {
  static TraceLog* const log = new TraceLog;  // threads may outlive the end of main()
  return *log;
}

bool TraceLog::Set::has(std::string_view categories) const {
  bool found = false;
  split(categories, [&](std::string_view name) { found = found || names.contains(name); });
  return found;
}

bool TraceLog::wants(std::string_view categories) const {
  const std::lock_guard lock(mutex_);
  return file_categories_.has(categories) || session_categories_.has(categories);
}

void TraceLog::update() {
  uint32_t wanted = 0;
  for (size_t i = 0; i < kNames.size(); i++) {
    if (file_categories_.has(kNames[i]) || session_categories_.has(kNames[i])) wanted |= 1U << i;
  }
  wanted_.store(wanted, std::memory_order_relaxed);
}

void TraceLog::set_categories(Receiver receiver, std::string_view categories) {
  const std::lock_guard lock(mutex_);
  auto& set = receiver == Receiver::File ? file_categories_ : session_categories_;
  set.names.clear();
  split(categories, [&](std::string_view name) { set.names.emplace(name); });
  if (receiver == Receiver::File)
    open_file();
  else
    has_session_ = !set.names.empty();
  update();
}

void TraceLog::set_file_pattern(std::string pattern) {
  const std::lock_guard lock(mutex_);
  pattern_ = std::move(pattern);
}

bool TraceLog::has_file() const {
  const std::lock_guard lock(mutex_);
  return file_ >= 0;
}

bool TraceLog::open_file() {
  if (file_ >= 0) return true;
  if (is_refused_) return false;
  std::string path = pattern_;
  replace_all(path, "${pid}", std::to_string(getpid()));
  replace_all(path, "${rotation}", std::to_string(++rotation_));
  file_ = open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
  if (file_ < 0) {
    is_refused_ = true;
    fprintf(stderr, "Could not open trace file %s: %s\n", path.c_str(), strerror(errno));
    return false;
  }
  in_file_ = 0;
  buffer_ = "{\"traceEvents\":[";
  return true;
}

void TraceLog::add(TraceCategory category, TraceEvent event) {
  event.category = trace_category_name(category);
  add(event);
}

void TraceLog::add(const TraceEvent& event) {
  const std::lock_guard lock(mutex_);
  const bool is_filed = file_categories_.has(event.category), is_sent = session_categories_.has(event.category);
  if (!is_filed && !is_sent) return;
  const auto text = json_of(event);
  if (is_filed) write(text);
  if (is_sent) session_.push_back(text);
}

void TraceLog::add_metadata(const TraceEvent& event) {
  const std::lock_guard lock(mutex_);
  const auto text = json_of(event);
  if (file_ >= 0) write(text);
  if (has_session_) session_.push_back(text);
}

std::vector<std::string> TraceLog::take_session() {
  const std::lock_guard lock(mutex_);
  return std::exchange(session_, {});
}

namespace {

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // a full disk: the rest is lost
    text.remove_prefix(static_cast<size_t>(count));
  }
}

}  // namespace

void TraceLog::write(const std::string& text) {
  if (!open_file()) return;
  if (in_file_ > 0) buffer_ += ',';
  buffer_ += text;
  const bool is_full = ++in_file_ >= kMostInFile;
  if (is_full) buffer_ += "]}";
  if (!is_full && buffer_.size() < kMostBuffered) return;
  write_all(file_, std::exchange(buffer_, {}));
  if (is_full) ::close(std::exchange(file_, -1));
}

void TraceLog::close_file() {
  const std::lock_guard lock(mutex_);
  if (file_ < 0) return;
  write_all(file_, std::exchange(buffer_, {}) + "]}");
  ::close(std::exchange(file_, -1));
}

}  // namespace rondo::observe
