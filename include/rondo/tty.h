// Terminals: a stream with a mode and a size. Raw mode is undone when the handle closes, when the
// process exits, and by Tty::restore_all() (safe in a signal handler). Rules of owner and thread: handle.h.
#pragma once

#include <cstdint>

#include "rondo/base/unique_fd.h"
#include "rondo/signal.h"
#include "rondo/stream.h"

namespace [[gnu::visibility("default")]] rondo {

enum class TtyMode : std::uint8_t {
  Normal,  // as the terminal was found
  Raw,     // every key at once: no echo, no line editing, no signals from keys; output still translated
  Io,      // raw, and output as it is (cfmakeraw)
};

struct TtySize {
  int columns = 0;
  int rows = 0;
};

class Tty final : public Stream {
 public:
  explicit Tty(Loop& loop);
  ~Tty() override;

  // A terminal, else ENOTTY. Standard streams: pass a dup(2), the handle closes what it owns. The terminal is opened anew
  // where it can be, so that O_NONBLOCK of what others share stays as it is; fd() is then another number.
  [[nodiscard]] Result<void> open(UniqueFd terminal);
  [[nodiscard]] Result<void> set_mode(TtyMode mode);
  [[nodiscard]] Result<TtySize> size() const;
  // Called from the loop after SIGWINCH, if the size differs. Does not keep the loop alive.
  [[nodiscard]] Result<void> on_resize(Function<void(TtySize)> function);

  static void restore_all();
  static bool is_terminal(int fd);
  [[nodiscard]] static Result<TtySize> size_of(int fd);  // of a terminal without a handle

 private:
  void begin_close() override;
  void drop_functions() override;
  void restore();
  void take_resize();

  Signal resized_;
  Callback<void(TtySize)> on_resize_;
  TtySize last_size_;
  TtyMode terminal_mode_ = TtyMode::Normal;
};

}  // namespace rondo
