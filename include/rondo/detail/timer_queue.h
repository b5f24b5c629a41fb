// The timers of one loop: a timing wheel for what is far, an exactly sorted front for what is near.
// Insert, remove and re-arm are O(1) for the wheel; firing costs a sort of one slot's timers.
// Not for use outside the library; Loop owns it, Timer calls it.
//
//   deadline (ns) >> 20 = tick (about 1 ms)
//   front: all timers with tick <= cursor          wheel: all others
//   [ run: sorted vector | heap: late arrivals ]   [ level 0: 256 ticks | level 1: 256 x 256 | ... ]
//
//  T1  a timer's spot is in the wheel level of the highest byte in which its tick differs from the cursor,
//      so every timer of a level is due before every timer of the next.
//  T2  everything in the front is due before everything in the wheel.
//  T3  the run is sorted by (deadline, sequence); a late arrival that would not go to its end goes to
//      the heap.
//  T4  while a visit fires timers, a timer started with a deadline already reached waits in
//      `deferred_` until the visit ends.
//  T5  a timer in the wheel that is re-armed for a later time stays where it is: it sits in its spot or in an
//      earlier one, and moves on when the cursor or the search for the next deadline comes by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rondo/timer.h"

namespace [[gnu::visibility("default")]] rondo {

class TimerQueue {
 public:
  explicit TimerQueue(Nanoseconds now = 0) : cursor_(tick_of(now)) {}
  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;

  // Takes the timer's deadline as it stands. Its sequence becomes the next one.
  void insert(Timer& timer);
  void remove(Timer& timer);
  // Re-arms without leaving the wheel, touching nothing but the timer (T5). False: the timer must be removed and
  // inserted instead.
  bool postpone(Timer& timer, Nanoseconds deadline) {
    if (timer.place_ != kWheel || deadline < timer.deadline_) return false;
    if (timer.deadline_ == wheel_next_) wheel_next_stale_ = true;
    timer.deadline_ = deadline;
    timer.sequence_ = next_sequence_++;
    return true;
  }

  // Fires nothing itself: after begin_visit(now), pop_due() hands out what is due at `now`, in order, until
  // null; then end_visit().
  void begin_visit(Nanoseconds now);
  Timer* pop_due();
  void end_visit();

  // Where to sleep until: exact, except that a crowded slot whose first timer was stopped may be given
  // by its beginning. kNever when empty.
  Nanoseconds next_deadline();
  std::size_t size() const { return size_; }
  // Every timer that is active, in no particular order. `visit` must not change any.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Level& level : levels_)
      for (const List<Timer>& slot : level.slots) slot.for_each(visit);
    for (std::size_t i = run_position_; i < run_.size(); i++)
      if (run_[i].timer) visit(*run_[i].timer);
    for (const Entry& entry : heap_)
      if (entry.timer) visit(*entry.timer);
    deferred_.for_each(visit);
  }

 private:
  enum Place : std::uint8_t { kNowhere, kWheel, kRun, kHeap, kDeferred };
  static constexpr int kTickShift = 20;
  static constexpr int kLevels = 6;
  static constexpr int kSlotBits = 8;
  static constexpr std::size_t kSlots = 1 << kSlotBits;

  struct Entry {
    Nanoseconds deadline;
    std::uint64_t sequence;
    Timer* timer;  // null: stopped since
    bool before(const Entry& other) const {
      return deadline != other.deadline ? deadline < other.deadline : sequence < other.sequence;
    }
  };
  struct Spot {
    int level;
    std::size_t slot;
    bool operator==(const Spot&) const = default;
  };
  struct Level {
    std::array<List<Timer>, kSlots> slots;
    std::array<std::uint64_t, kSlots / 64> used{};  // may be stale: set although the slot is empty
  };

  static std::uint64_t tick_of(Nanoseconds deadline) {
    return deadline <= 0 ? 0 : static_cast<std::uint64_t>(deadline) >> kTickShift;
  }

  Spot spot_of(std::uint64_t tick) const;
  void link(Timer& timer, Spot spot);
  void place(Timer& timer);
  void place_in_front(Timer& timer);
  void append_to_run(Timer& timer);
  void advance(Nanoseconds now);
  void drain_level(int level, std::uint64_t from, std::uint64_t to, List<Timer>& out);
  void sort_run(std::size_t from);
  const Entry* run_head();
  Nanoseconds scan_wheel();
  Nanoseconds scan_slot(Spot spot);

  void heap_push(Timer& timer);
  void heap_remove(std::size_t index);
  void heap_up(std::size_t index);
  void heap_down(std::size_t index);
  void heap_set(std::size_t index, const Entry& entry);

  std::uint64_t cursor_;
  std::uint64_t next_sequence_ = 0;
  std::size_t size_ = 0;
  std::size_t wheel_size_ = 0;
  Nanoseconds wheel_next_ = kNever;  // lower bound of the wheel's deadlines
  bool wheel_next_stale_ = false;
  bool visiting_ = false;
  Nanoseconds visit_now_ = 0;

  std::vector<Entry> run_;
  std::size_t run_position_ = 0;
  std::uint32_t run_base_ = 0;  // index_ of run_[0]; grows as the run is trimmed
  std::vector<Entry> heap_;
  List<Timer> deferred_;
  std::array<Level, kLevels> levels_;
};

}  // namespace rondo
