// The timing wheel and its sorted front; the picture and the invariants are in the header.
#include "rondo/detail/timer_queue.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace rondo {

inline TimerQueue::Spot TimerQueue::spot_of(std::uint64_t tick) const {
  const int level = (63 - std::countl_zero(tick ^ cursor_)) / kSlotBits;  // T1
  return {level, (tick >> (level * kSlotBits)) & (kSlots - 1)};
}

inline void TimerQueue::link(Timer& timer, Spot spot) {
  levels_[spot.level].slots[spot.slot].push_back(timer);
  levels_[spot.level].used[spot.slot / 64] |= std::uint64_t{1} << (spot.slot % 64);
}

inline void TimerQueue::place(Timer& timer) {
  const std::uint64_t tick = tick_of(timer.deadline_);
  if (tick <= cursor_) {
    place_in_front(timer);
    return;
  }
  link(timer, spot_of(tick));
  timer.place_ = kWheel;
  if (wheel_size_++ == 0 || timer.deadline_ < wheel_next_) {
    wheel_next_ = timer.deadline_;
    wheel_next_stale_ = false;
  }
}

void TimerQueue::insert(Timer& timer) {
  timer.sequence_ = next_sequence_++;
  size_++;
  if (visiting_ && timer.deadline_ <= visit_now_) {  // T4
    timer.place_ = kDeferred;
    deferred_.push_back(timer);
    return;
  }
  place(timer);
}

void TimerQueue::remove(Timer& timer) {
  switch (static_cast<Place>(timer.place_)) {
    case kNowhere:
      return;
    case kWheel:
      if (timer.deadline_ == wheel_next_) wheel_next_stale_ = true;
      wheel_size_--;
      [[fallthrough]];
    case kDeferred:
      timer.unlink();
      break;
    case kRun:
      run_[timer.index_ - run_base_].timer = nullptr;
      break;
    case kHeap:
      heap_remove(timer.index_);
      break;
  }
  timer.place_ = kNowhere;
  size_--;
}

void TimerQueue::place_in_front(Timer& timer) {
  if (run_position_ == run_.size() || timer.deadline_ >= run_.back().deadline) {
    append_to_run(timer);  // T3; its sequence is the highest so far
  } else {
    heap_push(timer);
  }
}

void TimerQueue::append_to_run(Timer& timer) {
  if (run_position_ == run_.size()) {
    run_base_ += static_cast<std::uint32_t>(run_.size());
    run_.clear();
    run_position_ = 0;
  } else if (run_position_ >= 1024 && run_position_ * 2 >= run_.size()) {
    run_base_ += static_cast<std::uint32_t>(run_position_);
    run_.erase(run_.begin(), run_.begin() + static_cast<std::ptrdiff_t>(run_position_));
    run_position_ = 0;
  }
  timer.place_ = kRun;
  timer.index_ = run_base_ + static_cast<std::uint32_t>(run_.size());
  run_.push_back({timer.deadline_, timer.sequence_, &timer});
}

