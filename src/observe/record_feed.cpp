// See record_feed.h.
#include "observe/record_feed.h"

#include "observe/frame_type.h"
#include "observe/ledger_native.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace rondo::observe {

namespace {

template <class T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

constexpr uint64_t kMostAtOnce = 1U << 15;
constexpr size_t kFeedHead = sizeof(uint32_t) + sizeof(uint64_t);

}  // namespace

void RecordFeed::open(runtime::Runtime& runtime) {
  const std::lock_guard lock(mutex_);
  for (const auto& source : sources_)
    if (source->runtime == &runtime) return;
  if (!start_) start_ = steady_now();
  const size_t capacity = runtime.is_main() ? Ledger::kDefaultCapacity : Ledger::kDefaultCapacity / 8;
  auto& made = *sources_.emplace_back(new Source{&runtime, runtime.number(), Ledger(capacity, start_)});
  is_on_ = true;
  runtime.loop().add_observer(made.ledger);
  runtime.tasks().add(made.ledger);
  set_traced(runtime, true);
}

void RecordFeed::close(runtime::Runtime& runtime) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(sources_, [&](const auto& source) { return source->runtime == &runtime; });
  if (found == sources_.end()) return;
  runtime.tasks().remove((*found)->ledger);
  runtime.loop().remove_observer((*found)->ledger);
  set_traced(runtime, runtime.tasks().is_traced());
  sources_.erase(found);
  if (sources_.empty()) is_on_ = has_told_start_ = false;
}

void RecordFeed::flush(runtime::Runtime& runtime) {
  const std::lock_guard lock(mutex_);
  for (const auto& source : sources_)
    if (source->runtime == &runtime) source->ledger.flush();
}

void RecordFeed::note_exit(int code) {
  const std::lock_guard lock(mutex_);
  for (const auto& source : sources_) {
    if (!source->runtime->is_main()) continue;
    source->ledger.note_exit(code);
    source->ledger.flush();
  }
}

bool RecordFeed::send(const Send& send) {
  const std::lock_guard lock(mutex_);
  if (!sources_.empty() && !std::exchange(has_told_start_, true))
    send(kJsonFrame, fmt::format("{{\"kind\":\"records\",\"start\":{:.3f}}}", static_cast<double>(start_) / 1e6));
  return std::ranges::all_of(sources_, [&](auto& source) { return send_one(*source, send); });
}

bool RecordFeed::send_one(Source& source, const Send& send) {
  const auto& ring = source.ledger.ring();
  const uint64_t capacity = ring.capacity();
  for (;;) {
    const uint64_t written = ring.header().written.load(std::memory_order_acquire);
    if (written == source.read) return true;
    uint64_t from = std::max(source.read, written > capacity ? written - capacity : 0);
    const uint64_t to = std::min(written, from + kMostAtOnce);
    // [runtime][lost][records]; the memory is used again and again.
    auto& bytes = source.frame;
    bytes.clear();
    append(bytes, source.number);
    append(bytes, uint64_t{0});
    // In two pieces where it goes over the ring's end.
    for (uint64_t at = from; at < to;) {
      const uint64_t place = at % capacity, count = std::min(to - at, capacity - place);
      bytes.append(reinterpret_cast<const char*>(&ring.records()[place]), count * sizeof(Record));
      at += count;
    }
    // Records that were overwritten meanwhile are lost.
    const uint64_t now = ring.header().written.load(std::memory_order_acquire) + 1;
    const uint64_t safe = now > capacity ? std::min(to, now - capacity) : 0;
    if (safe > from) {
      bytes.erase(kFeedHead, (safe - from) * sizeof(Record));
      from = safe;
    }
    const uint64_t lost = from - source.read;
    std::memcpy(bytes.data() + sizeof source.number, &lost, sizeof lost);
    std::string names;
    append(names, source.number);
    const uint32_t last = ring.header().names.load(std::memory_order_acquire);
    const uint32_t slots = ring.name_slots();
    for (uint32_t number = std::max(source.named + 1, last > slots ? last - slots + 1 : 1); number <= last; number++) {
      const auto& slot = ring.names()[number % slots];
      if (slot.number.load(std::memory_order_acquire) != number) continue;
      append(names, number);
      append(names, slot.length);
      names.append(slot.text, slot.length);
    }
    source.named = last;
    if (names.size() > sizeof source.number && !send(kNamesFrame, names)) return false;
    source.read = to;
    if (!send(kRecordsFrame, bytes)) return false;
  }
}

}  // namespace rondo::observe
