// See run_server.h.
#include "cli/run_server.h"

#include "cli/commands.h"
#include "engine/core/single_thread.h"

#include "rondo/base/clock.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace rondo::cli {

namespace {

constexpr int kAnswers = 3;
constexpr size_t kMostText = size_t{1} << 20;
constexpr int kExitNoMemory = 12;
constexpr int kExitNoFiles = 125;
constexpr int kExitBadSchedule = 9;

void write_all(const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = write(kAnswers, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) _exit(0);  // nobody wants it any more
    at += written;
    size -= static_cast<size_t>(written);
  }
}

std::string text_of(int fd) {
  struct stat file{};
  if (fstat(fd, &file) != 0) return {};
  std::string text(std::min(static_cast<size_t>(file.st_size), kMostText), '\0');
  size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = pread(fd, text.data() + size, text.size() - size, static_cast<off_t>(size));
    if (got <= 0) break;
    size += static_cast<size_t>(got);
  }
  text.resize(size);
  return text;
}

int64_t milliseconds_now() { return steady_now() / 1'000'000; }

// Milliseconds for which the process was ready to run and had no processor.
int64_t starved(pid_t child) {
  const UniqueFd file(open(("/proc/" + std::to_string(child) + "/schedstat").c_str(), O_RDONLY | O_CLOEXEC));
  char text[128] = {};
  unsigned long long waited = 0;
  if (!file || read(file.get(), text, sizeof text - 1) <= 0 || sscanf(text, "%*u %llu", &waited) != 1) return 0;
  return static_cast<int64_t>(waited / 1'000'000);
}

// The child's end within `limit` milliseconds, not counting those in which a busy machine had no processor for it; else it is ended. Its
// status; -1: it took too long.
int await(pid_t child, int limit) {
  const UniqueFd handle(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
  pollfd question{handle.get(), POLLIN, 0};
  const int64_t start = milliseconds_now();
  int count = 0;
  for (int64_t left = limit; left > 0 && count <= 0; left = start + limit + starved(child) - milliseconds_now())
    count = ::poll(&question, 1, static_cast<int>(left));
  int status = 0;
  if (count <= 0) kill(-child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  kill(-child, SIGKILL);  // children that it left
  return count <= 0 ? -1 : status;
}

// The flags of a run as its answer names them: a minus, then a letter for each.
std::string letters_of(uint32_t flags) {
  std::string letters = "-";
  if (flags & ChoiceLog::Limited) letters += 'l';
  if (flags & ChoiceLog::Stuck) letters += 's';
  if (flags & ChoiceLog::Outside) letters += 'o';
  if (flags & ChoiceLog::Misfit) letters += 'm';
  return letters;
}

}  // namespace

struct RunServer::Texts {
  UniqueFd out{memfd_create("stdout", MFD_CLOEXEC)}, err{memfd_create("stderr", MFD_CLOEXEC)},
      notes{memfd_create("notes", MFD_CLOEXEC)};
};

RunServer::RunServer(RunFiles files, std::string script, int limit_ms)
    : files_(files),
      script_(std::move(script)),
      limit_(limit_ms),
      lines_(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, kAnswers + 1)) {
  void* memory = mmap(nullptr, sizeof(ChoiceLog), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) _exit(kExitNoMemory);
  log_ = static_cast<ChoiceLog*>(memory);
  const UniqueFd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  dup2(nothing.get(), STDIN_FILENO);
}

bool RunServer::read_line(std::string& line) const {
  line.clear();
  for (;;) {
    char c;
    const ssize_t got = read(lines_.get(), &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    if (c == '\n') return true;
    line += c;
  }
}

void RunServer::serve() {
  std::string text;
  while (read_line(text)) {
    const bool explains = text.starts_with('!');
    if (explains) text.erase(0, 1);
    auto schedule = parse_schedule(text);
    if (!schedule) _exit(kExitBadSchedule);
    log_->flags = log_->count = 0;
    auto texts = std::make_unique<Texts>();
    fcntl(texts->out.get(), F_SETFL, O_APPEND);
    fcntl(texts->err.get(), F_SETFL, O_APPEND);
    const pid_t child = fork();
    if (child < 0) _exit(kExitNoMemory);
    if (child == 0) {
      schedule_ = std::move(*schedule);
      channels_ = {log_, texts->notes.get(), explains};
      return become_run(*texts.release());  // its notes stay open
    }
    setpgid(child, child);
    answer(await(child, limit_), *texts);
  }
  _exit(0);
}

void RunServer::become_run(const Texts& texts) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(texts.out.get(), STDOUT_FILENO);
  dup2(texts.err.get(), STDERR_FILENO);
  close(kAnswers);
  lines_.reset();
  if (!set_up_files(files_, script_)) _exit(kExitNoFiles);
}

void RunServer::begin(ExploreRun& run) const { run.begin(schedule_, channels_); }

void RunServer::answer(int status, const Texts& of_run) const {
  const std::string texts[] = {text_of(of_run.out.get()), text_of(of_run.err.get()), text_of(of_run.notes.get())};
  const bool is_late = status == -1;
  const int code = !is_late && WIFEXITED(status) ? WEXITSTATUS(status) : kExitStuck;
  const int signal = !is_late && WIFSIGNALED(status) ? WTERMSIG(status) : is_late ? -1 : 0;
  const uint32_t count = log_->count;
  char head[128];
  const int size = snprintf(head, sizeof head, "%d %d %s %u %zu %zu %zu\n", code, signal,
                            letters_of(log_->flags).c_str(), count, texts[0].size(), texts[1].size(), texts[2].size());
  write_all(head, static_cast<size_t>(size));
  write_all(log_->entries, count * sizeof(ChoiceLog::Entry));
  for (const auto& text : texts) write_all(text.data(), text.size());
}

int serve_explorer(const CommandLine& line) {
  engine::keep_freed_memory();
  RunServer server(line.real_files ? RunFiles::Real : best_run_files(), line.text, line.explore_limit);
  CommandLine own = line;
  own.run_server = &server;
  return run_program(own, own.action);
}

}  // namespace rondo::cli
