// A recorded run, and the same run again. While it is recorded, everything that comes from outside through the loop (completions with
// their bytes, the order of them, times, results of calls on sockets, signals) is written to a file; a replay takes all of it from there,
// and has no network. The program's half runs as it always does, so a replay gives the same callbacks with the same times.
//
//   auto recording = Recording::create("run.rec", header);      Recording::open("run.rec")
//   RecordedWorld world(*recording);
//   Loop loop(world.options());
//   loop.add_observer(world.observer());
//
// Rules:
//  R1  file operations and pool jobs are done on the loop's thread; a replay does them again, and compares results. Lookups of names
//      are not done again.
//  R2  the clock goes on where the loop has waited and where a callback begins.
//  R3  signals arrive while the loop waits.
//  R4  one thread, no children, no datagrams.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/address.h"
#include "rondo/base/clock.h"
#include "rondo/base/function.h"
#include "rondo/base/unique_fd.h"
#include "rondo/decider.h"
#include "rondo/loop.h"
#include "rondo/observer.h"
#include "rondo/system.h"

namespace rondo {

// Facts that hold for the whole run.
struct RecordedStart {
  std::uint32_t seed = 1;  // of random numbers
  std::int64_t began_at = 0;  // milliseconds since 1970
  int pid = 0;
  int parent_pid = 0;
  DescriptorKind input = DescriptorKind::None;  // standard input
  std::string folder;
  std::vector<std::string> arguments;  // of the command line
  std::vector<std::string> environment;
};

class Recording {
 public:
  static Result<std::unique_ptr<Recording>> create(const std::string& path, RecordedStart start);
  static Result<std::unique_ptr<Recording>> open(const std::string& path);  // EINVAL: no recording
  ~Recording();

  // The one of this process, or null.
  static Recording* current() { return current_; }

  const RecordedStart& start() const { return start_; }
  bool is_replay() const { return is_replay_; }

  // A number from outside: of the call when the run is recorded, of the file when it is replayed. `tag` says which kind; a replay that
  // asks for another kind than the recording has next is another program, and ends.
  template <class Call>
  long result(char tag, Call&& call) {
    if (is_replay_) return static_cast<long>(take(tag));
    const long number = call();
    put(tag, number);
    return number;
  }
  Result<Address> address(char tag, Function<Result<Address>()> ask);
  void text(char tag, std::string& text);  // written, or replaced by that of the file

  void put(char tag, std::int64_t number);
  void put_bytes(const void* data, std::size_t size);
  std::int64_t take(char tag);
  std::string_view take_bytes();
  char next_tag();  // 0: the recording ends here
  void flush();
  // A result of the program's own work differs: told at the end.
  void note_difference(std::string text);
  const std::string& difference() const { return difference_; }
  // The run ends: its code is written, and compared in a replay.
  void end(int exit_code);
  // At the end of the file: the recorded process was ended from outside.
  [[noreturn]] void run_out();

 private:
  Recording() = default;
  void put_number(std::int64_t number);
  std::int64_t take_number();
  void write_start();
  bool read_start();
  [[noreturn]] void fail(char wanted, char found);
  static void end_by_signal(int number);
  void catch_ending_signals();

  static inline Recording* current_ = nullptr;
  RecordedStart start_;
  bool is_replay_ = false;
  UniqueFd file_;
  std::string buffer_;  // not written yet, or the whole file
  std::size_t at_ = 0;
  std::uint64_t events_ = 0;
  std::string difference_;
};

class RecordPoller;

class RecordedWorld final : public Clock, public Decider, private Observer {
 public:
  explicit RecordedWorld(Recording& recording);
  LoopOptions options();
  Observer& observer() { return *this; }
  // For a program that asks for the time of day: a callback that asks a thousand times is waiting.
  Nanoseconds read();

  Nanoseconds now() override;
  bool skip_to(Nanoseconds) override { return false; }
  std::uint32_t choose(Choice, std::uint32_t) override { return 0; }

 private:
  friend class RecordPoller;
  void advance();  // R2
  void callback_begin(HandleKind, std::uint32_t) override;

  Recording& recording_;
  Nanoseconds now_;
  Nanoseconds began_;
  std::uint32_t readings_ = 0;
};

}  // namespace rondo
