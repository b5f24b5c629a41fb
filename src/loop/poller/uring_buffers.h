// The buffers that the kernel fills for receives without a buffer of their own (a provided buffer ring). Memory comes
// with the first such receive and grows when the kernel runs out; an idle connection pins none.
#pragma once

#include <liburing.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace rondo {

class UringBuffers {
 public:
  static constexpr int kGroup = 1;
  static constexpr std::size_t kBufferBytes = 16 * 1024;

  UringBuffers() = default;
  UringBuffers(const UringBuffers&) = delete;
  UringBuffers& operator=(const UringBuffers&) = delete;
  ~UringBuffers();

  // Registers with the ring; 0 or -errno. Idempotent.
  int open(io_uring& ring);
  // Another portion of buffers, up to the limit.
  void grow();
  void give_back(int id);
  std::byte* data(int id) {
    return chunks_[static_cast<std::size_t>(id) / kChunk].get() +
           (static_cast<std::size_t>(id) % kChunk) * kBufferBytes;
  }
  bool is_open() const { return ring_ != nullptr; }
  // After fork: the registration belongs to the parent's ring.
  void forget();

 private:
  static constexpr unsigned kEntries = 512;
  static constexpr std::size_t kChunk = 32;

  void offer(int id);

  io_uring_buf_ring* ring_ = nullptr;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
};

}  // namespace rondo
