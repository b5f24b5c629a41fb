// The file of a recorded run; see the header. Format: "rondo recording 1\n", the start, then events: a tag (one byte), a number, and for
// some tags bytes. Numbers are zigzag varints; bytes and texts have their length before them.
#include "rondo/recording.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace rondo {
namespace {

constexpr std::string_view kMagic = "rondo recording 1\n";
constexpr std::size_t kFlushAt = 64 * 1024;
constexpr int kHighDescriptor = 200;  // so that the program gets the numbers that it always gets
constexpr int kExitDiffers = 125;
constexpr int kSignalCode = 128;
constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP};

void write_fully(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // the disk is full: the replay ends here
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

Result<std::unique_ptr<Recording>> Recording::create(const std::string& path, RecordedStart start) {
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file) return last_failure("open");
  std::unique_ptr<Recording> made(new Recording);
  made->file_ = UniqueFd(fcntl(file.get(), F_DUPFD_CLOEXEC, kHighDescriptor));
  made->start_ = std::move(start);
  made->buffer_ = kMagic;
  made->write_start();
  made->flush();
  current_ = made.get();
  made->catch_ending_signals();
  return made;
}

Result<std::unique_ptr<Recording>> Recording::open(const std::string& path) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return last_failure("open");
  std::unique_ptr<Recording> made(new Recording);
  made->is_replay_ = true;
  char piece[16 * 1024];
  for (;;) {
    const ssize_t got = ::read(file.get(), piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return last_failure("read");
    if (got == 0) break;
    made->buffer_.append(piece, static_cast<std::size_t>(got));
    if (made->buffer_.size() >= kMagic.size() && !made->buffer_.starts_with(kMagic)) return failure(EINVAL, "read");
  }
  made->at_ = kMagic.size();
  if (!made->buffer_.starts_with(kMagic) || !made->read_start()) return failure(EINVAL, "read");
  current_ = made.get();
  return made;
}

Recording::~Recording() {
  if (!is_replay_) flush();
  if (current_ == this) current_ = nullptr;
}

void Recording::write_start() {
  for (const std::int64_t number :
       {static_cast<std::int64_t>(start_.seed), start_.began_at, static_cast<std::int64_t>(start_.pid),
        static_cast<std::int64_t>(start_.parent_pid), static_cast<std::int64_t>(start_.input)})
    put_number(number);
  put_bytes(start_.folder.data(), start_.folder.size());
  for (const auto* list : {&start_.arguments, &start_.environment}) {
    put_number(static_cast<std::int64_t>(list->size()));
    for (const std::string& text : *list) put_bytes(text.data(), text.size());
  }
}

bool Recording::read_start() {
  start_.seed = static_cast<std::uint32_t>(take_number());
  start_.began_at = take_number();
  start_.pid = static_cast<int>(take_number());
  start_.parent_pid = static_cast<int>(take_number());
  start_.input = static_cast<DescriptorKind>(take_number());
  start_.folder = take_bytes();
  for (auto* list : {&start_.arguments, &start_.environment}) {
    for (std::int64_t left = take_number(); left > 0 && at_ < buffer_.size(); left--) list->emplace_back(take_bytes());
  }
  return at_ <= buffer_.size() && !start_.arguments.empty();
}

