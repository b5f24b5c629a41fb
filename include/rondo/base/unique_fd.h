// Owner of a file descriptor: closes it once, on destruction. Not thread safe.
#pragma once

#include <utility>

namespace [[gnu::visibility("default")]] rondo {

// Numbers from here on are a simulation's (rondo/sim.h), which closes them; the kernel never gives out such numbers.
inline constexpr int kFirstSimulatedFd = 1 << 30;
void close_fd(int fd);
// Closes simulated descriptors of this thread.
void set_simulated_close(void (*close)(int fd));

class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~UniqueFd() { reset(); }

  void reset(int fd = -1);  // closes what was held; errors of close are of no use to anyone and dropped
  int release() { return std::exchange(fd_, -1); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

}  // namespace rondo
