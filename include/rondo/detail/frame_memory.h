// Memory of coroutine frames. Blocks that a thread has freed serve its next coroutines, so a task that is awaited costs no call of
// the allocator. A thread keeps at most kKept blocks of each size and gives them back when it ends; a block may be freed by another
// thread than the one that got it. Under AddressSanitizer nothing is kept, so that it sees every use after the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define RONDO_KEEPS_FRAMES 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define RONDO_KEEPS_FRAMES 0
#endif
#endif
#ifndef RONDO_KEEPS_FRAMES
#define RONDO_KEEPS_FRAMES 1
#endif

namespace rondo {
namespace [[gnu::visibility("default")]] detail {

struct FreeFrames {
  static constexpr std::size_t kStep = 64;
  static constexpr std::size_t kSizes = 32;  // up to 2 KiB
  static constexpr std::uint8_t kKept = 16;
  struct Block {
    Block* next;
  };
  enum class Phase : std::uint8_t { Unused, InUse, ThreadEnds };

  Block* blocks[kSizes];
  std::uint8_t counts[kSizes];
  Phase phase;
};
// Constant-initialized and trivially destroyed: an access is one instruction more than a global's.
inline constinit thread_local FreeFrames free_frames{};

// Arranges that the thread's end gives the blocks back.
void keep_frames_until_thread_ends();

inline void* allocate_frame(std::size_t size) {
#if RONDO_KEEPS_FRAMES
  const std::size_t index = (size - 1) / FreeFrames::kStep;
  if (index < FreeFrames::kSizes) [[likely]] {
    if (FreeFrames::Block* block = free_frames.blocks[index]) {
      free_frames.blocks[index] = block->next;
      free_frames.counts[index]--;
      return block;
    }
    return ::operator new((index + 1) * FreeFrames::kStep);
  }
#endif
  return ::operator new(size);
}

inline void free_frame(void* memory, std::size_t size) noexcept {
#if RONDO_KEEPS_FRAMES
  const std::size_t index = (size - 1) / FreeFrames::kStep;
  if (index < FreeFrames::kSizes && free_frames.counts[index] < FreeFrames::kKept) [[likely]] {
    if (free_frames.phase != FreeFrames::Phase::InUse) [[unlikely]] {
      if (free_frames.phase == FreeFrames::Phase::ThreadEnds) return ::operator delete(memory);
      keep_frames_until_thread_ends();
    }
    auto* block = static_cast<FreeFrames::Block*>(memory);
    block->next = free_frames.blocks[index];
    free_frames.blocks[index] = block;
    free_frames.counts[index]++;
    return;
  }
#endif
  (void)size;
  ::operator delete(memory);
}

// For small objects that an await needs while it waits, and that are not worth a place in every frame.
struct FromFrameMemory {
  static void* operator new(std::size_t size) { return allocate_frame(size); }
  static void operator delete(void* memory, std::size_t size) { free_frame(memory, size); }
};

}  // namespace detail
}  // namespace rondo