void Recording::put_number(std::int64_t number) {
  auto rest = (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
  for (; rest >= 0x80; rest >>= 7) buffer_ += static_cast<char>(rest | 0x80);
  buffer_ += static_cast<char>(rest);
}

std::int64_t Recording::take_number() {
  std::uint64_t found = 0;
  for (unsigned shift = 0; at_ < buffer_.size() && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(buffer_[at_++]);
    found |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return static_cast<std::int64_t>(found >> 1) ^ -static_cast<std::int64_t>(found & 1);
  }
  at_ = buffer_.size() + 1;
  return 0;
}

void Recording::put(char tag, std::int64_t number) {
  buffer_ += tag;
  put_number(number);
  if (buffer_.size() > kFlushAt) flush();
}

void Recording::put_bytes(const void* data, std::size_t size) {
  put_number(static_cast<std::int64_t>(size));
  buffer_.append(static_cast<const char*>(data), size);
}

std::int64_t Recording::take(char tag) {
  events_++;
  if (at_ >= buffer_.size()) run_out();
  const char found = buffer_[at_++];
  if (found != tag) fail(tag, found);
  const std::int64_t number = take_number();
  if (at_ > buffer_.size()) run_out();
  return number;
}

std::string_view Recording::take_bytes() {
  const auto size = static_cast<std::size_t>(take_number());
  if (at_ > buffer_.size() || size > buffer_.size() - at_) {
    at_ = buffer_.size() + 1;
    return {};
  }
  const std::string_view found(buffer_.data() + at_, size);
  at_ += size;
  return found;
}

char Recording::next_tag() { return at_ < buffer_.size() ? buffer_[at_] : '\0'; }

void Recording::text(char tag, std::string& text) {
  if (is_replay_) {
    take(tag);
    text = take_bytes();
  } else {
    put(tag, 0);
    put_bytes(text.data(), text.size());
  }
}

Result<Address> Recording::address(char tag, Function<Result<Address>()> ask) {
  if (is_replay_) {
    const int error = static_cast<int>(take(tag));
    const std::string_view bytes = take_bytes();
    if (error) return failure(error, "getsockname");
    return Address(reinterpret_cast<const sockaddr*>(bytes.data()), static_cast<socklen_t>(bytes.size()));
  }
  auto found = ask();
  put(tag, found ? 0 : found.error().number);
  put_bytes(found ? static_cast<const void*>(found->data()) : "", found ? found->size() : 0);
  return found;
}

void Recording::flush() {
  write_fully(file_.get(), buffer_);
  buffer_.clear();
}

void Recording::note_difference(std::string text) {
  if (difference_.empty()) difference_ = std::move(text);
}

void Recording::end(int exit_code) {
  if (!is_replay_) {
    put('X', exit_code);
    flush();
    return;
  }
  if (next_tag() != 'X') return note_difference("the program ends earlier than in the recording");
  if (const auto code = take('X'); code != exit_code)
    note_difference("the exit code was " + std::to_string(code) + ", and is " + std::to_string(exit_code));
}

// A process that was ended from outside wrote its end if a signal did it that can be caught; else (SIGKILL) there is none.
void Recording::run_out() { _exit(kSignalCode + SIGKILL); }

void Recording::fail(char wanted, char found) {
  if (found == 'X' && wanted == 'W') _exit(static_cast<int>(take_number()));  // a signal ended it while it waited
  fprintf(stderr,
          "rondo replay: the program does something else than in the recording (event %llu: %c, recorded was %c); "
          "has it changed, or a file that it reads?\n",
          static_cast<unsigned long long>(events_), wanted, found);
  _exit(kExitDiffers);
}

// Runs while the loop waits (R3), when everything before has been written.
void Recording::end_by_signal(int number) {
  if (Recording* recording = current_) {
    const int zigzag = (kSignalCode + number) * 2;
    const char event[] = {'X', static_cast<char>((zigzag & 0x7f) | 0x80), static_cast<char>(zigzag >> 7)};
    [[maybe_unused]] const ssize_t written = ::write(recording->file_.get(), event, sizeof event);
  }
  signal(number, SIG_DFL);
  raise(number);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, number);
  pthread_sigmask(SIG_UNBLOCK, &mask, nullptr);
}

void Recording::catch_ending_signals() {
  for (const int number : kEnding) {
    struct sigaction before{}, action{};
    if (sigaction(number, nullptr, &before) < 0 || before.sa_handler != SIG_DFL) continue;
    action.sa_handler = end_by_signal;
    sigaction(number, &action, nullptr);
  }
}

}  // namespace rondo
