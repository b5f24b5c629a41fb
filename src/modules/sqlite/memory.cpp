// See memory.h. A block has its size before it, and may be freed on any thread.
#include "modules/sqlite/memory.h"

#include "rondo/detail/frame_memory.h"

#include <sqlite3.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace rondo::modules::sqlite {

namespace {

using Header = int64_t;  // SQLite wants an alignment of 8
constexpr int kHeader = sizeof(Header), kStep = detail::FreeFrames::kStep;
constexpr int kLargestKept = static_cast<int>(detail::FreeFrames::kSizes) * kStep - kHeader;

Header& size_of(void* bytes) { return static_cast<Header*>(bytes)[-1]; }

// Room in a block that is kept; of others, a multiple of 8.
int round_up(int size) {
  constexpr int kAlignment = 8;
  if (size > kLargestKept) return (size + kAlignment - 1) & -kAlignment;
  return ((size + kHeader + kStep - 1) & -kStep) - kHeader;
}

void* allocate(int wanted) {
  const int size = round_up(wanted);
  void* block = size <= kLargestKept ? detail::allocate_frame(size + kHeader) : malloc(size + size_t{kHeader});
  if (!block) return nullptr;
  auto* header = static_cast<Header*>(block);
  *header = size;
  return header + 1;
}

void release(void* bytes) {
  auto* header = &size_of(bytes);
  if (*header <= kLargestKept)
    detail::free_frame(header, *header + kHeader);
  else
    free(header);
}

void* reallocate(void* bytes, int wanted) {
  const int size = round_up(wanted);
  const auto before = size_of(bytes);
  if (size == before) return bytes;
  if (size > kLargestKept && before > kLargestKept) {
    auto* header = static_cast<Header*>(realloc(&size_of(bytes), size + size_t{kHeader}));
    if (!header) return nullptr;
    *header = size;
    return header + 1;
  }
  void* moved = allocate(size);
  if (!moved) return nullptr;
  memcpy(moved, bytes, before < size ? before : size);
  release(bytes);
  return moved;
}

}  // namespace

void install_memory() {
  static constexpr sqlite3_mem_methods kMethods = {
      .xMalloc = allocate,
      .xFree = release,
      .xRealloc = reallocate,
      .xSize = [](void* bytes) { return bytes ? static_cast<int>(size_of(bytes)) : 0; },
      .xRoundup = round_up,
      .xInit = [](void*) { return SQLITE_OK; },
      .xShutdown = [](void*) {},
      .pAppData = nullptr,
  };
  sqlite3_config(SQLITE_CONFIG_MALLOC, &kMethods);
}

}  // namespace rondo::modules::sqlite