void TimerQueue::drain_level(int level, std::uint64_t from, std::uint64_t to, List<Timer>& out) {
  Level& wheel = levels_[level];
  for (std::uint64_t slot = from; slot <= to; slot++) {
    const std::uint64_t word = wheel.used[slot / 64] >> (slot % 64);
    if (word == 0) {
      slot |= 63;  // nothing more in this word
      continue;
    }
    slot += static_cast<std::uint64_t>(std::countr_zero(word));
    if (slot > to) return;
    wheel.used[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    out.take(wheel.slots[slot]);
  }
}

void TimerQueue::advance(Nanoseconds now) {
  const std::uint64_t tick = tick_of(now);
  if (tick <= cursor_) return;
  const std::uint64_t old = cursor_;
  cursor_ = tick;
  if (wheel_size_ == 0) return;

  List<Timer> moved;
  int level = 0;
  for (; level < kLevels; level++) {
    const std::uint64_t from = old >> (level * kSlotBits);
    const std::uint64_t to = tick >> (level * kSlotBits);
    if (from == to) break;
    const bool same_parent = (from >> kSlotBits) == (to >> kSlotBits);
    drain_level(level, same_parent ? (from & (kSlots - 1)) + 1 : 0, same_parent ? to & (kSlots - 1) : kSlots - 1,
                moved);
  }
  if (moved.is_empty()) return;

  // All levels below the highest one looked at are empty now. Timers that come back to them are the wheel's soonest.
  const int highest = level - 1;
  bool first = true;
  std::size_t sort_from = 0;
  Nanoseconds soonest = kNever;
  while (!moved.is_empty()) {
    Timer& timer = moved.pop_front();
    if (const std::uint64_t tick = tick_of(timer.deadline_); tick > cursor_) {
      const Spot spot = spot_of(tick);
      link(timer, spot);
      if (spot.level < highest) soonest = std::min(soonest, timer.deadline_);
      continue;
    }
    wheel_size_--;
    append_to_run(timer);
    if (first) sort_from = run_.size() - 1;
    first = false;
  }
  wheel_next_stale_ = soonest == kNever;  // wheel_next_ stays a lower bound then
  if (!wheel_next_stale_) wheel_next_ = soonest;
  if (!first) sort_run(sort_from);
}

void TimerQueue::sort_run(std::size_t from) {
  // Trimming happens on the first append at the latest, so `from` still counts from run_[0].
  const auto begin = run_.begin() + static_cast<std::ptrdiff_t>(from);
  const auto before = [](const Entry& a, const Entry& b) { return a.before(b); };
  if (std::is_sorted(begin, run_.end(), before)) return;
  std::sort(begin, run_.end(), before);
  for (std::size_t i = from; i < run_.size(); i++) run_[i].timer->index_ = run_base_ + static_cast<std::uint32_t>(i);
}

const TimerQueue::Entry* TimerQueue::run_head() {
  while (run_position_ < run_.size()) {
    if (run_[run_position_].timer) return &run_[run_position_];
    run_position_++;
  }
  return nullptr;
}

void TimerQueue::begin_visit(Nanoseconds now) {
  advance(now);
  visiting_ = true;
  visit_now_ = now;
}

Timer* TimerQueue::pop_due() {
  const Entry* head = run_head();
  if (!heap_.empty() && (!head || heap_[0].before(*head))) {
    if (heap_[0].deadline > visit_now_) return nullptr;
    Timer* timer = heap_[0].timer;
    heap_remove(0);
    timer->place_ = kNowhere;
    size_--;
    return timer;
  }
  if (!head || head->deadline > visit_now_) return nullptr;
  Timer* timer = head->timer;
  run_position_++;
  timer->place_ = kNowhere;
  size_--;
  return timer;
}

void TimerQueue::end_visit() {
  visiting_ = false;
  while (!deferred_.is_empty()) place(deferred_.pop_front());
}

Nanoseconds TimerQueue::next_deadline() {
  if (size_ == 0) return kNever;
  const Entry* head = run_head();
  if (head || !heap_.empty()) {
    if (!head) return heap_[0].deadline;
    return heap_.empty() ? head->deadline : std::min(head->deadline, heap_[0].deadline);
  }
  if (wheel_next_stale_) {
    wheel_next_ = scan_wheel();
    wheel_next_stale_ = false;
  }
  return wheel_next_;
}

// The first used slot of the lowest used level that holds a timer of its own holds the earliest one (T1).
Nanoseconds TimerQueue::scan_wheel() {
  for (int level = 0; level < kLevels; level++) {
    for (std::size_t word = 0; word < kSlots / 64; word++) {
      while (const std::uint64_t bits = levels_[level].used[word]) {
        const Spot spot{level, word * 64 + static_cast<std::size_t>(std::countr_zero(bits))};
        if (const Nanoseconds earliest = scan_slot(spot); earliest != kNever) return earliest;
        levels_[level].used[word] &= ~(bits & -bits);
      }
    }
  }
  return kNever;
}

// Postponed timers (T5) go on to where they belong, each for a re-arming that did not touch the wheel. kNever: none is left.
Nanoseconds TimerQueue::scan_slot(Spot spot) {
  constexpr int kScanLimit = 64;
  List<Timer>& timers = levels_[spot.level].slots[spot.slot];
  Nanoseconds earliest = kNever;
  int looked_at = 0;
  for (ListNode* node = timers.first_node(); node != timers.end_node();) {
    auto& timer = static_cast<Timer&>(*node);
    node = node->next;
    if (const Spot own = spot_of(tick_of(timer.deadline_)); own != spot) {
      timer.unlink();
      link(timer, own);
      continue;
    }
    earliest = std::min(earliest, timer.deadline_);
    if (++looked_at < kScanLimit) continue;
    const int shift = spot.level * kSlotBits;
    return static_cast<Nanoseconds>((tick_of(earliest) >> shift) << (shift + kTickShift));
  }
  return earliest;
}

void TimerQueue::heap_push(Timer& timer) {
  timer.place_ = kHeap;
  heap_.push_back({timer.deadline_, timer.sequence_, &timer});
  timer.index_ = static_cast<std::uint32_t>(heap_.size() - 1);
  heap_up(heap_.size() - 1);
}

void TimerQueue::heap_set(std::size_t index, const Entry& entry) {
  heap_[index] = entry;
  entry.timer->index_ = static_cast<std::uint32_t>(index);
}

void TimerQueue::heap_up(std::size_t index) {
  const Entry entry = heap_[index];
  while (index > 0) {
    const std::size_t parent = (index - 1) / 4;
    if (!entry.before(heap_[parent])) break;
    heap_set(index, heap_[parent]);
    index = parent;
  }
  heap_set(index, entry);
}

void TimerQueue::heap_down(std::size_t index) {
  const Entry entry = heap_[index];
  for (;;) {
    const std::size_t first = index * 4 + 1;
    if (first >= heap_.size()) break;
    std::size_t least = first;
    for (std::size_t child = first + 1; child < std::min(first + 4, heap_.size()); child++) {
      if (heap_[child].before(heap_[least])) least = child;
    }
    if (!heap_[least].before(entry)) break;
    heap_set(index, heap_[least]);
    index = least;
  }
  heap_set(index, entry);
}

void TimerQueue::heap_remove(std::size_t index) {
  const Entry last = heap_.back();
  heap_.pop_back();
  if (index == heap_.size()) return;
  heap_set(index, last);
  heap_up(index);
  heap_down(last.timer->index_);
}

}  // namespace rondo
