#include "base/byte_search.h"

#include <cstring>

namespace rondo::search {

namespace {

// Where a search may begin, or -1 when nothing can be found.
int64_t starting_point(int64_t length, int64_t offset, int64_t needle, Direction direction) {
  if (offset < 0) {
    if (offset + length >= 0) return offset + length;
    return direction == Direction::Forward || needle == 0 ? 0 : -1;
  }
  if (offset <= length - needle) return offset;
  if (needle == 0) return length;
  return direction == Direction::Forward ? -1 : length - 1;
}

// memchr on the first byte is by far the fastest; when it keeps stopping for nothing, memmem takes over.
const uint8_t* find_forward(const uint8_t* from, const uint8_t* end, Bytes needle) {
  size_t false_starts = 0;
  while (static_cast<size_t>(end - from) >= needle.size()) {
    size_t window = static_cast<size_t>(end - from) - needle.size() + 1;
    auto* hit = static_cast<const uint8_t*>(std::memchr(from, needle[0], window));
    if (hit == nullptr) return nullptr;
    if (std::memcmp(hit, needle.data(), needle.size()) == 0) return hit;
    from = hit + 1;
    if (++false_starts > 16) {
      return static_cast<const uint8_t*>(memmem(from, static_cast<size_t>(end - from), needle.data(), needle.size()));
    }
  }
  return nullptr;
}

// The last occurrence that starts at or before `last`.
int64_t find_backward(Bytes haystack, Bytes needle, int64_t last, int64_t step) {
  int64_t fits = static_cast<int64_t>(haystack.size() - needle.size());
  if (last > fits) last = fits;
  if (step == 2) last &= ~int64_t{1};
  while (last >= 0) {
    if (step == 1) {
      auto* hit = static_cast<const uint8_t*>(memrchr(haystack.data(), needle[0], static_cast<size_t>(last) + 1));
      if (hit == nullptr) return -1;
      last = hit - haystack.data();
    }
    if (std::memcmp(haystack.data() + last, needle.data(), needle.size()) == 0) return last;
    last -= step;
  }
  return -1;
}

}  // namespace

int64_t find_byte(Bytes haystack, uint8_t byte, int64_t offset, Direction direction) {
  int64_t at = starting_point(static_cast<int64_t>(haystack.size()), offset, 1, direction);
  if (at < 0 || haystack.empty()) return -1;
  const void* hit = direction == Direction::Forward
                        ? std::memchr(haystack.data() + at, byte, haystack.size() - static_cast<size_t>(at))
                        : memrchr(haystack.data(), byte, static_cast<size_t>(at) + 1);
  return hit == nullptr ? -1 : static_cast<const uint8_t*>(hit) - haystack.data();
}

int64_t find(Bytes haystack, Bytes needle, int64_t offset, Direction direction) {
  int64_t at =
      starting_point(static_cast<int64_t>(haystack.size()), offset, static_cast<int64_t>(needle.size()), direction);
  if (needle.empty()) return at;
  if (haystack.empty() || at < 0 || needle.size() > haystack.size()) return -1;
  if (direction == Direction::Backward) return find_backward(haystack, needle, at, 1);
  auto* hit = find_forward(haystack.data() + at, haystack.data() + haystack.size(), needle);
  return hit == nullptr ? -1 : hit - haystack.data();
}

int64_t find_units(Bytes haystack, Bytes needle, int64_t offset, Direction direction) {
  int64_t at =
      starting_point(static_cast<int64_t>(haystack.size()), offset, static_cast<int64_t>(needle.size()), direction);
  if (needle.empty()) return at;
  haystack = haystack.first(haystack.size() & ~size_t{1});
  needle = needle.first(needle.size() & ~size_t{1});
  if (haystack.empty() || needle.empty() || at < 0 || needle.size() > haystack.size()) return -1;
  if (direction == Direction::Backward) return find_backward(haystack, needle, at, 2);
  const uint8_t* end = haystack.data() + haystack.size();
  const uint8_t* from = haystack.data() + (at & ~int64_t{1});
  while (const uint8_t* hit = find_forward(from, end, needle)) {
    int64_t position = hit - haystack.data();
    if (position % 2 == 0) return position;
    from = hit + 1;
  }
  return -1;
}

}  // namespace rondo::search
