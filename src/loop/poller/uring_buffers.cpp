// Provided buffers; see the header. Called by the io_uring poller alone.
#include "loop/poller/uring_buffers.h"

#include <sys/mman.h>

#include <cerrno>

namespace rondo {
namespace {

constexpr std::size_t ring_bytes(unsigned entries) { return entries * sizeof(io_uring_buf); }

}  // namespace

UringBuffers::~UringBuffers() { forget(); }

void UringBuffers::forget() {
  if (ring_) munmap(ring_, ring_bytes(kEntries));
  ring_ = nullptr;
  chunks_.clear();
}

int UringBuffers::open(io_uring& ring) {
  if (ring_) return 0;
  void* memory = mmap(nullptr, ring_bytes(kEntries), PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
  if (memory == MAP_FAILED) return -errno;
  io_uring_buf_reg registration{};
  registration.ring_addr = reinterpret_cast<std::uintptr_t>(memory);
  registration.ring_entries = kEntries;
  registration.bgid = kGroup;
  if (const int error = io_uring_register_buf_ring(&ring, &registration, 0); error < 0) {
    munmap(memory, ring_bytes(kEntries));
    return error;
  }
  ring_ = static_cast<io_uring_buf_ring*>(memory);
  io_uring_buf_ring_init(ring_);
  grow();
  return 0;
}

void UringBuffers::grow() {
  const std::size_t count = chunks_.size() * kChunk;
  if (count >= kEntries) return;
  chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(kChunk * kBufferBytes));
  for (std::size_t i = 0; i < kChunk; i++) offer(static_cast<int>(count + i));
}

void UringBuffers::give_back(int id) { offer(id); }

void UringBuffers::offer(int id) {
  io_uring_buf_ring_add(ring_, data(id), kBufferBytes, static_cast<unsigned short>(id),
                        io_uring_buf_ring_mask(kEntries), 0);
  io_uring_buf_ring_advance(ring_, 1);
}

}  // namespace rondo
