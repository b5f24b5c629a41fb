// The end of a thread's free coroutine frames.
#include "rondo/detail/frame_memory.h"

namespace rondo::detail {
namespace {

struct AtThreadEnd {
  ~AtThreadEnd() {
    free_frames.phase = FreeFrames::Phase::ThreadEnds;
    for (std::size_t i = 0; i < FreeFrames::kSizes; i++) {
      free_frames.counts[i] = FreeFrames::kKept;  // takes no more
      while (FreeFrames::Block* block = free_frames.blocks[i]) {
        free_frames.blocks[i] = block->next;
        ::operator delete(block);
      }
    }
  }
};

}  // namespace

void keep_frames_until_thread_ends() {
  static thread_local AtThreadEnd at_thread_end;
  (void)at_thread_end;
  free_frames.phase = FreeFrames::Phase::InUse;
}

}  // namespace rondo::detail
